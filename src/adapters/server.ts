import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isNetworkError } from "../http/network-errors.ts";
import { Problem } from "../http/problem.ts";
import type { RawAnswer } from "../http/route.ts";
import type { Service } from "../http/service.ts";
import { asError, readyForWire } from "./answer.ts";
import { bodyOf } from "./request-body.ts";

export interface ServeOptions {
  /** The port; 0, the default, takes any that is free. */
  readonly port?: number;
  /** The address to listen on. The default, `"127.0.0.1"`, is out of reach for other machines. */
  readonly hostname?: string;
}

/** What Node's own server answers to what it cannot parse; 400 to everything else. */
const UNREADABLE_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A server that is listening. `await using server = await serve(sim)` closes it with its block. */
export interface SimulatorServer extends AsyncDisposable {
  /** Its address without a trailing slash, such as `http://127.0.0.1:49152`: the base URL for the merchant. */
  readonly url: string;
  /** Ends every connection and frees the port. May be called twice. */
  close(): Promise<void>;
}

/**
 * Serves a simulator over HTTP. It answers under the server's own address, path for path, whatever its `baseUrl` is.
 *
 * A network failure that a fault asks for resets the connection. An error inside the simulator does too, and is
 * reported as a warning of the process.
 *
 * @throws Node's own error where the port is taken (`EADDRINUSE`).
 *
 * @example
 * await using server = await serve(sim, { port: 4010 });
 * await fetch(`${server.url}/api/transactions`);
 */
export async function serve(service: Service, options: ServeOptions = {}): Promise<SimulatorServer> {
  const { port = 0, hostname = "127.0.0.1" } = options;
  let url = "";
  // No idle timeout: a connection that the server drops just as the client writes to it is a failure nobody asked for.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void answer(service, url, incoming, outgoing);
  });
  server.on("clientError", (error, socket) => refuseUnreadable(service, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const address = server.address();
  url = `http://${nameInUrl(hostname)}:${typeof address === "object" ? address?.port : port}`;

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close, [Symbol.asyncDispose]: close };
}

async function answer(
  service: Service,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const abort = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) abort.abort();
  });
  const request = requestOf(incoming, origin, abort.signal);
  if (request === undefined) {
    const problem = incoming.method === "TRACE" ? noTrace : unreadable();
    const { status, headers, body } = refusal(service, problem);
    outgoing.writeHead(status, headers).end(body);
    return;
  }
  try {
    const response = await readyForWire(await service.fetch(request), request.method);
    const headers = [...response.headers].flat();
    outgoing.writeHead(response.status, response.statusText, headers);
    if (response.body === null) outgoing.end();
    else await pipeline(response.body, outgoing);
    // What the service left unread would stand in the way of the connection's next request.
    incoming.removeAllListeners("data").resume();
  } catch (error) {
    if (!abort.signal.aborted && !isNetworkError(asError(error))) process.emitWarning(asError(error));
    outgoing.socket?.resetAndDestroy();
  }
}

const noTrace = new Problem("method-not-allowed", { detail: "The service does not take TRACE" });

function unreadable(status = 400): Problem {
  return new Problem("unreadable", { status, detail: "The request is not HTTP that the service can read" });
}

/** Answers what Node's parser gives up on, which no request ever comes of, in the service's own words. */
function refuseUnreadable(service: Service, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusal(service, unreadable(UNREADABLE_STATUS[error.code ?? ""]));
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}

/** The service's own answer to a problem; a bare status when the service has none. */
function refusal(service: Service, problem: Problem): RawAnswer {
  const { status = 405, detail = "" } = problem.details;
  const plain = { status, headers: { "content-type": "text/plain" }, body: detail };
  const { status: answered, headers, body } = service.refuse?.(problem) ?? plain;
  return { status: answered, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body };
}

/** The request as the Fetch standard has it; undefined where that cannot express it. */
function requestOf(incoming: IncomingMessage, origin: string, signal: AbortSignal): Request | undefined {
  const { method = "GET", url: target = "/" } = incoming;
  const headers = new Headers();
  try {
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index] ?? "", incoming.rawHeaders[index + 1] ?? "");
    }
    const init: RequestInit & { duplex: "half" } = { method, headers, signal, duplex: "half" };
    if (method !== "GET" && method !== "HEAD") init.body = bodyOf(incoming);
    return new Request(origin + pathOf(target), init);
  } catch {
    return undefined;
  }
}

/** The path and query of a request's target, which to a proxy is a whole URL and for `OPTIONS *` no path at all. */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const absolute = URL.parse(target);
  return absolute === null ? "/" : absolute.pathname + absolute.search;
}

function nameInUrl(hostname: string): string {
  if (hostname === "0.0.0.0" || hostname === "::") return "localhost";
  return isIPv6(hostname) ? `[${hostname}]` : hostname;
}
