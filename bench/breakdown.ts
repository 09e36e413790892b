import { startChild } from "./child.ts";
import type { FlowProfile, ProfiledFlow } from "./profile-flows.ts";
import { showProgress } from "./progress.ts";
import type { Breakdown, Breakdowns } from "./table.ts";

const names: Record<ProfiledFlow, string> = {
  "sim.fetch": "Create, confirm and read an intent through `sim.fetch`",
  intercept: "Create, confirm and read an intent through `intercept(sim)`",
  test: "A test: create, intercept, connect an app, pay with 3-D Secure, deliver, close",
  request: "A request to `centavo serve` under 200 connections",
  story: "A story of the exam of the example shop, learning included, in one thread",
  renewal: "A monthly cycle without receivers",
  "delivered renewal": "A monthly cycle with every webhook delivered",
};

/** Measures where the time of each flow goes. The stages of a flow add up to its time. */
export async function breakDownFlows(): Promise<Breakdowns> {
  const breakdowns: Breakdown[] = [];
  for (const [flow, what] of Object.entries(names) as [ProfiledFlow, string][]) {
    showProgress(`stages of ${flow}`);
    const child = startChild<ProfiledFlow, FlowProfile>("profile-flows.ts");
    const { whole, shares } = await child.ask(flow);
    child.close();
    const stages = shares
      .map(([stage, share]): [string, number] => [stage, share * whole])
      .toSorted(([, left], [, right]) => right - left);
    breakdowns.push({ what, unit: "µs", stages });
  }
  return { breakdowns };
}
