import { createServer, request as plainRequest } from "node:http";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import { isIPv6 } from "node:net";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { endsWithin } from "../kit/base/runtime/real-time.ts";
import { inPairs } from "./exchange.ts";
import type { Exchange, Header } from "./exchange.ts";
import type { ExchangeInProgress, Recorder } from "./recorder.ts";

/** What a forwarding server does. */
export interface ForwardOptions {
  /** Where every request goes on to. Its path comes before that of the request. */
  readonly to: URL;
  readonly kind: Exchange["kind"];
  readonly port: number;
  readonly hostname: string;
  /** Is told of each exchange that is over. @param outcome its status, or why there is none */
  readonly onExchange?: ((method: string, url: string, outcome: string) => void) | undefined;
}

/** A server that forwards. */
export interface ForwardingServer {
  /** The origin under which this machine reaches it. */
  readonly url: string;
  /**
   * Takes no more requests, and waits for the answers to those before.
   * @returns whether all were answered within this time
   */
  close(milliseconds: number): Promise<boolean>;
}

/** They belong to one connection (RFC 9110 §7.6.1), and `Host` names the server that is asked. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;

/**
 * Forwards requests to another server, and records them. Bytes go on as they come, in both directions; of the headers, only those of the
 * connection itself are written anew.
 * @throws Node's error when nothing can listen there, such as `EADDRINUSE`
 */
export async function forward(options: ForwardOptions, recorder: Pick<Recorder, "begin">): Promise<ForwardingServer> {
  const { port, hostname } = options;
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    outgoing.sendDate = false;
    // A connection that was kept may carry another request meanwhile.
    if (isClosing) {
      incoming.resume();
      refuse(outgoing, UNAVAILABLE, "centavo record: it stops, and takes no more calls.\n");
      return;
    }
    const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
    underWay.add(closed);
    void closed.then(() => underWay.delete(closed));
    pass(incoming, outgoing, options, recorder);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const address = server.address();
  const listensAt = typeof address === "object" && address !== null ? address.port : port;
  const host =
    hostname === "0.0.0.0" || hostname === "::" ? "localhost" : isIPv6(hostname) ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${listensAt}`,
    async close(milliseconds) {
      isClosing = true;
      const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const isAnswered = await endsWithin(Promise.all(underWay), milliseconds);
      server.closeAllConnections();
      await isClosed;
      return isAnswered;
    },
  };
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ForwardOptions,
  recorder: Pick<Recorder, "begin">,
): void {
  const { to, kind, onExchange } = options;
  const { method = "GET", rawHeaders } = incoming;
  const path = to.pathname.replace(/\/$/, "") + pathOf(incoming.url ?? "/");
  const headers: readonly Header[] = [
    ["Host", to.host],
    ...forwardable(inPairs(rawHeaders)),
    ...codingOf(incoming.headers["transfer-encoding"]),
  ];
  const url = to.origin + path;
  const exchange = recorder.begin({ kind, method, url, headers });
  const ended = (outcome: string, failure?: string): void => {
    exchange.end(failure);
    onExchange?.(method, url, outcome);
  };
  const send = to.protocol === "https:" ? secureRequest : plainRequest;
  // A connection that is kept might end just as the next request is written to it, which would be a failure of ours.
  const asked = send(to, { method, path, headers: headers.flat(), agent: false, setHost: false });
  let isOver = false;
  const over = (outcome: string, failure?: string): void => {
    if (isOver) return;
    isOver = true;
    ended(outcome, failure);
  };
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) over("no answer", "The client ended the connection before the answer was whole.");
    asked.destroy();
  });
  asked.once("error", (error) => {
    const why = `${to.origin} cannot be reached: ${messageOf(error).replace(/\.$/, "") || "it ended the connection"}.`;
    over("no answer", `${why.charAt(0).toUpperCase()}${why.slice(1)}`);
    refuse(outgoing, BAD_GATEWAY, `centavo record: ${why}\n`);
  });
  asked.once("response", (answer) => passBack(answer, outgoing, exchange, over));
  sendBody(incoming, asked, exchange);
}

/** Node sends a body in chunks without being asked only for some methods, such as POST. */
function codingOf(coding: string | undefined): readonly Header[] {
  return coding === undefined ? [] : [["Transfer-Encoding", coding]];
}

/** A request without a body must not announce one. */
function sendBody(incoming: IncomingMessage, asked: ClientRequest, exchange: ExchangeInProgress): void {
  const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
  if (coding === undefined && (length === undefined || length === "0")) {
    incoming.resume();
    asked.end();
    return;
  }
  incoming.on("data", (chunk: Uint8Array) => exchange.requestBody.add(chunk));
  incoming.pipe(asked);
}

function passBack(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  exchange: ExchangeInProgress,
  over: (outcome: string, failure?: string) => void,
): void {
  const { statusCode = BAD_GATEWAY, statusMessage = "" } = answer;
  const headers = forwardable(inPairs(answer.rawHeaders));
  exchange.answer(statusCode, statusMessage, headers);
  answer.on("data", (chunk: Uint8Array) => exchange.answerBody.add(chunk));
  answer.once("error", () => {
    over("no whole answer", "The service ended the connection before the answer was whole.");
    outgoing.destroy();
  });
  answer.once("end", () => over(String(statusCode)));
  outgoing.writeHead(statusCode, statusMessage, headers.flat());
  // A client may wait for the head of an answer whose body comes later.
  outgoing.flushHeaders();
  answer.pipe(outgoing);
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(text);
}

/** Returns the headers that a server passes on. `Connection` may name further ones that it must not. */
function forwardable(headers: readonly Header[]): readonly Header[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.split(",").map((name) => name.trim().toLowerCase())),
  );
  return headers.filter(([name]) => !OF_ONE_CONNECTION.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
}

/** The target is a whole URL when the client takes this server for a proxy. */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url === null ? "/" : url.pathname + url.search;
}
