import { shownAddress } from "../base/redaction/address.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { isThrown, messageOf, textOf } from "../base/errors/thrown-values.ts";
import { nextMacrotask, startTimer } from "../base/runtime/real-time.ts";
import type { AnsweredRequest, FailedRequest, ReceiverAnswer } from "./receiver-answer.ts";

/** Gets a request answered, without a time limit. It stops when the signal aborts, and may cut a body after `bodyLimit` bytes. */
export type Exchange = (request: Request, signal: AbortSignal, bodyLimit: number) => Promise<Response | FailedRequest>;

/** How long an app may take by default, in milliseconds of real time. */
export const RECEIVER_TIMEOUT = 2000;
const EXCERPT_LENGTH = 500;
/** A character takes at most four bytes. */
const EXCERPT_BYTES = 4 * EXCERPT_LENGTH;
const READS_BETWEEN_TURNS = 64;
const READ_FOR_EXCERPT = 65_536;

/** An app or server that gets requests. */
export interface Called {
  /** Its name at the beginning of messages, such as `The app connected at https://shop.example`. */
  readonly name: string;
  /** How long it may take, in milliseconds of real time. */
  readonly receiverTimeout: number;
  /** What to say of a function that was called with the wrong arguments; absent if its shape is known. */
  readonly guess?: string | undefined;
  /** The same for a function that does not answer. A fetch handler that never settles has the right shape. */
  readonly guessWhenLate?: string | undefined;
}

/**
 * Sends a request, and reads the beginning of its answer. Never rejects.
 * @param onHeaders called with the headers of an answer
 */
export function exchangeInTime(
  called: Called,
  exchange: Exchange,
  request: Request,
  onHeaders?: (headers: Headers) => void,
): Promise<ReceiverAnswer> {
  return inTime(called, request, async (signal) => {
    try {
      return await answerTo(called.name, exchange, request, signal, onHeaders);
    } catch (error) {
      return failed("threw", `${called.name} threw on ${nameOf(request)}: ${textOf(error)}${hintAbout(error, called)}`);
    }
  });
}

/**
 * Sends a visitor's request, and returns the whole answer, whose body may take longer.
 * @throws {CentavoError} `VISIT_FAILED` with what a fetch handler throws as its cause
 */
export function visitInTime(called: Called, exchange: Exchange, request: Request): Promise<Response | FailedRequest> {
  return inTime(called, request, async (signal) => {
    const visit = new Request(request, { signal: AbortSignal.any([request.signal, signal]) });
    try {
      return await exchange(visit, visit.signal, Infinity);
    } catch (error) {
      const hint = hintAbout(error, called) || ".";
      throw new CentavoError(
        "VISIT_FAILED",
        `The app threw on ${nameOf(request)}: ${messageOf(error).replace(/\.$/, "")}${hint} What it threw is the cause of this error.`,
        { cause: error },
      );
    }
  });
}

/** Gives an exchange `receiverTimeout` milliseconds of real time, and ignores whatever comes later. */
function inTime<Answer>(
  { name, receiverTimeout, guessWhenLate = "" }: Called,
  request: Request,
  exchange: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | FailedRequest> {
  return withinTime(receiverTimeout, exchange, () =>
    [
      `${name} did not answer ${nameOf(request)} within ${receiverTimeout} ms of real time. Likely causes: a handler that waits for`,
      "the simulator's clock, or never ends its response. If it is only slow, raise receiverTimeout.",
      guessWhenLate,
    ]
      .join(" ")
      .trimEnd(),
  );
}

/**
 * Waits for work, but not longer than this.
 * @param milliseconds of real time
 * @param late says what happened when they have passed
 */
export function withinTime<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
  late: () => string,
): Promise<Result | FailedRequest> {
  return new Promise((resolve, reject) => {
    const giveUp = new AbortController();
    const callOff = startTimer(milliseconds, () => {
      resolve({ kind: "failed", reason: "timeout", clock: "real", message: late() });
      giveUp.abort();
    });
    void work(giveUp.signal).then(resolve, reject).finally(callOff);
  });
}

/** A function that is called with the wrong arguments uses what they do not have, or parses it. */
export function hintAbout(error: unknown, { guess }: Pick<Called, "guess">): string {
  return guess !== undefined && (isThrown(error, TypeError) || isThrown(error, SyntaxError)) ? `. ${guess}` : "";
}

async function answerTo(
  name: string,
  exchange: Exchange,
  request: Request,
  signal: AbortSignal,
  onHeaders?: (headers: Headers) => void,
): Promise<ReceiverAnswer> {
  const outcome = await exchange(request, signal, READ_FOR_EXCERPT);
  let head: Head;
  try {
    if (!("status" in outcome)) return outcome;
    head = readHead(outcome);
    onHeaders?.(outcome.headers);
  } catch (error) {
    return notAResponse(name, request, error);
  }
  const { body, ...answer } = head;
  if (body === undefined) return { kind: "answered", ...answer };
  try {
    const bodyExcerpt = await readExcerpt(body, signal);
    return { kind: "answered", ...answer, ...(bodyExcerpt !== "" && { bodyExcerpt }) };
  } catch (error) {
    return failed("reset", `${name} broke off its answer to ${nameOf(request)}: ${textOf(error)}`);
  }
}

type Head = Pick<AnsweredRequest, "status" | "retryAfter" | "location"> & {
  readonly body?: ReadableStream<Uint8Array>;
};

/**
 * Reads each part once: a `Response` may come from any library, and its parts may change or throw.
 * @throws {TypeError} for a status or header that HTTP does not allow; also whatever a part throws
 */
function readHead({ status, headers, body }: Response): Head {
  if (!Number.isInteger(status) || status < 100 || status > 599)
    throw new TypeError(`its status is ${textOf(status)}, and HTTP has 100 to 599`);
  const retryAfter: unknown = headers.get("retry-after");
  const location: unknown = headers.get("location");
  return {
    status,
    ...(typeof retryAfter === "string" && { retryAfter }),
    ...(typeof location === "string" && { location }),
    // A polyfill may bring another kind of stream, whose content does not matter.
    ...(typeof body?.getReader === "function" && !body.locked && { body }),
  };
}

/**
 * Reads the excerpt and cancels the rest, so that the sender can stop. The signal ends a stream of empty chunks, and one that ignores its
 * cancellation.
 */
async function readExcerpt(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  const reader = body.getReader();
  const cancel = async () => reader.cancel();
  const release = () => void cancel().catch(() => undefined);
  signal.addEventListener("abort", release);
  const decoder = new TextDecoder();
  let text = "";
  for (let reads = 1; text.length < EXCERPT_LENGTH && !signal.aborted; reads += 1) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value.subarray(0, EXCERPT_BYTES), { stream: true });
    // If chunks come without a turn of the event loop, no timer can run.
    if (reads % READS_BETWEEN_TURNS === 0) await nextMacrotask();
  }
  release();
  return text.slice(0, EXCERPT_LENGTH);
}

/** Describes one of Node's network errors. */
export function networkFailure(name: string, request: Request, error: unknown): FailedRequest {
  const cause = error instanceof TypeError ? error.cause : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") {
    const origin = JSON.stringify(new URL(request.url).origin);
    return failed(
      "refused",
      `${name} refused ${nameOf(request)}: nothing listens there. Start it first, or connect the app with sim.connect(${origin}, app).`,
    );
  }
  if (code === "ECONNRESET" || code === "EPIPE") {
    return failed("reset", `${name} broke the connection before it had answered ${nameOf(request)}.`);
  }
  if (/CERT|SIGNATURE/.test(code)) {
    const { origin, port } = new URL(request.url);
    return failed(
      "unreachable",
      `${name} has a certificate that this process does not trust (${code}), so ${nameOf(request)} was not sent. Name the certificate in ` +
        `NODE_EXTRA_CA_CERTS before the process starts, serve http on port ${port || 443}, or connect the app with sim.connect(${JSON.stringify(origin)}, app).`,
    );
  }
  return failed("unreachable", `${name} could not be reached with ${nameOf(request)}: ${textOf(cause)}`);
}

/** Names a request in messages, such as `POST https://shop.example/hooks`. */
export function nameOf(request: Request): string {
  return `${request.method} ${shownAddress(request.url)}`;
}

/** Says what a fetch handler returned instead of a Response. */
export function notAResponse(name: string, request: Request, error: unknown): FailedRequest {
  return failed("not-a-response", `${name} answered ${nameOf(request)} with no proper Response: ${textOf(error)}`);
}

export function failed(reason: FailedRequest["reason"], message: string): FailedRequest {
  return { kind: "failed", reason, message };
}
