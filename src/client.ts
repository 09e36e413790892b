/** A typed client of the API, for scripts, stories and tests. */
export { createClient } from "./client/client.ts";
export type { ClientOptions } from "./client/client.ts";
export type * from "./client/calls.ts";
export { ServiceError } from "./client/service-error.ts";
export type { ServiceErrorCode } from "./client/service-error.ts";
export type { InvoiceView, SubscriptionStatus } from "./service/schemas/subscriptions.ts";
export type { CallOptions } from "./client/service-call.ts";
export { connectSimulator } from "./remote/connect-simulator.ts";
export type { ConnectOptions } from "./remote/control-call.ts";
export type { RemoteSimulator } from "./remote/remote-simulator.ts";
export type { RemoteClock, RemoteFault, RemoteFaults, RemoteWebhooks } from "./remote/remote-simulator.ts";
/** What its members take and return. */
export { CentavoError } from "./kit/base/errors/centavo-error.ts";
export type { CentavoErrorCode } from "./kit/base/errors/centavo-error.ts";
export type { Coverage, CoverageScope } from "./simulator/coverage-result.ts";
export type { CustomerMethod, CustomerVisit } from "./simulator/customer.ts";
export type { DurationLike, InstantLike } from "./kit/engine/duration.ts";
export type { JournalEntry } from "./kit/engine/journal-entries.ts";
export type { PendingTimer } from "./kit/engine/pending.ts";
export type { Recording } from "./simulator/payment-recording.ts";
export type { Credentials, Snapshot } from "./simulator/simulator.ts";
export type {
  CardDetails,
  EventType,
  EventView,
  FailedDelivery,
  Fault,
  FaultState,
  IntentView,
  Ledger,
} from "./simulator/payment-service.ts";
export type { CheckoutView } from "./service/checkout/views.ts";
export type { Explanation } from "./report/causes/cause-report.ts";
