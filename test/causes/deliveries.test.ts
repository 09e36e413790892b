import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Simulator } from "centavo";
import { hostileDeliveries, simulated } from "centavo/testing";
import { verifyWebhook } from "centavo/webhooks";
import express from "express";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { causeOf, failureOf, HOOKS, isSigned, pay, reportIn, SHOP } from "./shop.ts";

test("the shop's own check takes what is signed with the right secret", async () => {
  const cause = await causeOf({ name: "right secret" }, async ({ sim, client }) => {
    sim.connect(SHOP, async (request) => {
      const header = request.headers.get("x-webhook-signature");
      const genuine = isSigned(header, await request.text(), sim.credentials.webhookSecret);
      return new Response(null, { status: genuine ? 200 : 401 });
    });
    await pay(client);
    await sim.clock.settle();
    assert.equal(sim.webhooks.attempts().filter(({ delivered }) => delivered).length, 3);
  });
  expect(cause).toMatch(/^No likely cause found/);
});

test("a shop that still works after its answer when the clock goes on", async () => {
  const over = new AbortController();
  const cause = await causeOf(
    { name: "works on", cause: "works-after-the-answer", receiverTimeout: 50 },
    async ({ sim, client }) => {
      const orders = new Set<string>();
      sim.connect(SHOP, async (request) => {
        const text = await request.text();
        void pause(60_000, undefined, { signal: over.signal }).catch(() => undefined);
        const working = async (): Promise<void> => {
          while (!over.signal.aborted) await pause(5);
          orders.add(text);
        };
        void working();
        return new Response();
      });
      await pay(client);
      await sim.clock.settle({ strict: true });
      assert.equal(orders.size, 2);
    },
  );
  over.abort();
  expect(cause).toBe(
    "Likely cause: the app at https://shop.example still worked when the clock went on after its answer to POST https://shop.example/hooks: it waited for a timer.",
  );
});

describe("a shop that takes no webhooks is told why", () => {
  test("it checks with another secret, by its own check", async () => {
    const cause = await causeOf({ name: "own check", cause: "wrong-secret" }, async ({ sim, client }) => {
      const paid: string[] = [];
      const app = new Hono();
      app.post("/hooks", async (context) => {
        const body = await context.req.text();
        if (!isSigned(context.req.header("x-webhook-signature"), body, "whsec_of-another-shop"))
          return context.text("no", 401);
        paid.push(body);
        return context.text("ok");
      });
      sim.connect(SHOP, app);
      await pay(client);
      await sim.clock.settle();
      assert.equal(paid.length, 2);
    });
    expect(cause).toBe(
      "Likely cause: 2 webhooks were refused with 401: they are signed with sim.credentials.webhookSecret, and your handler checked with another secret, or other bytes.",
    );
  });

  test("it checks with another secret, by verifyWebhook, and swallows the error", async () => {
    const cause = await causeOf({ name: "verifyWebhook", cause: "wrong-secret" }, async ({ sim, client }) => {
      sim.connect(SHOP, async (request) => {
        const event = await verifyWebhook(request, "whsec_b2YtYW5vdGhlci1zaG9w").catch(() => undefined);
        return new Response(null, { status: event === undefined ? 403 : 200 });
      });
      await pay(client);
      await sim.clock.settle();
      assert.equal(sim.webhooks.events()[0]?.status, "delivered");
    });
    expect(cause).toMatch(
      /^Likely cause: 2 webhooks were refused with 403: they are signed with sim\.credentials\.webhookSecret, and/,
    );
  });

  test("express.json() parses the body before its own check", async () => {
    const cause = await causeOf({ name: "express.json", cause: "parsed-body" }, async ({ sim, client }) => {
      const app = express().use(express.json());
      app.post("/hooks", (request, response) => {
        const header = request.headers["x-webhook-signature"];
        const genuine = isSigned(header, JSON.stringify(request.body, null, 2), sim.credentials.webhookSecret);
        response.sendStatus(genuine ? 200 : 401);
      });
      sim.connect(SHOP, app);
      await pay(client);
      await sim.clock.settle();
      assert.equal(
        sim.webhooks.attempts().every(({ delivered }) => delivered),
        true,
      );
    });
    expect(cause).toBe(
      "Likely cause: 2 webhooks were refused with 401: your handler checked the signature after the body was parsed, and parsed JSON is not what was signed.",
    );
  });

  test.for(["HTML", "JSON"])("its own check takes the parsed body, and the error is answered as %s", async (form) => {
    const cause = await causeOf({ name: `object as ${form}`, cause: "parsed-body" }, async ({ sim, client }) => {
      const app = express().set("env", "test").use(express.json());
      app.post("/hooks", (request, response) => {
        const header = request.headers["x-webhook-signature"];
        const genuine = isSigned(header, request.body as string, sim.credentials.webhookSecret);
        response.sendStatus(genuine ? 200 : 401);
      });
      if (form === "JSON") {
        const answer: express.ErrorRequestHandler = (error: Error, _request, response, _next) => {
          response.status(500).json({ error: error.message });
        };
        app.use(answer);
      }
      sim.connect(SHOP, app);
      await pay(client);
      await sim.clock.settle();
      assert.equal(sim.webhooks.events()[0]?.status, "delivered");
    });
    expect(cause).toBe(
      "Likely cause: 2 webhooks were refused with 500: your handler checked the signature after the body was parsed, and parsed JSON is not what was signed.",
    );
  });

  test("its page of an error is quoted as it reads", async () => {
    const cause = await causeOf({ name: "entities", cause: "handler-failed" }, async ({ sim, client }) => {
      const page = "<p>&quot;Ana&quot; &amp;amp; &#39;Eva&#x27; &lt;b&gt; &#9999999; &nope;</p>";
      sim.connect(SHOP, () => new Response(page, { status: 500 }));
      await pay(client);
      await sim.clock.settle();
      assert.equal(sim.webhooks.events()[0]?.status, "delivered");
    });
    expect(cause).toContain(`"Ana" &amp; 'Eva' <b> &#9999999; &nope;`);
  });

  test("express.json() parses the body before verifyWebhook, and the error is swallowed", async () => {
    const cause = await causeOf({ name: "parsed", cause: "parsed-body" }, async ({ sim, client }) => {
      const app = express().use(express.json());
      app.post("/hooks", async (request, response) => {
        const event = await verifyWebhook(request, sim.credentials.webhookSecret).catch(() => undefined);
        response.sendStatus(event === undefined ? 401 : 200);
      });
      sim.connect(SHOP, app);
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toContain(
      "2 webhooks were refused with 401: your handler checked the signature after the body was parsed",
    );
  });

  test("express.json() parses the body, and the handler refuses what it says", async () => {
    const report = reportIn(
      await failureOf({ name: "refuses" }, async ({ sim, client }) => {
        const app = express().use(express.json());
        app.post("/hooks", (_request, response) => void response.status(400).send("unknown order"));
        sim.connect(SHOP, app);
        await pay(client);
        await sim.clock.settle();
        assert.fail("the order is not paid");
      }),
    );
    expect(report.join("\n")).not.toContain("signature");
  });

  test("a fetch handler reads the body before verifyWebhook", async () => {
    const cause = await causeOf({ name: "read before", cause: "parsed-body" }, async ({ sim, client }) => {
      sim.connect(SHOP, async (request) => {
        await request.json();
        const event = await verifyWebhook(request, sim.credentials.webhookSecret).catch(() => undefined);
        return new Response(null, { status: event === undefined ? 400 : 200 });
      });
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toContain("after the body was parsed");
  });

  test("not by what another test refused at the same time", async () => {
    const held = Promise.withResolvers<void>();
    const cause = causeOf({ name: "one", cause: "wrong-secret", fakeDate: false }, async ({ sim, client }) => {
      sim.connect(SHOP, () => new Response(null, { status: 401 }));
      await pay(client);
      await sim.clock.settle();
      await held.promise;
      assert.fail("the order is not paid");
    });
    await failureOf({ name: "another", fakeDate: false }, async ({ sim }) => {
      await verifyWebhook({ headers: {}, body: { parsed: true } } as never, sim.credentials.webhookSecret);
    });
    held.resolve();
    expect(await cause).toContain("your handler checked with another secret");
  });

  test("not by the hostile deliveries that it refused rightly", async () => {
    const cause = await causeOf({ name: "hostile", cause: "handler-failed" }, async ({ sim, client }) => {
      const paid = new Set<string>();
      let isBroken = false;
      sim.connect(SHOP, async (request) => {
        const event = await verifyWebhook(request, sim.credentials.webhookSecret).catch(() => undefined);
        if (event === undefined) return new Response(null, { status: 401 });
        if (event.type === "payment_intent.succeeded") paid.add((event["data"] as { readonly id: string }).id);
        return new Response(null, { status: isBroken ? 500 : 200 });
      });
      await hostileDeliveries(sim, {
        order: async () => ({ intentId: (await client.paymentIntents.create({ amount: 49_900 })).id }),
        fulfilments: ({ intentId }) => (paid.has(intentId) ? 1 : 0),
      });
      isBroken = true;
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toBe("Likely cause: your handler answered payment_intent.succeeded with 500.");
  });

  test.for(["Express", "Hono"])("its path is another one, in %s", async (framework) => {
    const cause = await causeOf(
      { name: framework, cause: "hook-path", webhookUrl: `${SHOP}/hook` },
      async ({ sim, client }) => {
        if (framework === "Hono")
          sim.connect(
            SHOP,
            new Hono().post("/hooks", (context) => context.text("ok")),
          );
        else
          sim.connect(
            SHOP,
            express().post("/hooks", (_request, response) => void response.sendStatus(200)),
          );
        await pay(client);
        await sim.clock.settle();
        assert.fail("the order is not paid");
      },
    );
    expect(cause).toBe(
      `Likely cause: 2 webhooks to ${SHOP}/hook were answered with 404: your app has no POST route at that path.`,
    );
  });

  test("it is connected at another origin", async () => {
    const cause = await causeOf({ name: "another origin", cause: "nobody-connected" }, async ({ sim, client }) => {
      sim.connect("https://www.shop.example", () => new Response());
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toBe("Likely cause: no app is connected at https://shop.example, so 2 webhooks were not delivered.");
  });

  test("a page of it is visited before it is connected", async () => {
    const cause = await causeOf({ name: "visit", cause: "nobody-connected" }, async ({ visit }) =>
      visit("https://shop.example/orders/1"),
    );
    expect(cause).toBe("Likely cause: no app is connected at https://shop.example.");
  });

  test("its server has been closed", async () => {
    const server = createServer((_request, response) => void response.end());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => void server.close(resolve));
    const origin = `http://127.0.0.1:${port}`;
    const cause = await causeOf(
      { name: "closed", cause: "nobody-listens", webhookUrl: `${origin}/hooks` },
      async ({ sim, client }) => {
        await pay(client);
        await sim.clock.settle();
        assert.fail("the order is not paid");
      },
    );
    expect(cause).toBe(`Likely cause: nothing listens at ${origin}, so 2 webhooks were not delivered.`);
  });

  test("its handler throws", async () => {
    const cause = await causeOf({ name: "throws", cause: "handler-threw" }, async ({ sim, client }) => {
      sim.connect(SHOP, async (request) => {
        const event = (await request.json()) as { data: { order: { id: string } } };
        return new Response(event.data.order.id);
      });
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toMatch(
      /^Likely cause: your handler threw on payment_intent\.\w+: TypeError: Cannot read properties of undefined/,
    );
  });

  test("a page of it throws", async () => {
    const cause = await causeOf({ name: "page throws", cause: "handler-threw" }, async ({ sim, visit }) => {
      sim.connect(SHOP, () => {
        throw new RangeError("no such shelf");
      });
      await visit("/orders/1");
    });
    expect(cause).toBe(`Likely cause: your app threw on GET ${SHOP}/orders/1: no such shelf.`);
  });

  test("its framework answers an error with 500", async () => {
    const cause = await causeOf({ name: "five hundred", cause: "handler-failed" }, async ({ sim, client }) => {
      const app = new Hono();
      app.onError((error, context) => context.text(`Oops: ${error.message}`, 500));
      app.post("/hooks", () => {
        throw new Error("the database is locked");
      });
      sim.connect(SHOP, app);
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toMatch(/your handler answered payment_intent\.\w+ with 500: Oops: the database is locked\.$/);
  });

  test("its framework answers a visit with 500", async () => {
    const cause = await causeOf({ name: "a page fails", cause: "handler-failed" }, async ({ sim, client, visit }) => {
      const app = new Hono().onError((_, context) => context.text("Oops", 500));
      app.post("/orders", async (context) => {
        await pay(client);
        return context.text((undefined as unknown as string).trim());
      });
      app.post("/hooks", (context) => context.text("taken"));
      sim.connect(SHOP, app);
      const { status } = await visit("POST", "/orders");
      await sim.clock.settle();
      assert.equal(status, 201);
    });
    expect(cause).toBe("Likely cause: your app answered POST https://shop.example/orders with 500.");
  });

  test("its handler never ends the response", async () => {
    const cause = await causeOf(
      { name: "never ends", cause: "handler-too-slow", receiverTimeout: 50 },
      async ({ sim, client }) => {
        sim.connect(
          SHOP,
          express().post("/hooks", () => undefined),
        );
        await pay(client);
        await sim.clock.settle();
        assert.fail("the order is not paid");
      },
    );
    expect(cause).toBe("Likely cause: your handler did not answer 2 webhooks within 50 ms of real time.");
  });

  test("it redirects to the path with a slash", async () => {
    const cause = await causeOf({ name: "redirects", cause: "redirected-hook" }, async ({ sim, client }) => {
      sim.connect(SHOP, ({ url }) => Response.redirect(`${url}/`, 308));
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toBe(
      `Likely cause: 2 webhooks to ${HOOKS} were answered with 308, and webhooks follow no redirects.`,
    );
  });

  test("events have no address to go to", async () => {
    const cause = await causeOf(
      { name: "no address", cause: "no-webhook-url", webhookUrl: undefined as never },
      async ({ sim, client }) => {
        sim.connect(SHOP, () => new Response());
        await pay(client);
        await sim.clock.settle();
        assert.fail("the order is not paid");
      },
    );
    expect(cause).toMatch(
      /^Likely cause: 2 events had no receiver: an app is connected at https:\/\/shop\.example, but neither/,
    );
  });

  test("it stores the order after the payment, and takes the retry", async () => {
    const cause = await causeOf({ name: "stored late", cause: "order-after-payment" }, async ({ sim, client }) => {
      const orders = new Map<string, string>();
      sim.connect(SHOP, async (request) => {
        const { data } = (await request.json()) as { data: { id: string } };
        if (!orders.has(data.id)) return new Response("try later", { status: 409 });
        orders.set(data.id, "paid");
        return new Response();
      });
      const id = await pay(client);
      await sim.clock.settle();
      orders.set(id, "new");
      await sim.clock.advance("1 hour");
      assert.equal(sim.webhooks.attempts().length, 2);
    });
    expect(cause).toMatch(
      /your handler answered the first payment_intent\.\w+ with 409 and took it later: the order was stored after the payment\.$/,
    );
  });

  test("it does not know the order", async () => {
    const cause = await causeOf({ name: "unknown", cause: "order-after-payment" }, async ({ sim, client }) => {
      sim.connect(SHOP, () => Response.json({ error: "no such order" }, { status: 404 }));
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toContain("did not know the order of payment_intent.");
    expect(cause).toContain("the order was stored after the payment, or without its id");
  });

  test("its credentials are those of its seed, however many others came since", async () => {
    const credentials: Simulator["credentials"][] = [];
    const again = simulated({ name: "again", seed: "a shop", fakeDate: false }, ({ sim }) => {
      credentials.push(sim.credentials);
    });
    await again();
    for (let seed = 0; seed < 1001; seed += 1)
      await simulated({ name: "other", seed, fakeDate: false }, ({ sim }) => sim.seed)();
    await again();
    expect(credentials).toEqual(Array(2).fill(credentials[0]));
  });
});
