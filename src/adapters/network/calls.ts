import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { asyncContext } from "../../kit/base/runtime/async-context.ts";
import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import { markOf } from "../call-order.ts";

/** The calls that began under one interception. They belong to it, whatever comes after it. */
export class CallsOfInterception {
  /** Those that are neither answered nor broken off. */
  readonly onTheWay = new Set<Call>();
  /** Whether a client may call again by itself, because a call broke off, or got an answer that clients follow or repeat. */
  mayComeAgain = false;
  isOpen = true;
  #urls: () => readonly URL[];
  readonly #onLate: (calls: CallsOfInterception) => void;

  /**
   * @param urls returns the addresses that it answers now
   * @param onLate is called when the interception ends, and after it whenever a call begins or the last one is over
   */
  constructor(urls: () => readonly URL[], onLate: (calls: CallsOfInterception) => void) {
    this.#urls = urls;
    this.#onLate = onLate;
  }

  /** The addresses that it answers, or answered when it ended. */
  get urls(): readonly URL[] {
    return this.#urls();
  }

  /** Ends the interception for its calls. Those that have reached the service are still answered. */
  end(): void {
    const { urls } = this;
    this.#urls = () => urls;
    this.isOpen = false;
    this.#onLate(this);
    for (const call of this.onTheWay) call.breakOffIfLate();
  }

  /** Whether some have not reached their service. */
  get areAwaited(): boolean {
    return [...this.onTheWay].some((call) => !call.hasArrived && this.#answers(call));
  }

  note(call: Call): void {
    this.onTheWay.add(call);
    if (!this.isOpen) this.#onLate(this);
  }

  /** Notes that a call is over. */
  forget(call: Call, mayComeAgain: boolean): void {
    this.mayComeAgain ||= mayComeAgain && this.#answers(call);
    if (this.onTheWay.delete(call) && !this.isOpen && this.onTheWay.size === 0) this.#onLate(this);
  }

  #answers(call: Call): boolean {
    return this.urls.some(({ origin }) => origin === call.url.origin);
  }
}

/** A call, from when its client makes it until it is answered or breaks off. */
export class Call {
  readonly url: URL;
  readonly method: string;
  readonly owners: readonly CallsOfInterception[];
  hasArrived = false;
  readonly #breakOff: ((error: Error) => void) | undefined;
  #status: number | undefined;
  #isOver = false;

  /**
   * @param owners the interceptions to which it belongs
   * @param breakOff fails a call that has not reached its service
   */
  constructor(method: string, url: URL, owners: readonly CallsOfInterception[], breakOff?: (error: Error) => void) {
    this.url = url;
    this.method = method;
    this.owners = owners;
    this.#breakOff = breakOff;
    for (const owner of owners) owner.note(this);
  }

  /** Whether every interception to which it belongs has ended. */
  get isLate(): boolean {
    return this.owners.every(({ isOpen }) => !isOpen);
  }

  /** The error of a call that is late. */
  get lateError(): CentavoError {
    return new CentavoError(
      "WORLD_ENDED",
      `${this.method} ${this.url.pathname} began under an interception that has ended, so it gets no answer and no later world gets the call. ` +
        "Await every call of a test, or abort it, before the test ends.",
    );
  }

  /** The call has reached its service, which answers it from now on. */
  arrive(): void {
    this.hasArrived = true;
  }

  get isAnswered(): boolean {
    return this.#status !== undefined;
  }

  /** The service has answered. The call is over once its client has the answer. */
  answer({ status }: { readonly status: number }): void {
    this.#status = status;
  }

  /** The call is over. Without an answer, it broke off. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const mayComeAgain = this.#status === undefined || isFollowedByAnother(this.#status);
    for (const owner of this.owners) owner.forget(this, mayComeAgain);
  }

  /** Breaks off a call that has not reached its service, once its interceptions have ended. */
  breakOffIfLate(): void {
    if (this.isLate && !this.hasArrived) this.#breakOff?.(this.lateError);
  }
}

/** Whether clients follow or repeat a call by themselves after an answer with this status. */
function isFollowedByAnother(status: number): boolean {
  return (status >= 300 && status < 400) || status === 408 || status === 413 || status === 429 || status >= 500;
}

/**
 * The call whose answer its client gets now. What the client then does by itself, such as follow a redirect or try again, belongs to the
 * same interception. The caller's own code has another context, except for callbacks of `node:http`.
 */
const answered = asyncContext<{ readonly call: Call | undefined }>();

/** Contexts in which the caller's own code has turned out to run. */
const contextsOfCallers = new WeakSet<object>();

/** Returns the call that led to what begins now, if its client does that by itself. */
export function callBefore(): Call | undefined {
  const context = answered.value;
  return context === undefined || contextsOfCallers.has(context) ? undefined : context.call;
}

/** No client ends an interception: if an answer led here, then to a callback of its caller, which may go on with the next test. */
export function leaveCallBefore(): void {
  if (answered.value?.call?.isAnswered === true) contextsOfCallers.add(answered.value);
}

/** Hands a client the answer to a call. */
export function answering(call: Call | undefined, send: () => void): void {
  answered.run({ call }, send);
}

/** Runs what connects a request of `node:http`, whose events come in that context. */
export function connecting<Result>(request: object, connect: () => Result): Result {
  return answered.run(
    {
      get call() {
        return byRequest.get(request);
      },
    },
    connect,
  );
}

/**
 * On a socket: the call that it carries; null when the call belongs to no interception. The library's own view of a socket shows it too.
 */
const carried = Symbol("carried");

type CarryingSocket = Socket & { [carried]?: Call | null };

/** Whether a socket is sure to carry a request of HTTP, which may come late. */
export function awaitsRequest(socket: Socket): boolean {
  return (socket as CarryingSocket)[carried] !== undefined;
}

/** Keeps a socket for a request, however late its client writes it. */
export function awaitRequest(socket: Socket): void {
  (socket as CarryingSocket)[carried] ??= null;
}

const byRequest = new WeakMap<object, Call>();
const byMark = new Map<string, Call>();

/** Returns the call of a request that has arrived on a socket. @param initiator the socket, or the `ClientRequest` where a tool knows it */
export function callOf(mark: string | undefined, initiator: unknown): Call | undefined {
  if (mark !== undefined) return byMark.get(mark);
  const source = initiator as CarryingSocket;
  return byRequest.get(source) ?? source[carried] ?? undefined;
}

/** What undici publishes of each request that it begins, by any of its versions, the one inside Node among them. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
}

interface UndiciMessage {
  readonly request: UndiciRequest;
  readonly response: { readonly statusCode: number };
}

/** Learns of calls from Node and undici. */
export interface CallListener {
  /** Begins a call, if its address is intercepted. */
  readonly begin: (method: string, url: URL, breakOff?: (error: Error) => void) => Call | undefined;
  /** A call is about to be written to a connection. */
  readonly send: (call: Call, socket: Socket) => void;
  /** undici connects now. */
  readonly connect: () => void;
}

/**
 * Follows the calls of `node:http` and undici from when they are made, on the channels that both publish for it: a call may wait in an
 * agent's queue or in a pool long before there is a connection.
 * @returns a function that ends it
 */
export function followCalls({ begin, send, connect }: CallListener): () => void {
  const onUndici = (event: string, listener: (call: Call, message: UndiciMessage) => void) =>
    listenToChannel(`undici:request:${event}`, (message) => {
      const call = byRequest.get((message as UndiciMessage).request);
      if (call !== undefined) listener(call, message as UndiciMessage);
    });
  const end = (call: Call, { request }: UndiciMessage): void => {
    byMark.delete(markOf(request) ?? "");
    call.end();
  };
  const stops = [
    listenToChannel("http.client.request.created", (message) => {
      const { request } = message as { readonly request: ClientRequest };
      const url = urlOf(request);
      const call = url === null ? undefined : begin(request.method, url, (error) => failIfConnected(request, error));
      request.once("socket", (socket: CarryingSocket) => {
        socket[carried] = call ?? null;
        // A tool may have made up a socket, which has no address.
        if (call !== undefined && socket.remoteAddress !== undefined) send(call, socket);
      });
      if (call === undefined) return;
      byRequest.set(request, call);
      request.once("close", () => call.end());
    }),
    listenToChannel("undici:request:create", (message) => {
      const { request } = message as { readonly request: UndiciRequest };
      const url = urlAt(String(request.origin), request.path);
      const call = url === null ? undefined : begin(request.method, url);
      if (call !== undefined) byRequest.set(request, call);
    }),
    listenToChannel("undici:client:beforeConnect", connect),
    listenToChannel("undici:client:sendHeaders", (message) => {
      const { request, socket } = message as { readonly request: UndiciRequest; readonly socket: Socket };
      const call = byRequest.get(request);
      if (call === undefined) return;
      byMark.set(markOf(request) ?? "", call);
      send(call, socket);
    }),
    // Another tool may have answered it.
    onUndici("headers", (call, { response }) => call.answer({ status: response.statusCode })),
    onUndici("trailers", end),
    onUndici("error", end),
  ];
  return () => {
    for (const stop of stops) stop();
    byMark.clear();
  };
}

/** Fails a request that has a socket. Any other request is refused when it gets one, because Node drops an error that comes earlier. */
function failIfConnected(request: ClientRequest, error: Error): void {
  // In a microtask the library's sockets tell of an error before they tell that they have closed.
  if (request.socket !== null) void Promise.resolve().then(() => request.destroy(error));
}

/** Returns where a request leads. Its port stands in the `Host` header alone. */
function urlOf(request: ClientRequest): URL | null {
  const { protocol, host, path } = request;
  const plain = urlAt(`${protocol}//${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`, path);
  const withPort = urlAt(`${protocol}//${String(request.getHeader("host") ?? host)}`, path);
  return withPort?.hostname === plain?.hostname ? withPort : plain;
}

/** A path may begin with two slashes, which a URL takes for a host. A client of a proxy asks for a whole URL. */
function urlAt(origin: string, path: string): URL | null {
  return path.startsWith("/") ? URL.parse(URL.parse(origin)?.origin + path) : URL.parse(path, origin);
}
