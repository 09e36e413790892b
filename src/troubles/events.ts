import { eventLost } from "./blind-spots.ts";
import { mustNotBeNoticed, mustNotCost } from "./in-shake.ts";
import type { InShake } from "./in-shake.ts";
import { eventInWords } from "./in-words.ts";
import type { PlannedFault, ServiceTrouble } from "./trouble.ts";
import { firstRetryIn } from "./values-in-force.ts";

const everyEventIsMine = {
  misunderstanding: "Every event with a valid signature is about an order of mine.",
  remedy: "Look up what an event is about. If you do not have it, answer 2xx and do nothing else.",
};

export const droppedEvent: ServiceTrouble = event(
  "webhook.drop",
  { kind: "webhook.drop" },
  mustNotCost("lost-events", eventLost),
  (what) => `${what} is never delivered.`,
  { order: "likely" },
);

export const renamedEvent: ServiceTrouble = event(
  "webhook.new-id",
  { kind: "webhook.new-id", delay: "2 seconds" },
  mustNotBeNoticed("events-twice", "fulfilled-once", { needs: "2 seconds" }),
  (what) => `${what} is sent again under another id.`,
  { order: "likely" },
);

export const eventTroubles: readonly ServiceTrouble[] = [
  droppedEvent,
  event(
    "webhook.duplicate",
    { kind: "webhook.duplicate" },
    mustNotBeNoticed("events-twice", "fulfilled-once"),
    (what) => `${what} is delivered twice.`,
  ),
  renamedEvent,
  event(
    "webhook.delay",
    { kind: "webhook.delay", delay: "2 hours" },
    mustNotBeNoticed("late-events", "status-agrees", { needs: "2 hours" }),
    (what) => `${what} arrives two hours late.`,
    {
      order: "likely",
      isLate: true,
    },
  ),
  variant(
    "webhook.delay 3d",
    { kind: "webhook.delay", delay: "3 days" },
    mustNotBeNoticed("late-events", "status-agrees", { needs: "3 days" }),
    (what) => `${what} arrives three days late.`,
    {
      isLate: true,
    },
  ),
  variant(
    "webhook.answer-lost",
    { kind: "webhook.answer-lost" },
    mustNotBeNoticed("events-twice", "fulfilled-once"),
    (what) => `The merchant's answer to ${what} is lost, so it is sent again.`,
  ),
  variant(
    "webhook.refused",
    { kind: "webhook.refused" },
    mustNotBeNoticed("late-events", "paid-and-fulfilled", { needs: firstRetryIn }),
    (what) => `The merchant cannot be reached for ${what} at first.`,
  ),
  event(
    "webhook.extra-fields",
    { kind: "webhook.extra-fields" },
    mustNotBeNoticed("unknown-events", "takes-every-event"),
    (what) => `${what} has an unknown field.`,
    { onceForEach: "type" },
  ),
  event(
    "webhook.unknown-type",
    { kind: "webhook.unknown-type" },
    mustNotBeNoticed("unknown-events", "takes-every-event"),
    (what) => `An event of an unknown type follows ${what}.`,
    { onceForEach: "resource" },
  ),
  event(
    "webhook.unknown-object",
    { kind: "webhook.unknown-object" },
    mustNotBeNoticed("unknown-events", "takes-every-event", { belief: everyEventIsMine }),
    (what) => `An event about an object that the merchant does not know follows ${what}.`,
    { onceForEach: "type" },
  ),
  event(
    "webhook.reorder",
    { kind: "webhook.reorder", within: "1 minute" },
    mustNotBeNoticed("late-events", "status-agrees", { needs: "1 minute" }),
    (what) => `${what} and what follows within a minute arrive in reverse order.`,
  ),
  variant(
    "webhook.slow",
    { kind: "webhook.slow", delay: "45 seconds" },
    mustNotBeNoticed("events-twice", "fulfilled-once", { needs: "1 minute" }),
    (what) => `The merchant's answer to ${what} takes 45 seconds, so it is sent again.`,
  ),
  variant(
    "webhook.corrupt-body",
    { kind: "webhook.corrupt-body" },
    mustNotCost("forged-events"),
    (what) => `${what} first arrives with a changed body.`,
  ),
  variant(
    "webhook.wrong-secret",
    { kind: "webhook.wrong-secret" },
    mustNotCost("forged-events"),
    (what) => `${what} first arrives with a wrong signature.`,
  ),
  event(
    "webhook.stale-timestamp",
    // Longer ago than any merchant tolerates.
    { kind: "webhook.stale-timestamp", age: "1 day" },
    mustNotCost("forged-events"),
    (what) => `${what} first arrives with the timestamp of the day before.`,
    { onceForEach: "type" },
  ),
  {
    name: "twice at once",
    at: "event",
    deliversTwice: true,
    inShake: mustNotBeNoticed("events-twice", "fulfilled-once"),
    sentence: (point) => `${eventInWords(point)} is delivered twice at the same moment.`,
  },
];

function event(
  name: string,
  fault: PlannedFault,
  inShake: InShake,
  sentence: (what: string) => string,
  more: Partial<ServiceTrouble> = {},
): ServiceTrouble {
  return { name, at: "event", fault, inShake, sentence: (point) => sentence(eventInWords(point)), ...more };
}

/** Declares a trouble that resembles another trouble of events. */
function variant(...given: Parameters<typeof event>): ServiceTrouble {
  return { order: "variant", ...event(...given) };
}
