import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";
import { shop, use } from "./shop.ts";

const test = withSimulator(base, { keepTokens: true });

test("a shop that keeps its token is known in every file that shares its module", async ({ sim }) => {
  expect((await shop.transactions(sim)).status).toBe(200);
  use.files += 1;
  process.stdout.write(`logins: ${shop.logins} in ${use.files}\n`);
});
