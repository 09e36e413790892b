import { startTimer } from "../runtime/real-time.ts";
import type { FailedRequest, ReceiverAnswer } from "./receiver-answer.ts";

/**
 * Gets a request answered, with no limit of time. It gives up when the signal aborts, and may cut off a body that is longer than
 * `bodyLimit` bytes.
 */
export type Exchange = (request: Request, signal: AbortSignal, bodyLimit: number) => Promise<Response | FailedRequest>;

const RECEIVER_TIMEOUT = 2000;
const EXCERPT_LENGTH = 500;
/** In bytes. */
const READ_FOR_EXCERPT = 65_536;

/** Gives an exchange `receiverTimeout` milliseconds of real time, and ignores what comes later. Never rejects. */
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
  const outcome = await exchange(request, signal, READ_FOR_EXCERPT);
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

/** Reads as much as is shown and cancels the rest, so that whatever streams the body can stop. */
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

/** Explains one of Node's network errors. */
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

/** Names a request in messages, such as `POST https://shop.example/hooks`. */
export function nameOf(request: Request): string {
  return `${request.method} ${request.url}`;
}

export function failed(reason: FailedRequest["reason"], message: string): FailedRequest {
  return { kind: "failed", reason, message };
}
