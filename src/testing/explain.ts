import type { Simulator } from "../simulator/simulator.ts";

/**
 * Explains a failed test in at most 30 lines: the likely cause and the way out, the end of the timeline, what is pending, faults that never
 * fired, and the seed. `simulated` and `withSimulator` add this to the error of a failed test by themselves; call it in tests that create
 * their own simulator, before `sim.close()`.
 *
 * @param sim the simulator of the test
 * @param error what the test threw. It ranks the causes; without it a cause is found from what happened alone
 * @returns the report, without secrets. It never rejects because of what it looks at
 *
 * @example
 * test("an order is paid", async () => {
 *   try {
 *     await theTest(sim);
 *   } catch (error) {
 *     console.error(await explain(sim, error));
 *     throw error;
 *   }
 * });
 */
export async function explain(sim: Simulator, error?: unknown): Promise<string> {
  const { reportOf } = await import("../report/causes/cause-report.ts");
  return reportOf(sim, error);
}
