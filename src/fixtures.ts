/** Seeded data, and resources in the status that a test needs. */
export { fixtures } from "./fixtures/fixtures.ts";
export type { FixtureOptions, Fixtures } from "./fixtures/fixtures.ts";
export type { AddressFixture, ContactFixture, OrderFixture, OrderItem } from "./fixtures/data.ts";
export type { EventOptions, MakeEvent } from "./fixtures/event.ts";
export type * from "./fixtures/kind-options.ts";
export type { HistoryOptions } from "./fixtures/history.ts";
export type { WorldFixture, WorldOptions } from "./fixtures/world.ts";
