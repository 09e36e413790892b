import { assumptionTable } from "centavo";
import type { AssumptionId } from "centavo";
import { test } from "vitest";
import { Merchant } from "../merchant.ts";
import { furtherDecisions } from "./further-decisions.ts";

const cases = Object.entries(furtherDecisions).map(
  ([id, holds]) => [id, assumptionTable[id as AssumptionId].answer, holds] as const,
);

test.each(cases)("%s: %s", async (_id, _answer, holds) => {
  const merchant = await Merchant.open();
  await merchant.logIn();
  await holds(merchant);
});
