import { Buffer } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { NodeListener } from "./http.ts";

const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * Returns how to call a `(req, res)` listener in the process, without a socket: a socket's packets come in an order that no seed decides. It
 * gets Node's own objects, and no class of a framework is changed, as `light-my-request` changes Express's. An answer is undefined if the
 * listener closes the connection before it has answered.
 */
export function inProcess(listener: NodeListener): (request: Request) => Promise<Response | undefined> {
  return (request) => callListener(listener, request);
}

async function callListener(listener: NodeListener, request: Request): Promise<Response | undefined> {
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const connection = new Connection();
  const incoming = incomingOf(request, body, new IncomingMessage(connection.asSocket));
  const response = new ServerResponse(incoming);
  // Otherwise Node does not keep the headers that are given to `writeHead`.
  response.setHeader("x-any", "");
  response.removeHeader("x-any");
  response.assignSocket(connection.asSocket);
  const chunks = chunksOf(response);
  const ended = Promise.withResolvers<"answered" | "closed">();
  response.once("finish", () => ended.resolve("answered"));
  response.once("close", () => ended.resolve("closed"));
  listener(incoming, response);
  if ((await ended.promise) === "closed") return undefined;
  connection.destroy();
  incoming.resume();
  const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const { statusCode: status } = response;
  const isWithoutBody = request.method === "HEAD" || WITHOUT_BODY.has(status);
  return new Response(isWithoutBody ? null : Buffer.concat(chunks), { status, headers });
}

/** Both ends of a connection that leads nowhere: what an answer writes is taken from the answer itself. */
class Connection extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  readonly encrypted = true;

  override _read(): void {}

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }

  get asSocket(): Socket {
    return this as unknown as Socket;
  }

  setTimeout(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }
}

function incomingOf(request: Request, body: Buffer | undefined, incoming: IncomingMessage): IncomingMessage {
  const { origin, host } = new URL(request.url);
  const headers: Record<string, string> = { host, ...Object.fromEntries(request.headers) };
  if (body !== undefined) headers["content-length"] ??= String(body.length);
  Object.assign(incoming, {
    method: request.method,
    url: request.url.slice(origin.length),
    httpVersion: "1.1",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    complete: true,
  });
  if (body !== undefined) incoming.push(body);
  incoming.push(null);
  return incoming;
}

/** Returns what an answer is given to write. The functions are its own, because frameworks replace its class. */
function chunksOf(response: ServerResponse): readonly Buffer[] {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, isEncoding(encoding) ? encoding : "utf8"));
  };
  for (const name of ["write", "end"] as const) {
    const original = response[name].bind(response) as (...given: unknown[]) => unknown;
    const kept = (...given: unknown[]): unknown => {
      keep(given[0], given[1]);
      return original(...given);
    };
    Object.assign(response, { [name]: kept });
  }
  return chunks;
}

function isEncoding(given: unknown): given is BufferEncoding {
  return typeof given === "string";
}
