/** Seeded data, and resources in the status that a test needs. */
export { fixtures } from "./fixtures/fixtures.ts";
export type {
  CheckoutOptions,
  Fixtures,
  IntentOptions,
  InvoiceOptions,
  SubscriptionOptions,
  TokenOptions,
  TransactionOptions,
  WorldFixture,
  WorldOptions,
} from "./fixtures/fixtures.ts";
export type { AddressFixture, ContactFixture, OrderFixture, OrderItem } from "./fixtures/data.ts";
export type { HistoryOptions } from "./fixtures/history.ts";
export type { TokenFixture } from "./fixtures/recipes.ts";
export type { EventOptions, MakeEvent } from "./fixtures/event.ts";
