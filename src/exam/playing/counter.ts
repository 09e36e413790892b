import type { Step } from "../story.ts";
import { openPayments } from "./open-payments.ts";
import { PATIENCE } from "./programs.ts";
import type { StoryRun } from "./story-run.ts";

/** Pays at a counter, with the payment details that the customer was shown. The browser does not return to the merchant. */
export async function payAtTheCounter(run: StoryRun, { id, after }: Extract<Step, { kind: "counter" }>): Promise<void> {
  const { course, deliveries, time, sim, seen } = run;
  await course.passTo(time.now + after);
  deliveries.browserIsClosed = true;
  for (const { challenged } of openPayments(run, id)) {
    if (challenged === undefined) continue;
    seen.tell(`The customer pays ${id} at the counter.`);
    const paying = sim.customer.authenticate(challenged).catch(() => undefined);
    await course.until(paying, time.now + PATIENCE);
  }
  deliveries.browserIsClosed = false;
  await course.rest();
  await run.readBooks("rested");
}
