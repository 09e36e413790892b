import { simulated } from "centavo/testing";
import { matcherTests } from "../matchers.cjs";

for (const [title, run] of Object.entries(matcherTests(simulated, expect))) test(title, run);
