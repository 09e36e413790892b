/** Seeded data, and resources in the status that a test needs. */
export { fixtures } from "./fixtures/fixtures.ts";
export type { ContactFixture, Fixtures, OrderFixture } from "./fixtures/fixtures.ts";
