import { assumptionTable } from "centavo";
import type { AssumptionId } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { furtherDecisions } from "./further-decisions.ts";

const cases = Object.entries(furtherDecisions).map(
  ([id, holds]) => [id, assumptionTable[id as AssumptionId].answer, holds] as const,
);

test.each(cases)("%s: %s", async (id, _answer, holds) => {
  const merchant = await Merchant.open();
  await merchant.logIn();
  await holds(merchant);
  expect(merchant.sim.assumptions.used().map((used) => used.id)).toContain(id);
});
