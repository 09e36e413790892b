import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { FaultyAttempt } from "./attempt-faults.ts";
import type { WebhookScheme } from "./signatures/signature.ts";

/** In base64, because one of the schemes needs it. */
const WRONG_SECRET = `whsec_${btoa("the secret of another merchant..")}`;

export function isSent(end: FaultyAttempt["end"]): boolean {
  return end?.isSent !== false;
}

export function secretIn({ wrongSecret }: FaultyAttempt, secret: string): string {
  return wrongSecret ? WRONG_SECRET : secret;
}

/** Returns the body that arrives. */
export function bodyIn({ corruptBody }: Pick<FaultyAttempt, "corruptBody">, body: string): string {
  if (typeof corruptBody === "string") return corruptBody;
  if (!corruptBody) return body;
  const corrupt = body.replace(
    /(":\s*)(\d+)(?=[\s,}\]])/,
    (_, before: string, number) => before + (Number(number) + 1),
  );
  return corrupt === body ? `${body} ` : corrupt;
}

/**
 * Returns the headers that arrive. A signature of the other mode goes where receivers of this mode do not look: PayMongo's live field,
 * Stripe's `v0`, another version under Standard Webhooks.
 */
export function headersIn(
  { otherMode }: FaultyAttempt,
  headers: Readonly<Record<string, string>>,
  scheme: WebhookScheme,
): Record<string, string> {
  if (!otherMode) return { ...headers };
  const move: Record<WebhookScheme, (value: string) => string> = {
    paymongo: (value) => value.replace(/(?<=^|,)te=([^,]*),li=/, "te=,li=$1"),
    stripe: (value) => value.replace(",v1=", ",v0="),
    "standard-webhooks": (value) => value.replace(/^v1,/, "v1a,"),
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, move[scheme](value)]));
}

/**
 * Returns the answer to an attempt as the service sees it.
 * @param own the answer of the merchant's app, if the attempt reached it
 */
export function answerIn({ end }: FaultyAttempt, own: ReceiverAnswer | undefined): ReceiverAnswer | undefined {
  // If the app did not answer, there is no answer to replace.
  return end === undefined || own?.kind === "failed" ? own : end.answer;
}
