import { textOf } from "../base/errors/thrown-values.ts";
import { openHttpClient } from "../base/runtime/http.ts";
import type { NodeListener } from "../base/runtime/http.ts";
import { lookupOnThisMachine } from "../base/runtime/loopback-lookup.ts";
import type { HostList } from "../base/runtime/host-list.ts";
import { isLoopback } from "../base/runtime/loopback.ts";
import {
  type Exchange,
  type Called,
  exchangeInTime,
  failed,
  RECEIVER_TIMEOUT,
  nameOf,
  networkFailure,
  notAResponse,
  visitInTime,
  withinTime,
} from "./exchange.ts";
import { type ServedListener, serveListener } from "./listener.ts";
import { isLambdaAnswer, LAMBDA_ANSWER } from "./handler-shapes.ts";
import { type FetchHandler, isResponse, type MerchantApp, readMerchantApp } from "./merchant-app.ts";
import type { FailedRequest, ReceiverAnswer } from "./receiver-answer.ts";

/** The merchant's app at one origin. */
export interface Receiver {
  /**
   * Sends a request and reads its answer. Never rejects.
   * @param onHeaders called with the headers of an answer
   */
  send(request: Request, onHeaders?: (headers: Headers) => void): Promise<ReceiverAnswer>;
  /** Sends a visitor's request and returns the whole answer. Rejects with `VISIT_FAILED` if a fetch handler throws. */
  visit(request: Request): Promise<Response | FailedRequest>;
  /** Whether the app has refused a request whose body it had parsed without keeping the bytes. */
  readonly parsesBodies: boolean;
  /** Frees the port, if one was opened. Requests in flight end as `reset`, later ones as `not-connected`. */
  close(): Promise<void>;
}

/** How long an app may take. */
export interface ReceiverOptions {
  /** How long to wait for an app that does not answer, in milliseconds of real time. */
  readonly receiverTimeout?: number | undefined;
}

/**
 * Creates the receiver of a connected app. A fetch handler is called in the process. A `(req, res)` listener is served on a loopback
 * port, which opens with the first request. When an app throws, the request has `failed`: a 500 would be an answer that no merchant's
 * server chose.
 *
 * @throws {CentavoError} `INVALID_OPTION` when the app is neither; see `readMerchantApp`
 *
 * @example
 * const receiver = createReceiver("https://shop.example", (request) => new Response("thanks"));
 * await receiver.send(new Request("https://shop.example/hooks", { method: "POST", body: "{}" }));
 * // { kind: "answered", status: 200, bodyExcerpt: "thanks" }
 */
export function createReceiver(origin: string, app: MerchantApp, options: ReceiverOptions = {}): Receiver {
  const handling = readMerchantApp(origin, app);
  const name = `The app connected at ${origin}`;
  const { kind, guess } = handling;
  const called: Called = {
    name,
    receiverTimeout: options.receiverTimeout ?? RECEIVER_TIMEOUT,
    guess,
    guessWhenLate: kind === "listener" ? guess : undefined,
  };
  let opening: Promise<ServedListener> | undefined;
  let isOpen = false;
  let closed = false;
  let parsesBodies = false;

  const open = async (prepare: () => Promise<NodeListener>): Promise<Exchange | FailedRequest> => {
    opening ??= prepare().then((listener) => serveListener(called, listener, () => (parsesBodies = true)));
    try {
      const { exchange } = await opening;
      isOpen = true;
      return exchange;
    } catch (error) {
      return failed("threw", `${name} could not be started: ${textOf(error).replace("CentavoError: ", "")}`);
    }
  };
  const reach = async (): Promise<Exchange | FailedRequest> => {
    if (closed) return failed("not-connected", `${name} was disconnected.`);
    return handling.kind === "fetch"
      ? callInProcess(name, handling.handler)
      : startInTime(called, () => open(handling.prepare));
  };
  return {
    get parsesBodies() {
      return parsesBodies;
    },
    send: async (request, onHeaders) => {
      const exchange = await reach();
      return typeof exchange === "function" ? exchangeInTime(called, exchange, request, onHeaders) : exchange;
    },
    visit: async (request) => {
      const exchange = await reach();
      return typeof exchange === "function" ? visitInTime(called, exchange, request) : exchange;
    },
    close: async () => {
      closed = true;
      const closing = opening?.then(
        (served) => served.close(),
        () => undefined,
      );
      // An app that never starts would hold this up.
      if (isOpen) await closing;
    },
  };
}

/** How the receiver without an app reaches servers. */
export interface LoopbackOptions extends ReceiverOptions {
  /** Returns the hosts that it reaches besides this machine. */
  readonly further?: () => HostList | undefined;
}

/**
 * Creates a receiver for every address without a connected app. It sends real HTTP, and only to this machine, or to hosts that were named.
 * A name of this machine (`isLoopback`) has to lead to it too. A request to any other host fails as `not-connected`, with a message that
 * says what to connect.
 *
 * @example
 * const receiver = loopbackReceiver();
 * await receiver.send(new Request("http://127.0.0.1:3000/hooks", { method: "POST", body: "{}" }));
 */
export function loopbackReceiver({
  receiverTimeout = RECEIVER_TIMEOUT,
  further = () => undefined,
}: LoopbackOptions = {}): Receiver {
  const calledAt = ({ url }: Request): Called => ({ name: `The server at ${new URL(url).origin}`, receiverTimeout });
  const reach = (request: Request): Exchange | FailedRequest => {
    const address = new URL(request.url);
    const { origin, hostname, protocol } = address;
    const named = further();
    const isNamed = named?.has(address) ?? false;
    if (!isNamed && !isLoopback(hostname)) {
      const wayOut =
        named === undefined
          ? "to send to any other host, connect { fetch: (request) => fetch(request) }."
          : "to let a server send to another host, name it with --allow-webhooks-to, or the option allowedWebhookHosts.";
      return failed(
        "not-connected",
        `No app is connected at ${origin}, so ${nameOf(request)} was not sent. Connect the merchant's app with ` +
          `sim.connect(${JSON.stringify(origin)}, app), or use the loopback URL of a server that this test runs. Of an app in a container, ` +
          `give the loopback address of its published port as webhookUrl; ${wayOut}`,
      );
    }
    const client = openHttpClient(protocol, { keepAlive: false, lookup: isNamed ? undefined : lookupOnThisMachine });
    return async (outgoing, signal, bodyLimit) => {
      try {
        return await client.send(outgoing, new URL(outgoing.url), {}, signal, bodyLimit);
      } catch (error) {
        return networkFailure(`The server at ${origin}`, request, error);
      }
    };
  };
  return {
    parsesBodies: false,
    send: async (request) => {
      const exchange = reach(request);
      return typeof exchange === "function" ? exchangeInTime(calledAt(request), exchange, request) : exchange;
    },
    visit: async (request) => {
      const exchange = reach(request);
      return typeof exchange === "function" ? visitInTime(calledAt(request), exchange, request) : exchange;
    },
    close: async () => undefined,
  };
}

/** Gives an app `receiverTimeout` milliseconds of real time to start. */
function startInTime(
  { name, receiverTimeout }: Called,
  start: () => Promise<Exchange | FailedRequest>,
): Promise<Exchange | FailedRequest> {
  return withinTime(
    receiverTimeout,
    start,
    () =>
      `${name} did not start within ${receiverTimeout} ms of real time. Start it before you connect it, such as by ` +
      "await app.init() in Nest or await app.ready() in Fastify. If it is only slow, raise receiverTimeout.",
  );
}

function callInProcess(name: string, handler: FetchHandler): Exchange {
  return async (request) => {
    const response: unknown = await handler(request);
    try {
      if (isResponse(response)) {
        return response.type === "error"
          ? failed("reset", `${name} answered ${nameOf(request)} with Response.error().`)
          : response;
      }
    } catch (error) {
      return notAResponse(name, request, error);
    }
    if (isLambdaAnswer(response)) return failed("not-a-response", `${name} returned ${LAMBDA_ANSWER}`);
    return failed(
      "not-a-response",
      `${name} returned ${textOf(response)} for ${nameOf(request)}, and a fetch handler returns a Response. ` +
        "If it is a (req, res) listener, connect it as { listener: app }.",
    );
  };
}
