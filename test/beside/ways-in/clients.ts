import http, { type IncomingMessage, request as namedHttpRequest, type RequestOptions } from "node:http";
import * as everythingOfHttp from "node:http";
import https, { request as namedHttpsRequest } from "node:https";
import * as everythingOfHttps from "node:https";
import { pipeline, Readable } from "node:stream";
import { ReadableStream as FromStreams } from "node:stream/web";
import { setImmediate as nextTurn } from "node:timers/promises";
import axios from "axios";
import got from "got";
import ky from "ky";
import superagent from "superagent";
import * as undici from "undici";
import type { Call } from "../../ways-in/call.ts";

/** A call whose body is sent while it is made. */
export interface Upload extends Omit<Call, "body"> {
  readonly body: Readable;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string | undefined;
  readonly cookies: readonly string[];
}

/** One HTTP client as merchants use it, with its own retries switched off so that calls can be counted. */
export interface Client {
  readonly name: string;
  readonly call: (url: string, call?: Call | Upload) => Promise<Answer>;
  /** The code of the network error inside this client's rejection. */
  readonly codeOf: (error: unknown) => unknown;
}

const ownCode = (error: unknown) => (error as { code?: unknown }).code;
const causeCode = (error: unknown) => ownCode((error as { cause?: unknown }).cause);

export function fromWeb(send: (url: string, init: RequestInit) => Promise<Response>): Client["call"] {
  return async (url, { signal, body, ...call } = {}) => {
    const response = await send(url, { ...call, ...ofWeb(body), ...(signal !== undefined && { signal }) });
    return {
      status: response.status,
      body: await response.text(),
      contentType: response.headers.get("content-type") ?? undefined,
      cookies: response.headers.getSetCookie(),
    };
  };
}

/** Returns the options of `fetch` for a body. */
function ofWeb(body: string | Readable | undefined): RequestInit & { duplex?: "half" } {
  if (!(body instanceof Readable)) return body === undefined ? {} : { body };
  // `Readable.toWeb` of Node throws outside of any promise when a client leaves at a bad moment.
  return { body: FromStreams.from(body) as ReadableStream<Uint8Array<ArrayBuffer>>, duplex: "half" };
}

/** What requests are sent by; `request` is looked up for each. */
interface NodeModule {
  readonly request: typeof http.request;
}

function fromNode(overHttp: NodeModule, overHttps: NodeModule, agents: RequestOptions["agent"][] = []): Client["call"] {
  return (url, { body, ...options } = {}) =>
    new Promise((resolve, reject) => {
      const secure = url.startsWith("https:");
      const agent = agents[secure ? 1 : 0];
      const module = secure ? overHttps : overHttp;
      const given = agent === undefined ? options : { ...options, agent };
      const request = module.request(url, given, (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            contentType: response.headers["content-type"],
            cookies: response.headers["set-cookie"] ?? [],
          }),
        );
      });
      request.on("error", reject);
      if (body instanceof Readable) pipeline(body, request, () => undefined);
      else request.end(body);
    });
}

function fromAxios(adapter: "http" | "fetch"): Client["call"] {
  return async (url, { body, method = "GET", ...call } = {}) => {
    const response = await axios.request<string>({
      url,
      method,
      adapter,
      data: adapter === "fetch" ? ofWeb(body).body : body,
      responseType: "text",
      transformResponse: (text: string) => text,
      validateStatus: () => true,
      ...call,
    });
    const cookies = response.headers["set-cookie"] as string[] | string | undefined;
    return {
      status: response.status,
      body: response.data,
      contentType: String(response.headers["content-type"]),
      cookies: [cookies ?? []].flat(),
    };
  };
}

/** Sends a stream with superagent, which tells of `drain` only once, of an answer when the stream has ended, and of an abort by an event. */
function piped(body: Readable, request: superagent.SuperAgentRequest): Promise<superagent.Response> {
  return new Promise((resolve, reject) => {
    request.on("abort", () => reject(new Error("aborted")));
    body.on("data", (chunk: Buffer) => (request as unknown as NodeJS.WritableStream).write(chunk));
    body.on("end", () =>
      request.end((error: unknown, response) => (error === null ? resolve(response) : reject(error))),
    );
  });
}

const keepAlive = { keepAlive: true };

/** A stream of one piece, which comes some turns of the event loop after the connection. */
export function late(piece: string): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    yield Buffer.from(piece);
  }
  return Readable.from(pieces(), { objectMode: false });
}

export const clients: readonly Client[] = [
  { name: "global fetch", call: fromWeb((url, init) => fetch(url, init)), codeOf: causeCode },
  {
    name: "global fetch with a Request",
    call: fromWeb((url, init) => fetch(new Request(url, init))),
    codeOf: causeCode,
  },
  {
    name: "undici.fetch",
    call: fromWeb((url, init) => undici.fetch(url, init as undici.RequestInit) as unknown as Promise<Response>),
    codeOf: causeCode,
  },
  {
    name: "undici.request",
    call: async (url, { method = "GET", ...call } = {}) => {
      const response = await undici.request(url, { method, ...call });
      return {
        status: response.statusCode,
        body: await response.body.text(),
        contentType: response.headers["content-type"]?.toString(),
        cookies: [response.headers["set-cookie"] ?? []].flat(),
      };
    },
    codeOf: ownCode,
  },
  { name: "axios over http", call: fromAxios("http"), codeOf: ownCode },
  {
    name: "axios over fetch",
    call: fromAxios("fetch"),
    codeOf: (error) => causeCode(error) ?? causeCode((error as Error).cause),
  },
  {
    name: "got",
    call: async (url, { method = "GET", ...call } = {}) => {
      const response = await got(url, {
        method: method as "GET",
        retry: { limit: 0 },
        throwHttpErrors: false,
        allowGetBody: true,
        followRedirect: true,
        ...call,
      });
      return {
        status: response.statusCode,
        body: response.body,
        contentType: response.headers["content-type"],
        cookies: response.headers["set-cookie"] ?? [],
      };
    },
    codeOf: ownCode,
  },
  {
    name: "ky",
    call: fromWeb((url, init) => ky(url, { ...init, retry: 0, throwHttpErrors: false })),
    codeOf: (error) => causeCode(error) ?? causeCode((error as Error).cause),
  },
  {
    name: "superagent",
    call: async (url, { method = "GET", headers = {}, body, signal } = {}) => {
      signal?.throwIfAborted();
      const request = superagent(method, url)
        .set(headers)
        .ok(() => true)
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          (response as unknown as IncomingMessage).on("data", (chunk: Buffer) => chunks.push(chunk));
          (response as unknown as IncomingMessage).on("end", () => done(null, Buffer.concat(chunks).toString()));
        });
      signal?.addEventListener("abort", () => {
        request.abort();
      });
      const response = await (body instanceof Readable ? piped(body, request) : request.send(body));
      return {
        status: response.status,
        body: typeof response.body === "string" ? response.body : "",
        contentType: response.headers["content-type"],
        cookies: (response.headers["set-cookie"] as string[] | undefined) ?? [],
      };
    },
    codeOf: ownCode,
  },
  { name: "node:http and node:https", call: fromNode(http, https), codeOf: ownCode },
  {
    name: "node:https imported by name",
    call: fromNode({ request: namedHttpRequest }, { request: namedHttpsRequest }),
    codeOf: ownCode,
  },
  { name: "node:https imported with everything", call: fromNode(everythingOfHttp, everythingOfHttps), codeOf: ownCode },
  {
    name: "node:https with a keep-alive agent",
    call: fromNode(http, https, [new http.Agent(keepAlive), new https.Agent(keepAlive)]),
    codeOf: ownCode,
  },
  { name: "node:https without an agent", call: fromNode(http, https, [false, false]), codeOf: ownCode },
];

/** The `undici` package, and named and star imports of `node:https` that were made before `setupServer`, are out of MSW's reach. */
export const clientsThatMswHears = clients.filter(
  ({ name }) => !name.startsWith("undici") && !name.startsWith("node:https imported"),
);

/** The clients whose requests each way in takes, by its name. Memory is reached by `fetch` of the service alone. */
export const clientsThrough: Readonly<Record<string, readonly Client[]>> = {
  interception: clients,
  "MSW handlers": clientsThatMswHears,
  "a socket": clients,
};
