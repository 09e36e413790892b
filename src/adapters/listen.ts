import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { isBrokenOff } from "../kit/http/network-errors.ts";
import { Problem } from "../kit/http/problem.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import { asSocketCall } from "../kit/receivers/app-work.ts";
import { asError, readyForWire } from "./answer.ts";
import { inOrderOfCalls, keepOrderOfCallsTo } from "./call-order.ts";
import { bodyOf } from "./request-body.ts";

/** Where a server listens. */
export interface ListenOptions {
  /** The port; 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on. Other machines cannot reach the default, `"127.0.0.1"`. */
  readonly hostname?: string;
}

/** How a server treats its sockets. */
export interface SocketOptions extends ListenOptions {
  /**
   * How long a client may take to send a request, in milliseconds of real time; 30 000 by default. A slower one gets a 408, and loses its
   * connection.
   */
  readonly requestTimeout?: number;
}

/** What answers at a socket. */
export interface Answering {
  /** @param isLate whether the request came after `drain` was called */
  answer(request: Request, isLate?: boolean): Promise<RawAnswer | Response>;
  /** Returns the error for a request that cannot become a `Request`; without one, the answer is plain text. */
  readonly refuse?: ((problem: Problem) => RawAnswer | undefined) | undefined;
}

/** A socket that listens. */
export interface Listening {
  /** The origin under which this machine reaches it, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /**
   * Ends each connection with its answer, and resolves when every request that came before is answered. An answer that is a stream is not
   * waited for.
   */
  readonly drain: () => Promise<void>;
  /** Closes every connection and frees the port. Does nothing when called again. */
  close(): Promise<void>;
}

/** The statuses of Node's own server for parse errors; 400 for all others. */
const UNREADABLE_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Listens for HTTP. A network failure that a fault injects resets the connection. So does an error of what answers, which is also reported
 * by `process.emitWarning`.
 * @throws {CentavoError} `INVALID_OPTION` for a `hostname` that no URL can have; Node's own error when the port is taken (`EADDRINUSE`)
 */
export async function listen(answering: Answering, options: SocketOptions = {}): Promise<Listening> {
  const { port = 0, hostname = "127.0.0.1", requestTimeout = 30_000 } = options;
  // Node would take an empty one for all addresses.
  if (!URL.canParse(`http://${nameInUrl(hostname)}`)) throw noAddress(hostname);
  let url = "";
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  // No idle timeout: closing an idle connection just as the client writes to it would be a failure that no fault injected.
  const slowness = {
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(1000, requestTimeout),
  };
  const server = createServer({ keepAliveTimeout: 0, ...slowness }, (incoming, outgoing) => {
    underWay.add(outgoing);
    outgoing.once("close", () => underWay.delete(outgoing));
    if (isDraining) outgoing.setHeader("connection", "close");
    void answer(answering, url, { incoming, outgoing, isLate: isDraining });
  });
  server.on("clientError", (error, socket) => refuseUnreadable(answering, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const address = server.address();
  url = `http://${nameInUrl(hostname)}:${typeof address === "object" ? address?.port : port}`;
  const forgetOrder = keepOrderOfCallsTo(new URL(url), "");
  const drain = async (): Promise<void> => {
    isDraining = true;
    for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.setHeader("connection", "close");
    const answers = [...underWay].filter(({ headersSent, writableEnded }) => !headersSent || writableEnded);
    await Promise.all(answers.map((outgoing) => new Promise((resolve) => outgoing.once("close", resolve))));
  };
  const close = (): Promise<void> => {
    forgetOrder();
    return new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return { url, drain, close };
}

/** A request that has arrived. */
interface Arrived {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether it came after `drain` was called. */
  readonly isLate: boolean;
}

async function answer(answering: Answering, origin: string, { incoming, outgoing, isLate }: Arrived): Promise<void> {
  const abort = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) abort.abort();
  });
  const request = requestOf(incoming, origin, abort.signal);
  if (request === undefined) {
    const problem = incoming.method === "TRACE" ? noTrace : unreadable();
    const { status, headers, body } = refusal(answering, problem);
    outgoing.writeHead(status, headers).end(body);
    return;
  }
  try {
    const answered = await asSocketCall(() => inOrderOfCalls(request, () => answering.answer(request, isLate)));
    // Skips building a `Response` and its stream, which take a tenth of the time of an answer.
    if (!(answered instanceof Response) && "content-length" in answered.headers)
      outgoing.writeHead(answered.status, "", answered.headers).end(answered.body);
    else await send(await readyForWire(answered, request.method), outgoing);
    // Unread bytes of this body would block the next request on the connection.
    incoming.removeAllListeners("data").resume();
  } catch (error) {
    if (!abort.signal.aborted && !isBrokenOff(asError(error))) process.emitWarning(asError(error));
    outgoing.socket?.resetAndDestroy();
  }
}

/** Sends an answer as fast as the client reads it, until the client leaves. `pipeline` takes three times as long. */
async function send({ status, statusText, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, statusText, [...headers].flat());
  if (body !== null) await write(body.getReader(), outgoing);
  outgoing.end();
}

async function write(reader: ReadableStreamDefaultReader<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (outgoing.destroyed) resolve();
    else outgoing.once("close", resolve);
  });
  // Also ends a pending read. The body may have failed already, and then it cannot be canceled.
  void closed.then(() => reader.cancel()).catch(() => undefined);
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    if (!outgoing.write(chunk.value)) {
      const drained = new Promise((resolve) => outgoing.once("drain", resolve));
      await Promise.race([drained, closed]);
    }
  }
}

const noTrace = new Problem("method-not-allowed", { detail: "The service does not take TRACE" });

function unreadable(status = 400): Problem {
  return new Problem("unreadable", { status, detail: "The request is not HTTP that the service can read" });
}

/** Answers bytes that Node cannot parse. */
function refuseUnreadable(answering: Answering, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusal(answering, unreadable(UNREADABLE_STATUS[error.code ?? ""]));
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}

/** Returns the own answer to a problem of what answers, or plain text if it has none. */
function refusal(answering: Answering, problem: Problem): RawAnswer {
  const { status = 405, detail = "" } = problem.details;
  const plain = { status, headers: { "content-type": "text/plain" }, body: detail };
  const { status: answered, headers, body } = answering.refuse?.(problem) ?? plain;
  return { status: answered, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body };
}

/** Returns the request in the form that the service reads; undefined if the Fetch standard does not allow it. */
function requestOf(incoming: IncomingMessage, origin: string, signal: AbortSignal): Request | undefined {
  const { method = "GET", url: target = "/", rawHeaders } = incoming;
  try {
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2)
      headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
    // What a whole URL names counts more than the header (RFC 9112 §3.2.2).
    const named = target.startsWith("/") ? undefined : URL.parse(target)?.host;
    if (named !== undefined) headers.set("host", named);
    const init: RequestInit & { duplex: "half" } = { method, headers, signal, duplex: "half" };
    if (method !== "GET" && method !== "HEAD") init.body = bodyOf(incoming);
    return new Request(origin + pathOf(target), init);
  } catch {
    return undefined;
  }
}

/**
 * Returns the path and query of a request's target. The target is a whole URL if the client uses us as a proxy, and `*` for `OPTIONS *`.
 */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const absolute = URL.parse(target);
  return absolute === null ? "/" : absolute.pathname + absolute.search;
}

function noAddress(hostname: unknown): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `serve: the option hostname is ${inWords(hostname)}. It takes the address to listen on, such as "127.0.0.1", or "0.0.0.0" for all addresses of this machine.`,
  );
}

function nameInUrl(hostname: string): string {
  if (hostname === "0.0.0.0" || hostname === "::") return "localhost";
  return isIPv6(hostname) ? `[${hostname}]` : hostname;
}
