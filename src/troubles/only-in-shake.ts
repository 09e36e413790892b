import { answerSaysMore, eventOfAnother, eventSaysMore } from "./blind-spots.ts";
import { mustBeNoticed, mustNotBeNoticed, mustNotCost } from "./in-shake.ts";
import { callInWords, eventInWords } from "./in-words.ts";
import { isReading, isWriting } from "./routes.ts";
import type { Point } from "./point.ts";
import type { ServiceTrouble } from "./trouble.ts";

const ONE_CENTAVO_MORE = { field: "amount", by: 1 };

/** Whether an event says that something was paid. */
function saysPaid({ subject }: Point): boolean {
  return /^(?:payment_intent\.succeeded|checkout\.completed|subscription\.invoice\.paid)$/.test(subject);
}

/** What an exam has in a harder form, and a test that moves its clock little passes in this one. */
export const onlyInShake: readonly ServiceTrouble[] = [
  {
    name: "outage of a minute",
    at: "call",
    inShake: mustNotCost("outages"),
    fits: ({ subject }) => !isReading(subject),
    lasting: [{ kind: "request.status", status: 503 }],
    lasts: "1 minute",
    sentence: (point) => `From ${callInWords(point)} on, the service answers it with 503, for a minute.`,
  },
  {
    name: "response.hang",
    at: "call",
    order: "variant",
    inShake: mustNotCost("hanging-calls"),
    fits: ({ subject }) => isWriting(subject),
    fault: { kind: "response.lost", as: "hang" },
    leavesInDoubt: true,
    sentence: (point) => `The service does what ${callInWords(point)} asks, but never answers it.`,
  },
  {
    name: "short-lived tokens",
    at: "story",
    inShake: mustNotBeNoticed("tokens", "good-card-is-served"),
    assumptions: { "auth.token-lifetime": "1 minute" },
    sentence: () => "Tokens expire after a minute.",
  },
  {
    name: "webhook.other-object",
    at: "event",
    inShake: mustBeNoticed(eventOfAnother),
    fits: saysPaid,
    fault: { kind: "webhook.other-object" },
    sentence: (point) => `${eventInWords(point)} names another object in place of its own.`,
  },
  {
    name: "webhook.other-value",
    at: "event",
    inShake: mustBeNoticed(eventSaysMore),
    fits: saysPaid,
    fault: { kind: "webhook.other-value", ...ONE_CENTAVO_MORE },
    sentence: (point) => `${eventInWords(point)} says one centavo more.`,
  },
  {
    name: "response.other-value",
    at: "call",
    strikesReads: true,
    inShake: mustBeNoticed(answerSaysMore),
    fits: ({ subject }) => /^(?:payment-intent\.(?:create|status)|checkout\.create)$/.test(subject),
    fault: { kind: "response.other-value", ...ONE_CENTAVO_MORE },
    sentence: (point) => `The answer to ${callInWords(point)} says one centavo more.`,
  },
];
