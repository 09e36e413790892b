import { expect, test } from "centavo/playwright";

// An option of the worker stands at the top of a file.
test.use({ simulatorPort: -1 });

test("a port that does not exist", async ({ sim }) => expect(await sim.seed).toBe(""));
