import { test } from "vitest";
import { merchants } from "../exam/honest/merchants.ts";
import { expectNoFinding } from "./no-finding.ts";
import { flowsOfMerchant, optionsOf, paces, sunnyTests } from "./sunny-tests.ts";

// The file for the night shakes every flow.
test.for(Object.entries(merchants))("no trouble accuses a merchant that %s", async ([, merchant]) => {
  const [first] = flowsOfMerchant(merchant);
  const tests = sunnyTests(merchant, first === undefined ? [] : [first], paces.slice(0, 1));
  await expectNoFinding(tests, { oneIn: 12, suite: optionsOf(merchant) });
});
