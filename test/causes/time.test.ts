import assert from "node:assert/strict";
import { Socket } from "node:net";
import { mock } from "node:test";
import timers from "node:timers/promises";
import axios from "axios";
import { Cron } from "croner";
import { schedule as scheduleJob } from "node-cron";
import { verifyWebhook } from "centavo/webhooks";
import type { Simulator } from "centavo";
import { afterEach, describe, expect, test, vi } from "vitest";
import { book, causeOf, pay, SHOP, takeWebhooks } from "./shop.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** How long a test may take that never ends, in milliseconds: a busy machine has to come in it to where the test waits. */
const LIMIT = 2000;
const HOUR = 3_600_000;
/** Lets a timer that never rings end with the process. */
const quiet = { ref: false };

describe("a test that takes one time for another is told which", () => {
  test("it forgot to settle", async () => {
    const cause = await causeOf({ name: "settle", cause: "forgotten-settle" }, async ({ sim, client }) => {
      const paid = takeWebhooks(sim);
      await pay(client);
      await pay(client);
      await pay(client);
      assert.equal(paid.length, 3);
    });
    expect(cause).toBe("Likely cause: 3 deliveries are still waiting: call `await sim.clock.settle()`.");
  });

  test("it forgot to settle, and no webhook is due yet", async () => {
    const cause = await causeOf(
      { name: "no hooks", cause: "forgotten-settle", webhookUrl: undefined as never },
      async ({ sim, client }) => {
        const id = await pay(client);
        assert.equal(sim.intents.get(id)?.status, "succeeded");
      },
    );
    expect(cause).toBe("Likely cause: 1 step of a payment is still due: call `await sim.clock.settle()`.");
  });

  test.for([
    ["a TypeError", new TypeError("cart.items is not iterable")],
    ["an error of its own", new Error("the shop is closed")],
  ] as const)("it did not forget to settle, when %s broke it off before", async ([, error]) => {
    const cause = await causeOf({ name: error.message }, async ({ client }) => {
      await pay(client);
      throw error;
    });
    expect(cause).toMatch(/^No likely cause found: /);
  });

  test("it forgot to settle, and the assertion stands in the cause of its error, or is one of Jest", async () => {
    const assertion = new assert.AssertionError({ message: "not paid" });
    const ofJest = Object.assign(new Error("expect(received).toBe(expected)"), { matcherResult: { pass: false } });
    for (const error of [new Error("the order is open", { cause: assertion }), ofJest]) {
      const cause = await causeOf({ name: error.message, cause: "forgotten-settle" }, async ({ client }) => {
        await pay(client);
        throw error;
      });
      expect(cause).toMatch(/still (due|waiting)/);
    }
  });

  test("its shop polls under the manual clock until the runner gives up", async () => {
    const cause = await causeOf({ name: "polls", cause: "polling", timeout: LIMIT }, async ({ client, network }) => {
      const id = await pay(client);
      for (;;) {
        const { status } = await client.paymentIntents.status(id);
        if (status === "succeeded") break;
        await new Promise((resolve) => void setTimeout(resolve, 20));
      }
      assert.equal(network.kind, "intercept");
    });
    expect(cause).toMatch(
      /^Likely cause: your code asked GET \/api\/payment-intent\/pi_\w+\/status \d+ times at 2026-01-01 00:00:00Z: the manual clock stands still while it polls\.$/,
    );
  });

  test("its shop polls a few times and gives up by itself", async () => {
    const cause = await causeOf({ name: "gives up", cause: "polling" }, async ({ client }) => {
      const id = await pay(client);
      for (let tries = 0; tries < 6; tries += 1) {
        if ((await client.paymentIntents.status(id)).status === "succeeded") return;
      }
      throw new Error("the payment took too long");
    });
    expect(cause).toContain("6 times at 2026-01-01 00:00:00Z");
  });

  test("it awaits a held call before it moves the clock", async () => {
    const cause = await causeOf({ name: "held", cause: "held-call", timeout: LIMIT }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      sim.faults.add({ kind: "request.latency", delay: "40 s" });
      await axios.get(`${sim.baseUrl}/api/transactions`);
      await sim.clock.advance("1 minute");
    });
    expect(cause).toBe(
      "Likely cause: the call transaction.list is held until 2026-01-01 00:00:40Z, and the manual clock stands at an earlier time while the test awaits the call.",
    );
  });

  test("it awaits a call that hangs", async () => {
    const cause = await causeOf({ name: "hangs", cause: "hanging-call", timeout: LIMIT }, async ({ sim }) => {
      sim.faults.add({ kind: "request.hang" });
      await sim.fetch("/api/transactions");
    });
    expect(cause).toBe(
      "Likely cause: GET /api/transactions hangs because of a fault, and your client has no timeout that would end it.",
    );
  });

  test("its webhook handler moves the clock", async () => {
    const cause = await causeOf({ name: "handler", cause: "clock-in-handler" }, async ({ sim, client }) => {
      sim.connect(SHOP, async () => {
        await sim.clock.advance("1 day");
        return new Response();
      });
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toBe(
      "Likely cause: clock.advance(…) was called while the clock was moving already, by a handler that the clock waits for.",
    );
  });

  test("it moves the clock twice at once", async () => {
    const cause = await causeOf({ name: "twice", cause: "clock-in-handler" }, async ({ sim, client }) => {
      sim.connect(SHOP, () => new Response());
      await pay(client);
      await Promise.all([sim.clock.settle(), sim.clock.advance("1 day")]);
    });
    expect(cause).toBe("Likely cause: clock.advance(…) was called while the clock was moving already.");
  });

  test.each([
    ["a timer of 20 ms", { timers: true }, () => new Promise((resolve) => void setTimeout(resolve, 20))],
    ['clock.sleep("20 ms")', {}, (sim: Simulator) => sim.clock.sleep("20 ms")],
  ])("it awaits %s before it moves the clock", async (call, options, sleep) => {
    const waits = { name: call, cause: "waits-for-the-clock", timeout: LIMIT, ...options };
    const cause = await causeOf(waits, async ({ sim }) => {
      await sleep(sim);
      await sim.clock.advance("1 minute");
    });
    expect(cause).toBe(
      `Likely cause: ${call} waits until 2026-01-01 00:00:00.020Z, and the manual clock stands at 2026-01-01 00:00:00Z.`,
    );
  });

  test("fake timers hold up its shop", async () => {
    const cause = await causeOf(
      { name: "fake timers", cause: "fake-timers", timeout: LIMIT, fakeDate: false },
      async ({ client }) => {
        vi.useFakeTimers({ toFake: ["setTimeout"] });
        await pay(client);
        await new Promise((resolve) => void setTimeout(resolve, 20));
      },
    );
    expect(cause).toBe(
      "Likely cause: fake timers replace setTimeout, and every sleep in your code waits until the test advances them.",
    );
  });

  test("node:test's own fake timers hold up its shop", async () => {
    const cause = await causeOf({ name: "mock timers", cause: "fake-timers", timeout: LIMIT }, async ({ sim }) => {
      mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
      await new Promise((resolve) => void setTimeout(resolve, 20));
      assert.equal(sim.intents.list().length, 1);
    });
    mock.timers.reset();
    expect(cause).toContain("fake timers replace setTimeout, setInterval, and every sleep in your code waits");
  });

  test("fake timers hold up requests, and its shop answers 500", async () => {
    const cause = await causeOf(
      { name: "microtasks", cause: "fake-timers", fakeDate: false },
      async ({ sim, visit, network }) => {
        sim.connect(SHOP, async () => {
          const answer = await fetch(`${network.baseUrl}/api/transactions`).catch(() => undefined);
          return new Response(null, { status: answer?.status ?? 500 });
        });
        vi.useFakeTimers({ toFake: ["queueMicrotask"] });
        assert.equal((await visit("/orders")).status, 401);
      },
    );
    expect(cause).toBe(
      "Likely cause: fake timers replace queueMicrotask, and no request can be answered until the test advances them.",
    );
  });

  test.for([
    ["vi.useFakeTimers()", (): unknown => vi.useFakeTimers()],
    ["vi.setSystemTime()", (): unknown => vi.setSystemTime("2026-05-01")],
    ["mock.timers.enable()", (): unknown => mock.timers.enable()],
  ] as const)("it takes Date from the virtual clock with %s", async ([call, takeDate]) => {
    const cause = await causeOf({ name: call, cause: "fake-timers" }, async ({ sim }) => {
      assert.equal(sim.clock.now(), new Date().toISOString());
      takeDate();
    });
    mock.timers.reset();
    expect(cause).toBe(`Likely cause: ${call} replaced Date, which follows the virtual clock.`);
  });

  test.for([
    ["an interval of 3600 seconds", (run: () => void): unknown => setInterval(run, 3_600_000)],
    ["a timeout of 90 seconds", (run: () => void): unknown => setTimeout(run, 90_000)],
    ["a timeout of 3600 seconds", (run: () => void): unknown => scheduleJob("0 * * * *", run)],
    ["a timeout of 30 seconds", (run: () => void): unknown => new Cron("0 * * * *", run)],
  ] as const)("its shop's own scheduler follows real time, by %s", async ([timer, schedule]) => {
    let runs = 0;
    const cause = await causeOf({ name: timer, cause: "real-timers" }, async ({ sim }) => {
      schedule(() => (runs += 1));
      await sim.clock.advance("60 hours");
      assert.equal(runs, 60);
    });
    expect(cause).toMatch(
      new RegExp(
        `^Likely cause: ${timer}, set at time.test.ts:\\d+, follows real time, so it did not run by 2026-01-03 12:00:00Z`,
      ),
    );
  });

  test.for([
    ["timers.setTimeout", "a timeout", async (run: () => void) => timers.setTimeout(HOUR, undefined, quiet).then(run)],
    [
      "timers.setInterval",
      "an interval",
      async (run: () => void) => {
        for await (const _ of timers.setInterval(HOUR, undefined, quiet)) run();
      },
    ],
  ] as const)("its shop sleeps by %s of node:timers/promises", async ([call, timer, schedule]) => {
    let runs = 0;
    const cause = await causeOf({ name: call, cause: "real-timers" }, async ({ sim }) => {
      void schedule(() => (runs += 1));
      await sim.clock.advance("60 hours");
      assert.equal(runs, 1);
    });
    expect(cause).toMatch(new RegExp(`^Likely cause: ${timer} of 3600 seconds, set at time.test.ts:\\d+, follows`));
  });

  test("its timers are those of clients and sockets", async () => {
    const cause = await causeOf({ name: "timers of Node" }, async ({ sim }) => {
      AbortSignal.timeout(60_000);
      new Socket().setTimeout(60_000).destroy();
      await sim.clock.advance("60 hours");
      assert.fail("the order is not paid");
    });
    expect(cause).toContain("No likely cause found");
  });

  test("its shop ended the scheduler before the test looked", async () => {
    const cause = await causeOf({ name: "ended", cause: "real-timers" }, async ({ sim }) => {
      let runs = 0;
      const job = setInterval(() => (runs += 1), 3_600_000);
      await sim.clock.advance("60 hours");
      clearInterval(job);
      assert.equal(runs, 60);
    });
    expect(cause).toContain("an interval of 3600 seconds, set at time.test.ts:");
  });

  test("its timers would have rung later, or were cleared before", async () => {
    const cause = await causeOf({ name: "no timer passed by" }, async ({ sim }) => {
      setTimeout(() => undefined, 3_600_000).unref();
      clearInterval(setInterval(() => undefined, 60_000));
      await sim.clock.advance("59 minutes");
      assert.fail("the order is not paid");
    });
    expect(cause).toContain("No likely cause found");
  });

  test("its shop asks the real Date whether its token is still good", async () => {
    const cause = await causeOf(
      { name: "real date", cause: "expired-token", fakeDate: false },
      async ({ sim, network }) => {
        assert.equal(network.kind, "intercept");
        const shop = shopThatTrustsDate(sim);
        await shop.transactions();
        await sim.clock.advance("2 hours");
        await shop.transactions();
      },
    );
    expect(cause).toMatch(
      /^Likely cause: your token expired on the virtual clock at 2026-01-01 01:00:00Z, while your Date says 20\d\d-.*: GET \/api\/transactions was answered with 401\.$/,
    );
  });

  test("its shop never asks for a new token", async () => {
    const cause = await causeOf({ name: "old token", cause: "expired-token" }, async ({ sim }) => {
      const token = await tokenOf(sim);
      await sim.clock.advance("2 hours");
      const { status } = await sim.fetch("/api/transactions", { headers: { authorization: `Bearer ${token}` } });
      assert.equal(status, 200);
    });
    expect(cause).toContain(
      "your token expired on the virtual clock at 2026-01-01 01:00:00Z, and your code used it again",
    );
  });

  test("its shop compares a virtual stamp with the real Date", async () => {
    const options = {
      name: "stamps",
      cause: "stale-stamp",
      fakeDate: false,
      assumptions: { "webhook.stamp": "virtual" },
    } as const;
    const cause = await causeOf(options, async ({ sim, client }) => {
      sim.connect(SHOP, async (request) => {
        const event = await verifyWebhook(request, sim.credentials.webhookSecret).catch(() => undefined);
        return new Response(null, { status: event === undefined ? 401 : 200 });
      });
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    expect(cause).toMatch(
      /^Likely cause: 2 webhooks were refused because the stamp, 2026-01-01 00:00:00Z, is too far from your Date, 20/,
    );
  });

  test("its customer pays after the session has expired", async () => {
    const cause = await causeOf({ name: "session", cause: "expired-session" }, async ({ sim, client, customer }) => {
      sim.connect(SHOP, () => new Response());
      const { checkoutUrl } = await client.checkout.create(book);
      await sim.clock.advance("2 days");
      const { status } = await customer.pay(checkoutUrl, "pm_card_approved");
      assert.equal(status, "completed");
    });
    expect(cause).toMatch(
      /^Likely cause: the checkout session \S+ expired at 2026-01-02 00:00:00Z, and the customer came at 2026-01-03 00:00:00Z\.$/,
    );
  });

  test("what it waits for comes later", async () => {
    const cause = await causeOf(
      { name: "later", cause: "not-yet-due", webhookUrl: undefined as never },
      async ({ sim, client }) => {
        sim.faults.add({ kind: "processor.late", delay: "1 hour" });
        const id = await pay(client);
        await sim.clock.settle();
        assert.equal(sim.intents.get(id)?.status, "succeeded");
      },
    );
    expect(cause).toMatch(
      /^Likely cause: the payment pi_\w+ is decided at 2026-01-01 01:00:00Z, and the clock stands at 2026-01-01 00:00:00Z\.$/,
    );
  });
});

async function tokenOf(sim: Simulator): Promise<string> {
  const { clientId, clientSecret } = sim.credentials;
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const { access_token: token } = (await (
    await sim.fetch(`${sim.authUrl}/oauth`, { method: "POST", body: new URLSearchParams(form) })
  ).json()) as { access_token: string };
  return token;
}

/** A shop that keeps its token for an hour of its own Date, and throws for every other status, as axios does. */
function shopThatTrustsDate(sim: Simulator): { transactions(): Promise<unknown> } {
  let token = { text: "", until: 0 };
  return {
    transactions: async () => {
      if (Date.now() >= token.until) token = { text: await tokenOf(sim), until: Date.now() + 3_600_000 };
      const headers = { authorization: `Bearer ${token.text}` };
      return (await axios.get(`${sim.baseUrl}/api/transactions`, { headers })).data as unknown;
    },
  };
}
