/** Seeded data, and resources in the status that a test needs. */
export { fixtures } from "./fixtures/fixtures.ts";
export type { FixtureOptions, Fixtures } from "./fixtures/fixtures.ts";
export type { AddressFixture, ContactFixture, OrderFixture, OrderItem } from "./fixtures/data.ts";
export type { CheckoutOptions } from "./fixtures/checkouts.ts";
export type { EventOptions, MakeEvent } from "./fixtures/event.ts";
export type { HistoryOptions } from "./fixtures/history.ts";
export type { IntentOptions } from "./fixtures/intents.ts";
export type { InvoiceOptions } from "./fixtures/invoices.ts";
export type { SubscriptionOptions } from "./fixtures/subscriptions.ts";
export type { TokenFixture, TokenOptions } from "./fixtures/tokens.ts";
export type { TransactionOptions } from "./fixtures/transactions.ts";
export type { WorldFixture, WorldOptions } from "./fixtures/world.ts";
