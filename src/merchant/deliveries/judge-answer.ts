import type { ReceiverAnswer } from "../../kit/receivers/receiver-answer.ts";

/** The answer that a delivery must get: `refusal` is not a 2xx, `success` is a 2xx, `either` is any. A crash is always wrong. */
export type ExpectedAnswer = "refusal" | "success" | "either";

/**
 * What is wrong with an answer. `accepted`: a 2xx to a delivery that must be refused. `refused`: none to a genuine one. `crashed`: a 5xx, an
 * error, or no answer.
 */
export interface AnswerVerdict {
  readonly kind: "accepted" | "refused" | "crashed";
  /** What happened, and why it is wrong, as a sentence. */
  readonly why: string;
}

/** Returns what is wrong with the answer to a delivery, or undefined if nothing is. */
export function verdictOnAnswer(
  answer: ReceiverAnswer,
  expected: ExpectedAnswer,
  method: "POST" | "GET" = "POST",
): AnswerVerdict | undefined {
  if (answer.kind === "failed") return { kind: "crashed", why: answer.message };
  const { status } = answer;
  if (status >= 500) {
    const after = method === "POST" ? ", which the service takes for an outage and retries for hours" : "";
    return { kind: "crashed", why: `It was answered ${inWords(answer)}${after}.` };
  }
  const isSuccess = isAccepted(answer);
  if (expected === "refusal" && isSuccess)
    return { kind: "accepted", why: `It was answered ${status}, as if it were genuine.` };
  if (expected === "success" && !isSuccess)
    return { kind: "refused", why: `It is genuine, and was answered ${inWords(answer)}.` };
  return undefined;
}

/** Whether an answer is a 2xx. */
export function isAccepted(answer: ReceiverAnswer): boolean {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

function inWords({ status, bodyExcerpt }: Extract<ReceiverAnswer, { kind: "answered" }>): string {
  return bodyExcerpt === undefined ? String(status) : `${status} ${JSON.stringify(bodyExcerpt)}`;
}
