import type { ActName } from "../options.ts";
import { eventInWords } from "./in-words.ts";
import type { PlannedFault, Trouble } from "./trouble.ts";

export const droppedEvent: Trouble = event(
  "webhook.drop",
  { kind: "webhook.drop" },
  (what) => `${what} is never delivered.`,
  { order: "likely" },
);

export const renamedEvent: Trouble = event(
  "webhook.new-id",
  { kind: "webhook.new-id", delay: "2 seconds" },
  (what) => `${what} is sent again under another id.`,
  { order: "likely" },
);

export const eventTroubles: readonly Trouble[] = [
  droppedEvent,
  event("webhook.duplicate", { kind: "webhook.duplicate" }, (what) => `${what} is delivered twice.`),
  renamedEvent,
  event("webhook.delay", { kind: "webhook.delay", delay: "2 hours" }, (what) => `${what} arrives two hours late.`, {
    order: "likely",
    isLate: true,
  }),
  variant(
    "webhook.delay 3d",
    { kind: "webhook.delay", delay: "3 days" },
    (what) => `${what} arrives three days late.`,
    {
      isLate: true,
    },
  ),
  variant(
    "webhook.answer-lost",
    { kind: "webhook.answer-lost" },
    (what) => `The merchant's answer to ${what} is lost, so it is sent again.`,
  ),
  variant(
    "webhook.refused",
    { kind: "webhook.refused" },
    (what) => `The merchant cannot be reached for ${what} at first.`,
  ),
  event("webhook.extra-fields", { kind: "webhook.extra-fields" }, (what) => `${what} has an unknown field.`),
  event(
    "webhook.unknown-type",
    { kind: "webhook.unknown-type" },
    (what) => `An event of an unknown type follows ${what}.`,
  ),
  event(
    "webhook.unknown-object",
    { kind: "webhook.unknown-object" },
    (what) => `An event about an object that the merchant does not know follows ${what}.`,
  ),
  event(
    "webhook.reorder",
    { kind: "webhook.reorder", within: "1 minute" },
    (what) => `${what} and what follows within a minute arrive in reverse order.`,
  ),
  variant(
    "webhook.slow",
    { kind: "webhook.slow", delay: "45 seconds" },
    (what) => `The merchant's answer to ${what} takes 45 seconds, so it is sent again.`,
  ),
  variant(
    "webhook.corrupt-body",
    { kind: "webhook.corrupt-body" },
    (what) => `${what} first arrives with a changed body.`,
  ),
  variant(
    "webhook.wrong-secret",
    { kind: "webhook.wrong-secret" },
    (what) => `${what} first arrives with a wrong signature.`,
  ),
  event(
    "webhook.stale-timestamp",
    // Longer ago than any merchant tolerates.
    { kind: "webhook.stale-timestamp", age: "1 day" },
    (what) => `${what} first arrives with the timestamp of the day before.`,
  ),
  {
    name: "twice at once",
    at: "event",
    deliversTwice: true,
    sentence: (point) => `${eventInWords(point)} is delivered twice at the same moment.`,
  },
  meeting("payAgain", "pays again", ["payment_intent.succeeded", "checkout.completed"]),
  meeting("changeCard", "changes the card", ["subscription.past_due"]),
  meeting("leave", "leaves", ["subscription.invoice.paid"]),
];

/** Declares that the customer acts at the very moment at which an event arrives. */
function meeting(act: ActName, does: string, events: readonly string[]): Trouble {
  return {
    name: `${does} as it arrives`,
    at: "event",
    needsAct: act,
    fits: ({ subject }) => events.includes(subject),
    meetsAct: act,
    sentence: (point) => `As ${eventInWords(point)} arrives, the customer ${does}.`,
  };
}

function event(
  name: string,
  fault: PlannedFault,
  sentence: (what: string) => string,
  more: Partial<Trouble> = {},
): Trouble {
  return { name, at: "event", fault, sentence: (point) => sentence(eventInWords(point)), ...more };
}

/** Declares a trouble that resembles another trouble of events. */
function variant(...given: Parameters<typeof event>): Trouble {
  return { order: "variant", ...event(...given) };
}
