import { request as requestHttps } from "node:https";
import { setImmediate as nextTurn } from "node:timers/promises";
import axios from "axios";
import { fetch as fetchOfUndici } from "undici";
import { expect, test } from "vitest";
import { exam } from "centavo/exam";
import type { Opening } from "centavo/exam";
import { openSmallShop } from "../small-shop.ts";
import type { Mistake, Orders } from "../small-shop.ts";
import { collectGarbage } from "../../collect-garbage.ts";
import { byNight, isNight } from "../../by-night.ts";

type Fetch = typeof globalThis.fetch;

const byAxios: Fetch = async (input, init) => {
  const { status, data } = await axios.request<string>({
    url: (input as string | URL).toString(),
    method: init?.method ?? "GET",
    headers: Object.fromEntries(new Headers(init?.headers)),
    data: init?.body instanceof URLSearchParams ? init.body.toString() : init?.body,
    responseType: "text",
    transformResponse: (text: unknown) => text,
    validateStatus: () => true,
    timeout: 60_000,
    ...(init?.body instanceof URLSearchParams && {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
  });
  return new Response(data, { status });
};

const byHttps: Fetch = (input, init) =>
  new Promise((resolve, reject) => {
    const body = init?.body === undefined || init.body === null ? "" : String(init.body as string | URLSearchParams);
    const headers = new Headers(init?.headers);
    if (init?.body instanceof URLSearchParams) headers.set("content-type", "application/x-www-form-urlencoded");
    if (body !== "") headers.set("content-length", String(Buffer.byteLength(body)));
    const request = requestHttps(
      (input as string | URL).toString(),
      { method: init?.method ?? "GET", headers: Object.fromEntries(headers) },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece: string) => (text += piece));
        answer.on("end", () => resolve(new Response(text, { status: answer.statusCode ?? 500 })));
        answer.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });

const clients: Readonly<Record<string, Fetch>> = {
  "the global fetch": (input, init) => globalThis.fetch(input, init),
  undici: fetchOfUndici as unknown as Fetch,
  axios: byAxios,
  "node:https": byHttps,
};

/** These shops have no timeouts, so their calls depend on nothing but the client. */
const never = () => new AbortController().signal;

const examine = (client: Fetch, { mistake, stories = 20 }: { mistake?: Mistake; stories?: number } = {}) =>
  exam<Orders>({
    intercept: true,
    open: (opening) => openSmallShop({ ...opening, fetch: client, timeout: never }, mistake),
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    budget: { stories, failures: 1 },
  });

// Axios stands on node:https, and undici has a test of its own below.
test.for(["the global fetch", "node:https", ...byNight(["axios", "undici"])])(
  "passes an honest shop that calls with %s, and tells the same again",
  async (name) => {
    const client = clients[name] as Fetch;
    const first = await examine(client);
    expect(first.failures, String(first)).toEqual([]);
    expect(Object.keys(first.coverage.troubles)).toContain("call payment-intent.create");
    const again = await examine(client);
    expect(again.digest).toBe(first.digest);
  },
);

test.for(["the global fetch", "axios"])("finds the mistake of a shop that calls with %s", async (name) => {
  const { failures } = await examine(clients[name] as Fetch, { mistake: "no idempotency keys", stories: 250 });
  expect(failures.map(({ law }) => law)).toContain("charged-once");
});

test("tells the same again of a shop that calls with undici, in which calls hang and connections break", async () => {
  const client = clients["undici"] as Fetch;
  const stories = isNight ? 80 : 50;
  const [first, again] = [await examine(client, { stories }), await examine(client, { stories })];
  expect(first.failures, String(first)).toEqual([]);
  expect(again.digest).toBe(first.digest);
});

/** Plays one story of a merchant that does this whenever it is asked anything. */
const playOnce = (act: (opening: Opening) => Promise<void>) =>
  exam({
    open: (opening) => async () => {
      await act(opening);
      return new Response();
    },
    acts: { order: ({ visit }) => visit("POST", "/orders") },
    books: () => ({ orders: [] }),
    budget: { stories: 1 },
  });

test("refuses to send a request twice, even at once, in the words of fetch", async () => {
  const ends: string[] = [];
  await playOnce(async ({ fetch, sim }) => {
    const request = new Request(`${sim.baseUrl}/api/payment-intent`, { method: "POST", body: "{}" });
    const calls = await Promise.allSettled([fetch(request), fetch(request)]);
    ends.push(...calls.map((call) => (call.status === "fulfilled" ? "answered" : String(call.reason))));
  });
  const refusal = "TypeError: Cannot construct a Request with a Request object that has already been used.";
  expect(ends.slice(0, 2)).toEqual(["answered", refusal]);
});

test("sends a request as it was when it was sent, whatever the merchant then writes into its headers", async () => {
  const answers: number[] = [];
  await playOnce(async ({ fetch, sim }) => {
    const { clientId, clientSecret } = sim.credentials;
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId });
    const credentials = btoa(`${clientId}:${clientSecret}`);
    const login = async (authorization: string, later: string): Promise<number> => {
      const request = new Request(`${sim.authUrl}/oauth`, { method: "POST", headers: { authorization }, body });
      const call = fetch(request);
      request.headers.set("authorization", later);
      return (await call).status;
    };
    answers.push(
      await login(`Basic ${credentials}`, "Basic wrong"),
      await login("Basic wrong", `Basic ${credentials}`),
    );
  });
  expect(answers.slice(0, 2)).toEqual([200, 401]);
});

test("ends a call that hangs when its client gives up, even after garbage was collected", async () => {
  const ends: string[] = [];
  await playOnce(async ({ fetch, sim }) => {
    sim.faults.add({ kind: "request.hang", route: "oauth.token", times: 1 });
    const client = new AbortController();
    const call = fetch(`${sim.authUrl}/oauth`, { method: "POST", body: "{}", signal: client.signal });
    await nextTurn();
    collectGarbage();
    client.abort();
    ends.push(
      await call.then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      ),
    );
  });
  expect(ends[0]).toBe("AbortError: This operation was aborted");
});
