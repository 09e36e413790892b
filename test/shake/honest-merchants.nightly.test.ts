import { test } from "vitest";
import { merchants } from "../exam/honest/merchants.ts";
import { expectNoFinding } from "./no-finding.ts";
import { optionsOf, sunnyTests } from "./sunny-tests.ts";

test.for(Object.entries(merchants))("no trouble in any flow accuses a merchant that %s", async ([, merchant]) => {
  await expectNoFinding(sunnyTests(merchant), { suite: optionsOf(merchant) });
});
