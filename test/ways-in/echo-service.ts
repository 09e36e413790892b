import type { Service } from "../../src/kit/http/callable-service.ts";

/** What the service saw of one request. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly bytes: number;
}

export interface EchoService extends Service {
  /** Every request that reached the service, in order. */
  readonly seen: Seen[];
  /** Settles when the next request has reached the service. */
  arrival(): Promise<void>;
  /** Settles when the next client has given up before it was answered. */
  departure(): Promise<void>;
}

/** An error as a network makes it: clients and retry libraries look at both `code` and `errno`. */
function networkError(code: "ECONNRESET" | "ECONNREFUSED"): Error {
  const [errno, syscall] = code === "ECONNRESET" ? [-104, "read"] : [-111, "connect"];
  return Object.assign(new Error(`${syscall} ${code}`), { code, errno, syscall });
}

/**
 * A service that answers with what it was asked, as JSON. The last segment of the path asks for something special:
 * `/status/204`, `/cookies`, `/see-other`, `/hang`, `/reset`, `/refuse`, `/bug`, `/binary`, `/large`, `/compact`.
 */
export function echoService(baseUrl = "https://api.pay.example", authUrl = baseUrl): EchoService {
  const seen: Seen[] = [];
  let arrival = Promise.withResolvers<void>();
  let departure = Promise.withResolvers<void>();

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const entry: Seen = {
      method: request.method,
      url: request.url,
      path: url.pathname,
      query: url.search,
      headers: Object.fromEntries(request.headers),
      body: new TextDecoder().decode(bytes),
      bytes: bytes.byteLength,
    };
    seen.push(entry);
    arrival.resolve();
    arrival = Promise.withResolvers();
    const what = url.pathname.split("/").at(-1) ?? "";
    const status = /\/status\/(\d+)$/.exec(url.pathname)?.[1];
    if (status !== undefined)
      return new Response(Number(status) === 204 ? null : `status ${status}`, { status: Number(status) });
    if (what === "cookies") {
      const headers = new Headers({ "x-several": "one" });
      headers.append("x-several", "two");
      headers.append("set-cookie", "first=1; Path=/; HttpOnly");
      headers.append("set-cookie", "second=2");
      return new Response("cookies", { headers });
    }
    if (what === "see-other") return new Response(null, { status: 303, headers: { location: "landed?from=redirect" } });
    if (what === "moved") return new Response(null, { status: 307, headers: { location: "landed" } });
    if (what === "hang") {
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => {
          departure.resolve();
          departure = Promise.withResolvers();
          reject(request.signal.reason as Error);
        });
      });
    }
    if (what === "reset") throw networkError("ECONNRESET");
    if (what === "refuse") throw networkError("ECONNREFUSED");
    if (what === "bug") throw new Error("secret detail");
    if (what === "binary") return new Response(bytes, { headers: { "content-type": "application/octet-stream" } });
    if (what === "large") return new Response("x".repeat(3_000_000));
    return Response.json(entry, { headers: { "x-served-by": "echo" } });
  }

  return {
    baseUrl,
    authUrl,
    seen,
    arrival: () => arrival.promise,
    departure: () => departure.promise,
    fetch: (input, init) => answer(new Request(input, init)),
  };
}
