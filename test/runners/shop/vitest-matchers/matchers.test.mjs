import { simulated } from "centavo/testing";
import "centavo/vitest";
import { expect, test } from "vitest";
import { matcherTests } from "../matchers.cjs";

for (const [title, run] of Object.entries(matcherTests(simulated, expect))) test(title, run);
