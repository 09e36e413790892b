import { nearest } from "../../kit/base/errors/nearest.ts";
import { paymentService } from "../../service/service.ts";
import { lastIn, statuses, textIn } from "./attempts.ts";
import type { Cause } from "./cause.ts";
import { SERVICE_PAGE } from "./pages.ts";
import { quoted } from "./wording.ts";

/** Words of one meaning. The service uses one of them for each kind of resource. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["succeeded", "completed", "paid", "success", "successful", "complete", "approved", "captured"],
  ["canceled", "cancelled", "void", "voided"],
  ["failed", "declined", "rejected", "failure", "error"],
  ["requires_action", "action_required", "requires_authentication"],
  ["active", "activated", "enabled"],
  ["expired", "timed_out", "timeout"],
];

/** A quoted text that looks like a type of event of this service, or of another one. */
const EVENT_TYPE = /["'`]((?:payment_intent|checkout|subscription|invoice|payment|charge)(?:\.[a-z_]+)+)["'`]/g;

/** Ways for a test to expect another word than the service uses. */
export const wordCauses: readonly Cause[] = [
  {
    name: "another-word",
    looksAt: "assertions that found a status, and expected another word of the same meaning",
    explanation:
      'A payment intent is `succeeded` and `canceled`, a checkout session `completed` and `cancelled`, an invoice `paid`. [service.md](../service.md) has the statuses of each. `expect(id).toHaveStatus("…")` refuses a word that its resource never has, and names the nearest.',
    find: ({ thrown, entries, states }) => {
      if (thrown?.isAssertion !== true) return undefined;
      const [actual, expected] = [textIn(thrown.actual), textIn(thrown.expected)];
      const isMeant = meanTheSame(actual, expected.toLowerCase());
      const found = actual === expected || !isMeant ? undefined : lastIn(entries, states, actual);
      if (found === undefined || statuses[found.kind].includes(expected)) return undefined;
      return {
        sentence: `${found.id} is "${actual}", which is the service's word for what the test calls ${quoted(JSON.stringify(expected))}`,
        wayOut: `expect "${actual}": ${SERVICE_PAGE} lists the statuses of each resource`,
        weight: "explains",
      };
    },
  },
  {
    name: "unknown-event",
    looksAt: "types of event in the test's own error that the service does not announce",
    explanation:
      "The service announces a fixed list of events, which `sim.webhooks.events({ type })` checks, and [payments.md](payments.md), [subscriptions.md](subscriptions.md#the-events-of-each-move) and [service.md](../service.md) have. No other type ever arrives.",
    find: ({ thrown }) => {
      if (thrown?.isAssertion !== true) return undefined;
      const known = paymentService.eventTypes;
      const named = [...`${thrown.text}\n"${textIn(thrown.expected)}"`.matchAll(EVENT_TYPE)];
      const unknown = named.map(([, type = ""]) => type).find((type) => !known.includes(type));
      if (unknown === undefined) return undefined;
      const near = known.find((type) => isSame(type, unknown)) ?? nearest(unknown, known);
      return {
        sentence: `the service has no event "${quoted(unknown)}"${near === undefined ? "" : `; the nearest is "${near}"`}`,
        wayOut: `expect a type that ${SERVICE_PAGE} lists`,
        weight: "explains",
      };
    },
  },
];

function meanTheSame(one: string, other: string): boolean {
  return SAME_MEANING.some((words) => words.includes(one) && words.includes(other));
}

/** Whether two types of event differ in the last word alone, and mean the same: `payment_intent.paid`. */
function isSame(type: string, other: string): boolean {
  const [at, otherAt] = [type.lastIndexOf("."), other.lastIndexOf(".")];
  return type.slice(0, at) === other.slice(0, otherAt) && meanTheSame(type.slice(at + 1), other.slice(otherAt + 1));
}
