/** Seeded data, and resources brought to a state. */
export { fixtures } from "./fixtures/fixtures.ts";
export type { ContactFixture, Fixtures, OrderFixture } from "./fixtures/fixtures.ts";
