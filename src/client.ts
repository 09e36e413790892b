/** A typed client of the API, for scripts, stories and tests. */
export { createClient } from "./client/client.ts";
export type { ClientOptions } from "./client/client.ts";
export type * from "./client/calls.ts";
export { ServiceError } from "./client/service-error.ts";
export type { ServiceErrorCode } from "./client/service-error.ts";
export type { InvoiceView, SubscriptionStatus } from "./service/subscriptions/schema.ts";
export type { CallOptions } from "./client/service-call.ts";
export { connectSimulator } from "./remote/connect-simulator.ts";
export type { ConnectOptions } from "./remote/control-call.ts";
export type { RemoteSimulator } from "./remote/remote-simulator.ts";
