import { createSimulator } from "centavo";
import type { FetchApp } from "centavo";
import { createClient } from "centavo/client";
import express from "express";
import { describe, expect, test } from "vitest";

const shop = "https://shop.example";

/** Handlers that their platform calls with a `Request` and more. */
const takeRequests: Readonly<Record<string, (...given: never[]) => unknown>> = {
  "a Worker": async (request: Request, _env: unknown, _context: unknown) => new Response(await request.text()),
  "a Worker that reads its bindings": (_request: Request, env: { readonly keys: Map<string, string> }) =>
    new Response(env.keys.get("a")),
  "an action of Remix": async (request: Request, _context: unknown) => Response.json(await request.json()),
  "a route handler of Next": (request: Request, _context: unknown) => new Response(request.headers.get("accept")),
  "a handler of Deno": (request: Request, _info: unknown) => new Response(new URL(request.url).pathname),
};

describe("a function of two or more parameters that takes a Request", () => {
  test.for(Object.keys(takeRequests))("is refused, and the message shows { fetch }: %s", async (name) => {
    await using sim = createSimulator();
    sim.connect(shop, takeRequests[name] as FetchApp);
    await expect(sim.visit("POST", "/orders", {})).rejects.toMatchObject({
      code: "VISIT_FAILED",
      message: expect.stringMatching(
        /threw on POST https:\/\/shop\.example\/orders: TypeError: .*\. If it takes a Request, connect \{ fetch: \(request\) => handler\(request, …\) \}; .* because it has \d parameters\./,
      ) as string,
    });
  });

  test("is refused for a webhook, too", async () => {
    await using sim = createSimulator({ webhookUrl: `${shop}/hooks` });
    sim.connect(shop, takeRequests["a Worker"] as FetchApp);
    await pay(sim);
    await expect(sim.clock.settle({ strict: true })).rejects.toThrow(
      "connect { fetch: (request) => handler(request, …)",
    );
  });

  test("works as { fetch }", async () => {
    await using sim = createSimulator();
    const worker = takeRequests["a Worker that reads its bindings"] as (...given: unknown[]) => Response;
    const env = { keys: new Map([["a", "the value"]]) };
    sim.connect(shop, { fetch: (request) => worker(request, env, {}) });
    expect(await (await sim.visit("/")).text()).toBe("the value");
  });
});

describe("an object whose fetch takes more than a Request", () => {
  interface Env {
    readonly keys: Map<string, string>;
  }
  const worker = {
    fetch: (_request: Request, env: Env, context: { waitUntil(work: Promise<void>): void }) => {
      context.waitUntil(Promise.resolve());
      return new Response(env.keys.get("a"));
    },
  };

  test("is refused, and the message shows what hands over the others", async () => {
    await using sim = createSimulator();
    sim.connect(shop, worker as unknown as FetchApp);
    await expect(sim.visit("/")).rejects.toThrow(
      /reading .waitUntil.\)\. Its fetch has 3 parameters, .* Connect \{ fetch: \(request\) => worker\.fetch\(request, env, ctx\) \}/,
    );
  });

  test("works as the message shows it", async () => {
    await using sim = createSimulator();
    const env = { keys: new Map([["a", "the value"]]) };
    const handedOver: Promise<void>[] = [];
    const context = { waitUntil: (work: Promise<void>) => void handedOver.push(work) };
    const options = { waitUntil: () => handedOver.splice(0) };
    sim.connect(shop, { fetch: (request) => worker.fetch(request, env, context) }, options);
    expect(await (await sim.visit("/")).text()).toBe("the value");
  });

  test("is not doubted when it throws an error of its own", async () => {
    await using sim = createSimulator();
    const app = {
      fetch: (_request: Request, _env?: unknown) => {
        throw new RangeError("no such order");
      },
    };
    sim.connect(shop, app);
    await expect(sim.visit("/")).rejects.toThrow(`GET ${shop}/: no such order. What it threw`);
  });
});

test.for<readonly [string, (...given: never[]) => unknown]>([
  [
    "an action of Remix or React Router",
    async ({ request }: { request: Request }) => Response.json(await request.json()),
  ],
  [
    "a handler of SvelteKit",
    ({ request, locals }: { request: Request; locals: { user: string } }) => new Response(request.method + locals.user),
  ],
])("%s is refused, and the message shows what makes its argument", async ([, handler]) => {
  await using sim = createSimulator();
  sim.connect(shop, handler as FetchApp);
  await expect(sim.visit("POST", "/orders", {})).rejects.toThrow("{ fetch: (request) => handler({ request, … }) }");
  sim.connect(shop, {
    fetch: (request) => (handler as (given: unknown) => Response)({ request, locals: { user: "ana" } }),
  });
  expect((await sim.visit("POST", "/orders", {})).status).toBe(200);
});

describe("a function of at most one parameter that takes (req, res)", () => {
  test("is refused, and the message shows { listener }", async () => {
    await using sim = createSimulator();
    sim.connect(shop, ((request: unknown, response: { end(): void } = {} as never) => {
      response.end();
      return request;
    }) as unknown as FetchApp);
    await expect(sim.visit("/")).rejects.toMatchObject({
      code: "VISIT_FAILED",
      message: expect.stringMatching(
        /response\.end is not a function\. If it takes \(req, res\), connect \{ listener: handler \}: Centavo called it with a Request alone, because it has 1 parameter\./,
      ) as string,
      cause: expect.any(TypeError) as TypeError,
    });
  });

  test("is refused if it passes all on to Express", async () => {
    await using sim = createSimulator();
    const app = express();
    sim.connect(shop, ((...given: [never, never]) => void app(...given)) as unknown as FetchApp);
    await expect(sim.visit("/")).rejects.toThrow(/\{ listener: handler \}: .* because it has 0 parameters\./);
    app.get("/", (_, res) => void res.send("ok"));
    sim.connect(shop, { listener: (...given) => void app(...given) });
    expect(await (await sim.visit("/")).text()).toBe("ok");
  });
});

describe("a Lambda", () => {
  const answer = { statusCode: 200, body: "ok" };

  test.for<readonly [string, (...given: never[]) => unknown]>([
    ["(event, context)", async (_event: unknown, _context: unknown) => answer],
    ["(event)", async (_event: unknown) => answer],
  ])("%s is refused, and the message shows { fetch }", async ([, handler]) => {
    await using sim = createSimulator();
    sim.connect(shop, handler as FetchApp);
    await expect(sim.visit("/")).rejects.toMatchObject({
      code: "VISIT_FAILED",
      message: expect.stringMatching(/an object with statusCode, as a Lambda does\. .*\{ fetch: /) as string,
    });
  });

  test.for<readonly [string, (...given: never[]) => unknown]>([
    [
      "(event, context)",
      async (event: { body: string }, _context: unknown) => ({ ...answer, body: JSON.parse(event.body) as string }),
    ],
    ["(event)", async (event: { body: string }) => ({ ...answer, body: JSON.parse(event.body) as string })],
  ])("%s is refused when it parses what it takes for the body", async ([, handler]) => {
    await using sim = createSimulator();
    sim.connect(shop, handler as FetchApp);
    await expect(sim.visit("POST", "/orders", {})).rejects.toThrow(
      /JSON.*connect \{ (?:fetch|listener): .* because it has [12] parameters?\./,
    );
  });

  test("(event, context, callback) is refused by what it throws", async () => {
    await using sim = createSimulator();
    sim.connect(shop, ((_event: unknown, _context: unknown, callback: (...given: unknown[]) => void) =>
      callback(null, answer)) as unknown as FetchApp);
    await expect(sim.visit("/")).rejects.toThrow(/\{ fetch: .* because it has 3 parameters\./);
  });
});

test("a handler of Next's Pages API is refused, and the message names what to connect", async () => {
  await using sim = createSimulator();
  type Answer = { status(code: number): { json(body: unknown): void } };
  sim.connect(shop, ((_req: unknown, res: Answer) => res.status(200).json({})) as unknown as FetchApp);
  await expect(sim.visit("/api/hooks")).rejects.toThrow(
    /res\.status is not a function\. .*for Next's Pages API, nextPagesApi\(folder\) of centavo\/testing/,
  );
});

test("a function that swallows its mistake and never answers is told how it was called", async () => {
  await using sim = createSimulator({ receiverTimeout: 20 });
  sim.connect(shop, ((context: { body?: string }, _next: unknown) => {
    context.body = "ok";
  }) as unknown as FetchApp);
  await expect(sim.visit("/")).rejects.toThrow(/within 20 ms of real time\. .* because it has 2 parameters\./);
});

describe("a function of a known shape is not doubted", () => {
  test.for([
    ["{ listener }", { listener: () => undefined }],
    ["an Express app", express().use(() => undefined)],
  ] as const)("%s that never answers", async ([, app]) => {
    await using sim = createSimulator({ receiverTimeout: 20 });
    sim.connect(shop, app);
    await expect(sim.visit("/")).rejects.toThrow(/raise receiverTimeout\.$/);
  });

  test("a fetch handler that throws an error of its own", async () => {
    await using sim = createSimulator();
    sim.connect(shop, () => {
      throw new RangeError("no such order");
    });
    await expect(sim.visit("/")).rejects.toThrow(
      `The app threw on GET ${shop}/: no such order. What it threw is the cause of this error.`,
    );
  });

  test("a listener that returns its response", async () => {
    await using sim = createSimulator();
    sim.connect(shop, (_request, response) => {
      setImmediate(() => response.end("ok"));
      return response;
    });
    expect(await (await sim.visit("/")).text()).toBe("ok");
  });
});

async function pay(sim: ReturnType<typeof createSimulator>): Promise<void> {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const intent = await client.paymentIntents.create({ amount: 5000 });
  await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
}
