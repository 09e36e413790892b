import { simulated } from "centavo/testing";
import { testsWith } from "../tests.cjs";

for (const [title, run] of Object.entries(testsWith(simulated))) it(title, run);
