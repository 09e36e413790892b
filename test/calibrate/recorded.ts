import { createSimulator } from "centavo";
import type { AssumptionOverrides, Simulator } from "centavo";
import type { Exchange, Header } from "../../src/traffic/exchange.ts";

const SHOP = "https://shop.example";
export const RECEIVER = `${SHOP}/hooks`;

/** What a story gets: a world that is recorded while it runs. */
export interface Recorded {
  readonly sim: Simulator;
  readonly fetch: Simulator["fetch"];
  /** Calls the API with a token, and returns the parsed answer. */
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Called>;
}

export interface Called {
  readonly status: number;
  readonly body: unknown;
}

/** Records what passes between a merchant and a service under these assumptions while a story runs. */
export async function recorded(
  assumptions: AssumptionOverrides,
  story: (recorded: Recorded) => Promise<void>,
  { seed = 77, now = "2026-03-04T05:06:07Z", answer = () => 200, name = "recorded.har" }: RecordedOptions = {},
): Promise<Exchange[]> {
  const sim = createSimulator({ assumptions, webhookUrl: RECEIVER, seed, now });
  const exchanges: Exchange[] = [];
  const add = (
    kind: Exchange["kind"],
    startedAt: string,
    request: Exchange["request"],
    answered: Exchange["answer"],
  ): void => {
    exchanges.push({
      source: `${name}, entry ${exchanges.length + 1}`,
      kind,
      startedAt,
      request,
      ...(answered === undefined ? {} : { answer: answered }),
    });
  };
  sim.connect(SHOP, async (request) => {
    const status = answer(exchanges.filter(({ kind }) => kind === "delivery").length + 1);
    if (request.method !== "POST") return new Response();
    const body = await request.text();
    add(
      "delivery",
      sim.clock.now(),
      { method: "POST", url: request.url, headers: headersOf(request), body },
      { status, headers: [] },
    );
    return new Response(null, { status });
  });
  const fetch: Simulator["fetch"] = async (input, init) => {
    const request = new Request(typeof input === "string" && input.startsWith("/") ? sim.baseUrl + input : input, init);
    const body = await request.clone().text();
    const startedAt = sim.clock.now();
    const response = await sim.fetch(request);
    const text = await response.clone().text();
    add(
      "call",
      startedAt,
      { method: request.method, url: request.url, headers: headersOf(request), ...(body === "" ? {} : { body }) },
      { status: response.status, headers: headersOf(response), ...(text === "" ? {} : { body: text }) },
    );
    return response;
  };
  let token: string | undefined;
  const call: Recorded["call"] = async (method, path, body, headers = {}) => {
    token ??= await tokenOf(sim, fetch);
    const response = await fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
  };
  await story({ sim, fetch, call });
  await sim.close();
  return exchanges;
}

/** Writes exchanges as a plain list, which a file may hold. */
export function plainList(exchanges: readonly Exchange[]): string {
  const plain = exchanges.map(({ kind, startedAt, request, answer }) =>
    Object.assign(
      { kind, startedAt },
      {
        request: { ...request, headers: Object.fromEntries(request.headers) },
        ...(answer === undefined ? {} : { answer: { ...answer, headers: Object.fromEntries(answer.headers) } }),
      },
    ),
  );
  return JSON.stringify(plain);
}

/** Returns the text at a path in a body, such as an id. */
export function textAt(body: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (within, name) => (within as Readonly<Record<string, unknown>> | undefined)?.[name],
    body,
  );
  if (typeof found === "string") return found;
  throw new Error(`There is no text at ${path.join(".")} of ${JSON.stringify(body)}`);
}

export interface RecordedOptions {
  readonly seed?: number;
  readonly now?: string;
  /** Returns the status with which the merchant answers delivery n. */
  readonly answer?: (n: number) => number;
  readonly name?: string;
}

async function tokenOf(sim: Simulator, fetch: Simulator["fetch"]): Promise<string> {
  const { clientId, clientSecret } = sim.credentials;
  const response = await fetch("/oauth", {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
  });
  const text = await response.text();
  return /"access_token"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? "";
}

function headersOf({ headers }: { readonly headers: Headers }): Header[] {
  return [...headers].map(([header, value]): Header => [header, value]);
}
