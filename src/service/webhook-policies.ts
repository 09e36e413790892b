import { assumptionTable } from "./assumption-table.ts";
import type { AssumptionId, Assumptions, AssumptionValue } from "./assumption-table.ts";
import { durationMilliseconds } from "../kit/engine/duration.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { formatWebhookBody } from "../kit/webhooks/json.ts";
import { usualWebhookPolicies } from "../kit/webhooks/policies.ts";
import type { WebhookPolicies } from "../kit/webhooks/policies.ts";
import { Reading } from "./wire/reading.ts";
import { Writing } from "./wire/writing.ts";

const ANNOUNCING: readonly AssumptionId[] = [
  "webhook.receiver",
  "webhook.event-id",
  "webhook.body",
  "webhook.user-agent",
  "webhook.order",
];
const JUDGING: readonly AssumptionId[] = ["webhook.success", "webhook.retries"];
const TIMING_OUT: readonly AssumptionId[] = ["webhook.timeout"];

const contentIds: WebhookPolicies["contentIds"] = {
  names: new Set(["id", "externalId", "sessionToken", "transactionId", "intentId", "subscriptionId", "invoiceId"]),
  foreign: new Set(["metadata", "contact", "paymentMethod", "plan", "pendingPlan"]),
  // Events of a checkout session name it by its token.
  subjectOf: (content) => {
    const { data, sessionToken } = content as {
      readonly data?: { readonly id?: string };
      readonly sessionToken?: string;
    };
    return data?.id ?? sessionToken;
  },
};

/**
 * The service's webhook policies, all of them from the assumptions `webhook.*`.
 * @param assumptionsOf returns what the events of a type rest on
 */
export function webhookPolicies(
  assumptions: Assumptions,
  assumptionsOf: (type: string) => readonly AssumptionId[],
  secretOf: WebhookPolicies["secretOf"],
): WebhookPolicies {
  const writing = new Writing(assumptions);
  const reading = new Reading(assumptions.overrides);
  return {
    ...usualWebhookPolicies,
    userAgent: () => assumptions.value("webhook.user-agent"),
    body: ({ id, type, createdAt }, content) =>
      formatWebhookBody(
        writing.event({ id, type, createdAt: toTimestamp(createdAt) }, content),
        assumptions.value("webhook.body"),
      ),
    contentOf: (text) => reading.event(JSON.parse(text) as object),
    contentIds,
    announced: (type) => assumptions.use([...ANNOUNCING, ...assumptionsOf(type)]),
    secretOf,
    signature: () => {
      const signature = assumptions.value("webhook.signature");
      return typeof signature === "string"
        ? { scheme: signature, headerName: undefined }
        : { scheme: signature.scheme, headerName: signature.header };
    },
    stamp: () => assumptions.value("webhook.stamp"),
    order: () => assumptions.value("webhook.order"),
    meaningOf: (answer) => {
      assumptions.use(JUDGING);
      if (answer.kind === "failed") {
        if (answer.reason === "timeout") assumptions.use(TIMING_OUT);
        return "failed";
      }
      if (answer.status === 410) return "gone";
      if (assumptions.value("webhook.success") === "200-alone" && answer.status !== 200) return "failed";
      return usualWebhookPolicies.meaningOf(answer);
    },
    // `Retry-After` may lengthen the wait, never shorten it.
    retryAt: (attempt) => {
      const wait = waitBefore(attempt.retry, assumptions.value("webhook.retries"));
      return wait === undefined ? undefined : attempt.now + Math.max(wait, attempt.retryAfter);
    },
    timeout: { name: "webhook.timeout", milliseconds: () => assumptions.milliseconds("webhook.timeout") },
  };
}

/** Returns the wait before the first retry, such as `2 seconds`; undefined when nothing is sent again. */
export function firstRetryUnder(
  retries: AssumptionValue<"webhook.retries"> = assumptionTable["webhook.retries"].value,
): string | undefined {
  if (typeof retries !== "number") return retries[0];
  return retries === 0 ? undefined : "2 seconds";
}

/** Returns the wait before retry `n`, counted from 1, in milliseconds; undefined after the last. */
function waitBefore(n: number, retries: AssumptionValue<"webhook.retries">): number | undefined {
  if (typeof retries === "number") return n > retries ? undefined : 2 ** n * 1000;
  const wait = retries[n - 1];
  return wait === undefined ? undefined : durationMilliseconds(wait);
}
