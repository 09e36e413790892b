import { createSimulator, type Simulator } from "centavo";
import { handlers } from "centavo/msw";
import { intercept } from "centavo/node";
import { setupServer } from "msw/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Merchant } from "../merchant.ts";
import { SHOP } from "../merchant/requests.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** The ways in at which several worlds can share an address. */
const ways: readonly (readonly [name: string, open: (sims: readonly Simulator[]) => void])[] = [
  ["intercept([a, b])", (sims) => void intercept(sims)],
  ["an intercept() each", (sims) => sims.forEach((sim) => intercept(sim))],
  [
    "handlers([a, b])",
    (sims) => {
      const server = setupServer(...handlers(sims));
      server.listen({ onUnhandledFrame: "error" });
      cleanups.push(() => server.close());
    },
  ],
];

const globalFetch: typeof fetch = (...input) => fetch(...input);

function simulator(seed: string, options: Parameters<typeof createSimulator>[0] = {}): Simulator {
  const sim = createSimulator({ seed, ...options });
  cleanups.push(() => sim.close());
  return sim;
}

function merchantOf(sim: Simulator): Promise<Merchant> {
  return Merchant.of(sim, { fetch: globalFetch });
}

function volatileOf(sim: Simulator, kind: "warning" | "refused"): string[] {
  return sim.journal.entries
    .filter((entry) => entry.kind === kind)
    .map(({ volatile }) => String(volatile?.["message"] ?? volatile?.["reason"]));
}

async function messageOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { cause = error } = error as Error;
  return (cause as Error).message;
}

describe.each(ways)("through %s", (way, open) => {
  test("each client's token request and calls reach its own world", async () => {
    const sims = [simulator("a"), simulator("b"), simulator("c")];
    open(sims);
    const merchants = await Promise.all(sims.map(merchantOf));
    await Promise.all(merchants.flatMap((merchant) => [merchant.createIntent(), merchant.createIntent()]));
    expect(sims.map((sim) => sim.intents.list().length)).toEqual([2, 2, 2]);
    expect(sims.flatMap((sim) => volatileOf(sim, "warning"))).toEqual([]);
  });

  test.each([
    [
      "HTTP Basic",
      ({ clientId, clientSecret }: Simulator["credentials"]): RequestInit => ({
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials" }),
      }),
    ],
    [
      "a form",
      ({ clientId, clientSecret }: Simulator["credentials"]): RequestInit => ({
        body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
      }),
    ],
    [
      "JSON",
      ({ clientId, clientSecret }: Simulator["credentials"]): RequestInit => ({
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ clientId, clientSecret }),
      }),
    ],
  ])("a token request names its world by %s", async (_kind, requestFor) => {
    const [first, second] = [
      simulator("a"),
      simulator("b", { credentials: { clientId: "my shop", clientSecret: "s" } }),
    ];
    open([first, second]);
    for (const sim of [second, first]) {
      const answer = await fetch(`${sim.authUrl}/oauth`, { method: "POST", ...requestFor(sim.credentials) });
      expect(answer.status).toBe(200);
      const { refresh_token: refresh } = (await answer.json()) as { readonly refresh_token: string };
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh });
      expect((await fetch(`${sim.authUrl}/oauth`, { method: "POST", body })).status).toBe(200);
    }
    expect([first, second].map((sim) => sim.journal.entries.filter(({ kind }) => kind === "token").length)).toEqual([
      2, 2,
    ]);
  });

  test("client keys, admin keys, hosted pages and session tokens name their world", async () => {
    const sims = [simulator("a"), simulator("b")];
    open(sims);
    const [, merchant] = (await Promise.all(sims.map(merchantOf))) as [Merchant, Merchant];
    const { sim } = merchant;
    const { id, clientKey } = await merchant.createIntent();
    const status = await fetch(`${sim.baseUrl}/api/payment-intent/${id}/status`, {
      headers: { authorization: `Bearer ${clientKey}` },
    });
    expect(status.status).toBe(200);
    const registered = await fetch(`${sim.authUrl}/merchants`, {
      method: "POST",
      headers: { "x-admin-key": sim.credentials.adminKey, "content-type": "application/json" },
      body: JSON.stringify({ name: "Another", email: "another@shop.example" }),
    });
    expect(registered.status).toBe(200);
    const { checkoutUrl } = await merchant.createCheckout();
    expect((await fetch(checkoutUrl)).status).toBe(200);
  });

  test("a request that carries nothing of any world is refused, and every world warns of it", async () => {
    const sims = [simulator("a"), simulator("b")];
    open(sims);
    const message = await messageOf(fetch(`${sims[0]?.baseUrl}/api/transactions`));
    expect(message).toContain("it carries nothing that tells for which world at https://api.pay.example it is: ");
    expect(message).toContain('the simulator with the seed "a" and the simulator with the seed "b"');
    expect(sims.map((sim) => volatileOf(sim, "warning"))).toEqual([[message], [message]]);
    expect(sims.flatMap((sim) => volatileOf(sim, "refused"))).toEqual([]);
  });

  test("the process warns once of calls without a world, and every world warns of each", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    cleanups.push(() => warned.mockRestore());
    // The process warns once for each origin, so no other test may have called this one.
    const baseUrl = `https://of-${way.replaceAll(/\W+/g, "-")}nobody.example`;
    const sims = [simulator("a", { baseUrl, authUrl: baseUrl }), simulator("b", { baseUrl, authUrl: baseUrl })];
    open(sims);
    const credentials = { grant_type: "client_credentials", client_id: "nobody", client_secret: "unknown" };
    const messages = [
      await messageOf(fetch(`${baseUrl}/api/transactions`)),
      await messageOf(fetch(`${baseUrl}/api/transactions`)),
      await messageOf(fetch(`${baseUrl}/api/payment-intent`, { method: "POST", body: "{}" })),
      await messageOf(fetch(`${baseUrl}/oauth`, { method: "POST", body: new URLSearchParams(credentials) })),
    ];
    expect(sims.map((sim) => volatileOf(sim, "warning"))).toEqual([messages, messages]);
    expect(warned.mock.calls.map(([text, kind]) => [text, kind])).toEqual([
      [expect.stringContaining(`Further requests to ${baseUrl} are not reported.`), "CentavoWarning"],
    ]);
  });

  test("the public keys of all worlds are answered, because their key ids tell them apart", async () => {
    const sims = [simulator("a"), simulator("b")];
    open(sims);
    const answer = await fetch(`${sims[0]?.baseUrl}/.well-known/jwks.json`);
    expect(((await answer.json()) as { readonly keys: readonly unknown[] }).keys).toHaveLength(2);
  });

  test("credentials that two worlds share are refused, with both worlds and the way out", async () => {
    const credentials = { clientId: "shop", clientSecret: "secret" };
    const sims = [simulator("a", { credentials }), simulator("b", { credentials })];
    open(sims);
    const request = { method: "POST", body: new URLSearchParams({ client_id: "shop", client_secret: "secret" }) };
    const message = await messageOf(fetch(`${sims[0]?.authUrl}/oauth`, request));
    expect(message).toContain("what it carries is known to more than one world");
    expect(message).toContain('the simulator with the seed "a" and the simulator with the seed "b"');
    expect(message).toContain("Give each a seed and credentials of its own, or give each a baseUrl of its own");
    expect(sims.map((sim) => sim.journal.entries.filter(({ kind }) => kind === "request").length)).toEqual([0, 0]);
  });

  test("a refresh token tells worlds with the same client apart", async () => {
    const credentials = { clientId: "shop", clientSecret: "secret" };
    const [first, second] = [simulator("a", { credentials }), simulator("b", { credentials })];
    const authorization = `Basic ${btoa("shop:secret")}`;
    const logIn = (send: typeof fetch, fields: Record<string, string>): Promise<Response> =>
      send(`${first.authUrl}/oauth`, { method: "POST", headers: { authorization }, body: new URLSearchParams(fields) });
    const { refresh_token: refresh } = (await (
      await logIn(second.fetch, { grant_type: "client_credentials" })
    ).json()) as { readonly refresh_token: string };
    open([first, second]);
    expect((await logIn(fetch, { grant_type: "refresh_token", refresh_token: refresh })).status).toBe(200);
  });

  test("unknown credentials are refused as the service does, by no world, and every open one warns of it", async () => {
    const sims = [simulator("a"), simulator("b")];
    open(sims);
    const answer = await fetch(`${sims[0]?.baseUrl}/api/transactions`, { headers: { authorization: "Bearer x" } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "UNAUTHORIZED" });
    for (const sim of sims) {
      expect(volatileOf(sim, "warning")).toEqual([
        'GET /api/transactions was refused. None of the worlds at https://api.pay.example knows its credentials: the simulator with the seed "a" and the simulator with the seed "b". Log in with those of the test\'s own simulator.',
      ]);
      const [warning, ...others] = sim.journal.entries;
      expect(warning?.volatile).toMatchObject({ turnedAway: { call: "GET /api/transactions" } });
      expect(others).toEqual([]);
    }
  });

  test.for([
    ["any", "any", "*"],
    ["none", "any", "*"],
    ["any", "none", "*"],
    ["none", "none", null],
  ] as const)(
    "what no world answers can be read by pages where http.cors is %s or %s",
    async ([one, other, allowed]) => {
      const sims = [
        simulator("a", { assumptions: { "http.cors": one } }),
        simulator("b", { assumptions: { "http.cors": other } }),
      ];
      const { baseUrl } = sims[0] as Simulator;
      const ended = simulator("ended", { assumptions: { "http.cors": allowed === null ? "none" : "any" } });
      const late = await Merchant.of(ended);
      open([...sims, ended]);
      await ended.close();
      const readable = async (method: string, path: string, authorization = ""): Promise<unknown> => {
        const headers = { origin: SHOP, "access-control-request-method": "POST", authorization };
        return (await fetch(baseUrl + path, { method, headers })).headers.get("access-control-allow-origin");
      };
      expect([
        await readable("OPTIONS", "/api/transactions"),
        await readable("GET", "/api/transactions", "Bearer unknown"),
        await readable("GET", "/api/transactions", late.authorization),
        await readable("GET", "/.well-known/jwks.json"),
      ]).toEqual([allowed, allowed, allowed, allowed]);
      expect([
        await readable("OPTIONS", "/oauth"),
        await readable("POST", "/oauth", "Bearer unknown"),
        await readable("POST", "/merchants", "Bearer unknown"),
        await readable("POST", "/merchants", late.authorization),
      ]).toEqual([null, null, null, null]);
    },
  );
});

describe("the origin at which two worlds have connected an app", () => {
  function connected(): [Simulator, Simulator] {
    const sims: [Simulator, Simulator] = [simulator("a"), simulator("b")];
    for (const sim of sims) sim.connect(SHOP, async (request) => new Response(`${sim.seed} ${await request.text()}`));
    intercept(sims);
    return sims;
  }

  test("leads to the app of the world whose id a request carries, in its path, query, headers or body", async () => {
    const [, second] = connected();
    const { id } = await (await Merchant.of(second)).createIntent();
    const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
      [`/orders/${id}`],
      [`/orders?payment=${id}`],
      ["/orders", { headers: { "x-payment": id } }],
      ["/hooks", { method: "POST", body: JSON.stringify({ data: { paymentId: id } }) }],
    ];
    for (const [path, init] of requests) expect(await (await fetch(SHOP + path, init)).text()).toMatch(/^b /);
    expect(await (await fetch(`${SHOP}/hooks`, requests[3]?.[1])).text()).toContain(id);
  });

  test("refuses a request that could be for either, and names both worlds and the way out", async () => {
    const sims = connected();
    const message = await messageOf(fetch(`${SHOP}/orders/1`));
    expect(message).toContain("more than one world has an app at https://shop.example");
    expect(message).toContain('the simulator with the seed "a" and the simulator with the seed "b"');
    expect(message).toContain("sim.visit()");
    expect(sims.map((sim) => volatileOf(sim, "warning"))).toEqual([[message], [message]]);
    expect(await (await sims[0].visit("/orders/1")).text()).toMatch(/^a /);
  });

  test("gets each world's webhooks in that world's app", async () => {
    const sims = [simulator("a"), simulator("b")];
    intercept(sims);
    const merchants = sims.map((sim) => new Merchant(sim, { fetch: globalFetch }));
    for (const merchant of merchants) merchant.connect();
    await Promise.all(merchants.map((merchant) => merchant.logIn().then(() => merchant.pay())));
    await Promise.all(sims.map((sim) => sim.clock.settle()));
    for (const [index, { arrivals }] of merchants.entries()) {
      expect(arrivals.length).toBeGreaterThan(0);
      const ids = sims[index]?.webhooks.events().map(({ id }) => id) ?? [];
      expect(arrivals.every(({ body }) => ids.some((id) => body.includes(id)))).toBe(true);
    }
  });
});

describe("the request whose body tells worlds apart", () => {
  test.each([
    ["a form", (id: string) => new URLSearchParams({ client_id: id, padding: "x".repeat(300_000) })],
    ["JSON", (id: string) => JSON.stringify({ client_id: id, padding: "x".repeat(300_000) })],
  ])("is read only at its head and reaches its world whole: %s", async (kind, bodyFor) => {
    const sims = [simulator("a"), simulator("b")] as const;
    intercept(sims);
    const [, { authUrl, credentials, journal }] = sims;
    const stream = new Blob([String(bodyFor(credentials.clientId))]).stream();
    const type = kind === "JSON" ? "application/json" : "application/x-www-form-urlencoded";
    const answer = await fetch(`${authUrl}/oauth`, {
      method: "POST",
      headers: { "content-type": type },
      body: stream,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("client_secret");
    expect(journal.entries.filter((entry) => entry.kind === "request")).toHaveLength(1);
  });

  test("is answered with 413 when it is too large, and its stream is given up", async () => {
    const sims = [simulator("a"), simulator("b")] as const;
    intercept(sims);
    let sent = 0;
    const head = new TextEncoder().encode(`client_id=${sims[1].credentials.clientId}&padding=`);
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(sent === 1 ? head : new Uint8Array(64 * 1024).fill(120));
      },
    });
    const answer = await fetch(`${sims[0].authUrl}/oauth`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: stream,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(100);
  });

  test("does not hold up a client that gives up while its body stalls", async () => {
    const sims = [simulator("a"), simulator("b")] as const;
    intercept(sims);
    const abort = new AbortController();
    const began = Promise.withResolvers<void>();
    const stream = new ReadableStream<Uint8Array>({ pull: () => began.resolve() });
    const call = fetch(`${sims[0].authUrl}/oauth`, {
      method: "POST",
      body: stream,
      duplex: "half",
      signal: abort.signal,
    } as RequestInit);
    await began.promise;
    abort.abort(new Error("the client left"));
    await expect(call).rejects.toThrow("the client left");
  });
});
