/** Real HTTP of the process. `fetch` is saved at import, before a test intercepts it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LookupFunction } from "node:net";
import { CentavoError } from "../errors/centavo-error.ts";

const fetchAtImport = globalThis.fetch;

/** `fetch` as it was when Centavo was imported. */
const realFetch: typeof globalThis.fetch = (input, init) => fetchAtImport(input, init);

/** A `(req, res)` function, as Node's http server calls it; it may be async. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** An HTTP server on a loopback port. */
export interface ListeningServer {
  /** Its address, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Closes every connection and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves a `(req, res)` listener on a free loopback port. Neither the server nor its connections keep the process alive.
 *
 * @throws {CentavoError} `INVALID_OPTION` when the process has no `node:http`
 */
export async function listen(listener: NodeListener): Promise<ListeningServer> {
  const http = builtin("node:http");
  if (http === undefined) {
    throw new CentavoError(
      "INVALID_OPTION",
      "a (req, res) listener needs Node's HTTP server, and this process has none. Connect a fetch handler instead.",
    );
  }
  // No idle timeout: closing an idle connection just as the client writes to it would be a failure that no fault injected.
  const server = http.createServer({ keepAliveTimeout: 0 }, listener);
  server.on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends requests to one http(s) server, and follows no redirect. */
export interface HttpClient {
  /**
   * Sends the request to the URL, with more headers. Rejects with Node's own error when the server is not there or hangs up.
   * @param bodyLimit how many bytes of the answer's body to read, at least
   */
  send(
    request: Request,
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
    bodyLimit: number,
  ): Promise<Response>;
  close(): void;
}

export interface HttpClientOptions {
  readonly keepAlive: boolean;
  /** Finds the address of a host name, to which the socket then connects; Node's own by default. */
  readonly lookup?: LookupFunction | undefined;
}

const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Opens an HTTP client that no interceptor in the process sees. It uses `node:http`, because `fetch` cannot set `Host`, takes twice as
 * long, and would go to the test's own mocks. Without `node:http` it falls back to `realFetch`.
 */
export function openHttpClient(protocol: string, { keepAlive, lookup }: HttpClientOptions): HttpClient {
  const http = builtin(protocol === "https:" ? "node:https" : "node:http");
  if (http === undefined) {
    return {
      send: async (request, url, headers, signal) =>
        realFetch(url, {
          method: request.method,
          headers: { ...Object.fromEntries(request.headers), ...headers },
          body: request.body === null ? null : await request.arrayBuffer(),
          redirect: "manual",
          signal,
        }),
      close: () => undefined,
    };
  }
  const agent = new http.Agent({ keepAlive });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...connection) => unintercepted(() => connect(...connection));

  const send: HttpClient["send"] = async (request, url, moreHeaders, signal, bodyLimit) => {
    const headers: Record<string, string | number> = { ...Object.fromEntries(request.headers), ...moreHeaders };
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    if (body !== undefined) headers["content-length"] = body.byteLength;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    http
      .request(url, { agent, method: request.method, headers, signal, lookup }, resolve)
      .on("error", reject)
      .end(body);
    const incoming = await promise;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length > bodyLimit) break;
    }
    const status = incoming.statusCode ?? 0;
    const headerPairs = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(STATUSES_WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), {
      status,
      headers: headerPairs,
    });
  };
  return { send, close: () => agent.destroy() };
}

/** Loads a Node module; `undefined` outside Node. There is no import, because a bundler for browsers would follow it. */
function builtin<Name extends "node:http" | "node:https">(name: Name) {
  return globalThis.process?.getBuiltinModule?.(name);
}

/** The mark that `@mswjs/interceptors` puts on its own connections, kept on the global object. */
interface InternalConnections {
  run<Connection>(connect: () => Connection): Connection;
  consume(): boolean;
}

/** Opens a connection that `@mswjs/interceptors` ignores, as if it were one of its own. */
export function unintercepted<Connection>(connect: () => Connection): Connection {
  const context = Reflect.get(globalThis, "__MSW_INTERNAL_CONNECTION_CONTEXT") as InternalConnections | undefined;
  if (context === undefined) return connect();
  return context.run(() => {
    try {
      return connect();
    } finally {
      // If the mark is still set, connections that the socket's listeners open would escape interception too.
      context.consume();
    }
  });
}
