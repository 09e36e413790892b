import { test } from "vitest";
import { merchants } from "../exam/honest/merchants.ts";
import { expectNoFinding } from "./no-finding.ts";
import { optionsOf, sunnyTests } from "./sunny-tests.ts";

// Every trouble in every flow would take hours.
test.for(Object.entries(merchants))(
  "one trouble in thirty, in all flows, accuses no merchant that %s",
  async ([, merchant]) => {
    await expectNoFinding(sunnyTests(merchant), { oneIn: 30, suite: optionsOf(merchant) });
  },
);
