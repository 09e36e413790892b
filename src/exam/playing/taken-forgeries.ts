import { DeliveryByHand } from "../../merchant/deliveries/delivery-by-hand.ts";
import { forgedRequest } from "../../merchant/deliveries/forge-delivery.ts";
import type { PaymentEvent } from "../../merchant/deliveries/order-payment.ts";
import type { StoryRun } from "./story-run.ts";

/** What is wrong with a delivery that a merchant must refuse, by the fault that struck it. */
export const forgingFaults: Readonly<Record<string, string>> = {
  "webhook.corrupt-body": "a body that was changed",
  "webhook.wrong-secret": "the signature of another merchant",
  "webhook.stale-timestamp": "an old timestamp",
};

/** A delivery that a merchant must refuse. */
export interface Forgery {
  readonly event: PaymentEvent;
  /** What is wrong with it: `an old timestamp`. */
  readonly wrong: string;
  /** The status of the merchant's answer; undefined when none came. */
  readonly answered: number | undefined;
  /** What the merchant answered to the same event with a signature that no secret made; undefined unless that was tried. */
  answeredElse?: number;
}

/** Notes the deliveries that faults have spoilt. */
export function noteForgeries({ sim, seen, story }: StoryRun): void {
  // Copying all attempts takes time.
  if (!story.troubles.some(({ trouble }) => Object.hasOwn(forgingFaults, trouble.fault?.kind ?? ""))) return;
  const byHand = new DeliveryByHand(sim);
  const rows = byHand.events();
  for (const { eventId, answer, faults = [] } of sim.webhooks.attempts()) {
    const wrong = faults.map(({ kind }) => forgingFaults[kind]).find((each) => each !== undefined);
    const row = wrong === undefined ? undefined : rows.find(({ id }) => id === eventId);
    const event = row && byHand.eventOf(row);
    if (wrong === undefined || event === undefined) continue;
    seen.forgeries.push({ event, wrong, answered: answer.kind === "answered" ? answer.status : undefined });
  }
}

export function isTaken({ answered = 500 }: Pick<Forgery, "answered">): boolean {
  return answered >= 200 && answered < 300;
}

/**
 * Sends the merchant each event that it took from a forger once more, with a signature that no secret made. A merchant that answers 2xx even
 * then does not say by its answers what it takes: it may ask the service whenever anybody knocks, or verify later.
 */
export async function tellForgeriesApart(run: StoryRun): Promise<void> {
  const { sim, seen, course, time } = run;
  for (const forgery of seen.forgeries.filter(isTaken)) {
    if (course.neverRests) return;
    const request = forgedRequest(sim, forgery.event, { kind: "wrong-signature" });
    const answering = run.exchange({ kind: "event" }, request).catch(() => undefined);
    if (!(await course.until(answering, time.now))) continue;
    const answer = await answering;
    if (answer !== undefined) forgery.answeredElse = answer.status;
  }
}
