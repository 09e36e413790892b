/**
 * The report of a run as one HTML document: what happened, what it means for the money, and why a test failed. `sim.report()` loads it
 * when it is first called.
 *
 * @example
 * const html = await sim.report("report.html");
 */
export { htmlReport } from "./report/html-report.ts";
