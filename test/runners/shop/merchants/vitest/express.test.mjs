import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";
import { openMerchant } from "../express-axios.cjs";
import { merchantTestsWith } from "../tests.cjs";

const test = withSimulator(base);
const tests = merchantTestsWith((actual, expected) => expect(actual).toBe(expected), openMerchant);

for (const [title, run] of Object.entries(tests)) test(`Express and axios: ${title}`, run);
