import { startTimer } from "../runtime/real-time.ts";

/** What came of one request to the merchant. */
export type ReceiverAnswer = AnsweredRequest | FailedRequest;

/** The merchant answered, with whatever status. */
export interface AnsweredRequest {
  readonly kind: "answered";
  readonly status: number;
  /** The `Retry-After` header, as it was written. */
  readonly retryAfter?: string;
  /** The `Location` header: redirects are reported, never followed. */
  readonly location?: string;
  /** The beginning of the answer's body, for people to read; absent when it is empty. */
  readonly bodyExcerpt?: string;
}

/** No answer came. */
export interface FailedRequest {
  readonly kind: "failed";
  /**
   * `timeout`: nothing within `receiverTimeout`. `threw`: the app threw or rejected, or could not start. `not-a-response`: a fetch
   * handler returned something else. `refused`: nothing listens there. `reset`: the connection broke. `unreachable`: any other
   * network error. `not-connected`: no app is connected at that origin.
   */
  readonly reason: "timeout" | "threw" | "not-a-response" | "refused" | "reset" | "unreachable" | "not-connected";
  readonly message: string;
}

/** One way of getting a request answered, without a limit of time. */
export type Exchange = (request: Request, signal: AbortSignal) => Promise<Response | FailedRequest>;

const RECEIVER_TIMEOUT = 2000;
const EXCERPT_LENGTH = 500;

/** Gives an exchange `receiverTimeout` milliseconds of real time; what it does later is ignored. */
export function exchangeInTime(
  name: string,
  exchange: Exchange,
  request: Request,
  receiverTimeout = RECEIVER_TIMEOUT,
): Promise<ReceiverAnswer> {
  return new Promise((resolve) => {
    const giveUp = new AbortController();
    const callOff = startTimer(receiverTimeout, () => {
      resolve(
        failed(
          "timeout",
          `${name} did not answer ${nameOf(request)} within ${receiverTimeout} ms of real time. Likely causes: a handler that waits for ` +
            "the simulator's clock, or never ends its response. If it is only slow, raise receiverTimeout.",
        ),
      );
      giveUp.abort();
    });
    const settle = (answer: ReceiverAnswer) => {
      callOff();
      resolve(answer);
    };
    answerTo(exchange, request, giveUp.signal).then(settle, (error: unknown) =>
      settle(failed("threw", `${name} threw at ${nameOf(request)}: ${String(error)}`)),
    );
  });
}

async function answerTo(exchange: Exchange, request: Request, signal: AbortSignal): Promise<ReceiverAnswer> {
  const outcome = await exchange(request, signal);
  if ("kind" in outcome) return outcome;
  const { status, headers, body } = outcome;
  const retryAfter = headers.get("retry-after");
  const location = headers.get("location");
  const bodyExcerpt = body === null || body.locked ? "" : await readExcerpt(body, signal);
  return {
    kind: "answered",
    status,
    ...(retryAfter !== null && { retryAfter }),
    ...(location !== null && { location }),
    ...(bodyExcerpt !== "" && { bodyExcerpt }),
  };
}

/** Reads as much as is shown and gives up the rest, so that whatever streams it can stop. */
async function readExcerpt(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  const reader = body.getReader();
  const release = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", release);
  if (signal.aborted) release();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < EXCERPT_LENGTH) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return text;
  }
  release();
  return text.slice(0, EXCERPT_LENGTH);
}

/** Puts Node's network errors into words. */
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
  return failed("unreachable", `${name} could not be reached with ${nameOf(request)}: ${String(cause)}`);
}

/** A request as messages name it. */
export function nameOf(request: Request): string {
  return `${request.method} ${request.url}`;
}

/** A failure in words. */
export function failed(reason: FailedRequest["reason"], message: string): FailedRequest {
  return { kind: "failed", reason, message };
}
