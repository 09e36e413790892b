import { printable } from "../kit/base/errors/printable.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import { paymentService } from "../simulator/payment-service.ts";
import { jsonDocument } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { MadeDelivery, PlannedDelivery } from "./trigger-deliveries.ts";
import type { ListedEvent } from "./trigger-events.ts";

/** In characters, of a shop's answer. */
const LONGEST_EXCERPT = 120;

/** What became of a command. */
export interface Triggered {
  readonly event: string;
  readonly to: string;
  readonly seed: string;
  readonly now: string;
  readonly deliveries: readonly MadeDelivery[];
  /** How many deliveries were planned. */
  readonly planned: number;
  readonly exitCode: number;
  /** Why it ended early; absent if it did not. */
  readonly problem?: string | undefined;
}

/**
 * Returns the lines of a delivery: its answer, and what is wrong with it.
 * @param told the explanations so far; each is printed once
 */
export function deliveryInWords(output: Output, made: MadeDelivery, secret: string, told: Set<string>): string {
  const { event, forgery, answer, milliseconds, verdict } = made;
  const status = answer.kind === "answered" ? String(answer.status) : "---";
  const what = forgery === undefined ? event.type : `${event.type}, forged: ${forgery}`;
  const parts = ["", status, `${milliseconds} ms`.padStart(8), what, event.id, excerptOf(made, secret) ?? ""];
  if (verdict === undefined) return styled(output, "green", parts.join("  ").trimEnd());
  const why = whyWrong(made);
  const isTold = told.has(why);
  told.add(why);
  const line = [...parts, "← wrong"].join("  ");
  return styled(output, "red", isTold ? line : `${line}\n${" ".repeat(17)}${why}`);
}

/** Returns what is wrong with an answer, and what it likely means. */
function whyWrong({ answer, forgery, verdict }: MadeDelivery): string {
  if (verdict?.kind === "accepted") return `It accepted a forgery. ${REMEDIES[forgery ?? "unsigned"]}`;
  if (answer.kind === "failed") return answer.message;
  return meaningOf(answer.status);
}

const VERIFY = "Anyone can send it so. Verify the signature over the raw body, and answer 401 if it does not match.";
const REMEDIES: Readonly<Record<NonNullable<MadeDelivery["forgery"]>, string>> = {
  unsigned: VERIFY,
  "wrong-signature": VERIFY,
  "wrong-secret": VERIFY,
  "stale-timestamp":
    "It is an old delivery, replayed. Refuse a stamp that is more than five minutes from your own time.",
  "corrupt-body": `Its body was changed after signing. ${VERIFY}`,
};

/** What a status means that is not a 2xx, in answer to a genuine event. The service would send the event again. */
function meaningOf(status: number): string {
  if (status === 401 || status === 403)
    return `${status} says that the signature does not match. Is the secret the one that your shop verifies with, and does it verify the raw body, before anything parses it?`;
  if (status === 404) return "404 says that there is no such route. Correct the path of --to.";
  if (status === 405) return "405 says that the route takes no POST. Correct the path of --to.";
  if (status === 410) return "410 says that the receiver is gone for good: the service would send it no event again.";
  if (status === 415 || status === 406)
    return `${status} says that your framework refuses the content type application/json at this route.`;
  if (status === 429)
    return "429 says that there were too many requests. A webhook route needs a limit that lets the service through.";
  if (status >= 300 && status < 400)
    return `${status} is a redirect, which no webhook follows, such as from http to https or to a slash at the end. Give the address that it leads to.`;
  if (status >= 500)
    return `${status} says that your handler crashed, or is down. Its log has the error. The service would send the event again.`;
  if (status < 200) return `${status} is not a final answer.`;
  return `${status} says that your handler refuses a genuine event. The service would send it again.`;
}

/** Returns the beginning of the shop's answer, on one line, without secrets. */
function excerptOf({ answer }: MadeDelivery, secret: string): string | undefined {
  if (answer.kind === "failed" || answer.bodyExcerpt === undefined) return undefined;
  const text = safeText(answer.bodyExcerpt, secret).replaceAll(/\s+/g, " ").trim();
  return text === "" ? undefined : shortened(text, LONGEST_EXCERPT);
}

/** Returns a text from elsewhere for people to read, without secrets. */
export function safeText(text: string, secret: string): string {
  const withoutSecret = secret === "" ? text : text.replaceAll(secret, "[redacted]");
  return printable(paymentService.redaction.text(withoutSecret));
}

/** One line that sums up. */
export function summaryOf({ deliveries, planned }: Pick<Triggered, "deliveries" | "planned">): string {
  const wrong = deliveries.filter(({ verdict }) => verdict !== undefined);
  const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
  const left = planned - deliveries.length;
  const unsent = left === 0 ? "" : `; ${count(left, "delivery").replace(/ys$/, "ies")} not sent`;
  const right = deliveries.length - wrong.length;
  return `${right} of ${count(deliveries.length, "answer")} ${right === 1 ? "is" : "are"} right${unsent}.`;
}

/** The same for other programs. */
export function asDocument(triggered: Triggered, secret: string): string {
  const { deliveries, planned, exitCode, problem, ...told } = triggered;
  return jsonDocument(exitCode, {
    ...told,
    problem,
    planned,
    deliveries: deliveries.map((made) => {
      const { event, forgery, answer, milliseconds, verdict } = made;
      return {
        id: event.id,
        type: event.type,
        forgery,
        status: answer.kind === "answered" ? answer.status : undefined,
        failure: answer.kind === "failed" ? answer.reason : undefined,
        milliseconds,
        answer: excerptOf(made, secret),
        wrong: verdict?.kind,
        why: verdict && whyWrong(made),
      };
    }),
  });
}

/** A request as it would be sent. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function shownRequest({ request }: PlannedDelivery): Promise<ShownRequest> {
  const built = request();
  const { method, url, headers } = built;
  return { method, url, headers: Object.fromEntries(headers), body: await built.text() };
}

/** Writes a request as HTTP has it. */
export function requestInWords({ method, url, headers, body }: ShownRequest): string {
  const { pathname, search, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, "", body, ""].join("\n");
}

export function listInWords(listed: readonly ListedEvent[]): string {
  return [
    "The events that can be triggered, each with those that go before it:",
    "",
    ...listed.flatMap(({ type, tells, before }) => [
      `  ${type}`,
      `      ${tells}`,
      ...(before.length === 0 ? [] : [`      after ${runsOf(before).join(", ")}`]),
    ]),
  ].join("\n");
}

/** Writes repeated names once, with how often they come. */
function runsOf(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`));
}
