import { expect, test } from "centavo/playwright";

// Each worker adds its own index.
test.use({ simulatorPort: Number(process.env["TAKEN_PORT"]) - Number(process.env["TEST_PARALLEL_INDEX"] ?? 0) });

test("a port that is taken", async ({ sim }) => expect(await sim.seed).toBe(""));
