import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** A sentence of the document that is neither a field nor a status, and that a test of its own keeps. */
export interface PromiseRow {
  readonly part: string;
  readonly promise: string;
  readonly verdict: Verdict;
}

export const promises: readonly PromiseRow[] = [
  { part: "2", promise: "A success is `{ success: true, data }`", verdict: "supported" },
  { part: "5", promise: "The token service answers an `access_token`, which is a JWT", verdict: "supported" },
  { part: "3.1", promise: "After a challenge, the customer returns to the intent's `returnUrl`", verdict: "supported" },
  { part: "1", promise: "After a payment, the customer returns to the session's `returnUrl`", verdict: "supported" },
  { part: "6", promise: "An event is a POST with a JSON body to the `webhookUrl`", verdict: "supported" },
  { part: "6", promise: "A receiver that answers 200 gets an event once", verdict: "supported" },
  {
    part: "6",
    promise: "A receiver knows a duplicate by the event's identifier",
    verdict: assumed("webhook.event-id"),
  },
  { part: "6", promise: "A receiver verifies the signature", verdict: assumed("webhook.signature", "webhook.stamp") },
];
