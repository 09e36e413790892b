import { simulated } from "centavo/testing";
import { test } from "vitest";
import { testsWith } from "../tests.cjs";

for (const [title, run] of Object.entries(testsWith(simulated))) test(title, run);
