/** Playwright's `test` with a payment service of each test's own, page objects of its pages, and Centavo's matchers. */
export { test } from "./playwright/test.ts";
export { expect } from "./playwright/expect.ts";
export type { CentavoMatchers } from "./playwright/expect.ts";
export type { CentavoFixtures, CentavoOptions } from "./playwright/test.ts";
export type { CentavoWorkerFixtures, CentavoWorkerOptions } from "./playwright/worker-server.ts";
export type { WorldOptions } from "./server/hosted-worlds.ts";
export type { PaymentService } from "./playwright/world.ts";
export type { PayUrl, PayUrlOptions } from "./playwright/pay-url.ts";
export { ChallengePage } from "./playwright/challenge-page.ts";
export { CheckoutPage } from "./playwright/checkout-page.ts";
/** What they take and return. */
export { CentavoError } from "./kit/base/errors/centavo-error.ts";
export type { AnyStatus } from "./testing/matchers/matchers.ts";
export type { CustomerMethod, CustomerVisit } from "./simulator/customer.ts";
export type { RemoteSimulator } from "./remote/remote-simulator.ts";
export type { SimulatorServer } from "./server/serve.ts";
