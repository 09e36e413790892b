import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { book, causeOf, pay, SHOP, takeWebhooks } from "./shop.ts";

describe("a test that does not wait is told for what", () => {
  test("for the customer", async () => {
    const cause = await causeOf({ name: "the customer", cause: "missing-await" }, async ({ sim, client, customer }) => {
      sim.connect(SHOP, () => new Response());
      const { sessionToken, checkoutUrl } = await client.checkout.create(book);
      void customer.pay(checkoutUrl, "pm_card_approved");
      await sim.clock.settle();
      assert.equal((await client.checkout.poll(sessionToken)).status, "completed");
    });
    expect(cause).toBe(
      "Likely cause: customer.pay(…) was still under way when sim.clock.settle() was called: it was not awaited.",
    );
  });

  test("for a visit, even without a move of the clock", async () => {
    const orders: string[] = [];
    const cause = await causeOf({ name: "a visit", cause: "missing-await" }, async ({ sim, visit }) => {
      sim.connect(SHOP, async () => {
        orders.push(await Promise.resolve("order-1"));
        return new Response();
      });
      void visit("POST", "/orders?name=Ana", {});
      assert.equal(orders.length, 1);
    });
    expect(cause).toBe(
      'Likely cause: visit("POST", "https://shop.example/orders?…") was still under way when the assertion failed: it was not awaited.',
    );
  });

  test("for a visit that its app answers at once", async () => {
    const orders: string[] = [];
    const cause = await causeOf({ name: "a quick visit", cause: "missing-await" }, async ({ sim, visit }) => {
      sim.connect(SHOP, () => {
        orders.push("order-1");
        return new Response();
      });
      void visit("POST", "/orders", {});
      assert.equal(orders.length, 1);
    });
    expect(cause).toMatch(/^Likely cause: visit\("POST", "https:\/\/shop\.example\/orders"\) was still under way/);
  });

  test("for the clock", async () => {
    const cause = await causeOf({ name: "the clock", cause: "missing-await" }, async ({ sim, client }) => {
      const taken = takeWebhooks(sim);
      await pay(client);
      const settled = sim.clock.settle({ strict: true });
      settled.catch(() => undefined);
      assert.equal(taken.length, 2);
    });
    expect(cause).toMatch(/^Likely cause: sim\.clock\.settle\(\{ strict: true \}\) was still under way/);
  });
});

describe("a test that waits is not told that it does not", () => {
  test("after it moved the clock for a call that a fault held", async () => {
    const cause = await causeOf({ name: "held on purpose" }, async ({ sim, visit }) => {
      sim.connect(SHOP, async () => sim.fetch("/.well-known/jwks.json"));
      sim.faults.add({ kind: "request.latency", delay: "40 s" });
      const visited = visit("/orders");
      while (sim.clock.pending().length === 0) await new Promise(setImmediate);
      await sim.clock.advance("1 minute");
      assert.equal((await visited).status, 201);
    });
    expect(cause).toMatch(/^No likely cause found/);
  });

  test("when it is over its limit", async () => {
    const cause = await causeOf({ name: "over its limit", timeout: 1000, cause: "hanging-call" }, async ({ sim }) => {
      sim.faults.add({ kind: "request.hang" });
      sim.connect(SHOP, async () => sim.fetch("/api/transactions"));
      await sim.visit("/orders");
    });
    expect(cause).toContain("hangs");
  });
});

describe("an app whose work nobody waits for is told what became of it", () => {
  test("it threw, after the answer", async () => {
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
    const cause = await causeOf({ name: "threw late", cause: "threw-after-the-answer" }, async ({ sim, client }) => {
      const paid: string[] = [];
      sim.connect(SHOP, () => {
        void (async () => {
          await Promise.resolve();
          throw new TypeError("the shop has no mailbox");
        })();
        return new Response();
      });
      await pay(client);
      await sim.clock.settle();
      assert.equal(paid.length, 1);
    });
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
    expect(cause).toBe(
      "Likely cause: no code caught what your app, after its answer, or the test threw: TypeError: the shop has no mailbox, and 1 more error.",
    );
  });

  test("it set a timer that the clock does not wait for", async () => {
    const options = { name: "a long timer", cause: "works-after-the-answer", receiverTimeout: 300 };
    const cause = await causeOf(options, async ({ sim, client }) => {
      const mails: string[] = [];
      sim.connect(SHOP, () => {
        setTimeout(() => mails.push("paid"), 10_000).unref();
        return new Response();
      });
      await pay(client);
      await sim.clock.settle();
      assert.equal(mails.length, 2);
    });
    expect(cause).toMatch(
      /^Likely cause: your app set a timer of 10 seconds at unawaited\.test\.ts:\d+, for which the clock does not wait, and it had not rung\.$/,
    );
  });

  test("but not of a timer that it called off, nor of one that the test set", async () => {
    const cause = await causeOf({ name: "called off" }, async ({ sim, client }) => {
      sim.connect(SHOP, () => {
        clearTimeout(setTimeout(() => undefined, 10_000));
        return new Response();
      });
      setTimeout(() => undefined, 10_000).unref();
      await pay(client);
      await sim.clock.settle();
      assert.fail("for a reason of its own");
    });
    expect(cause).toMatch(/^No likely cause found: every call succeeded/);
  });
});

test("an app that refuses an event is told what it answered", async () => {
  const cause = await causeOf({ name: "refuses", cause: "handler-refused" }, async ({ sim, client }) => {
    sim.connect(
      SHOP,
      () => new Response("<h1>Bad&nbsp;event</h1>", { status: 400, headers: { "content-type": "text/html" } }),
    );
    await pay(client);
    await sim.clock.settle();
    assert.fail("the order is open");
  });
  expect(cause).toMatch(/^Likely cause: your handler answered payment_intent\.processing with 400: Bad event\.$/);
});
