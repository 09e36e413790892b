import { createClient } from "centavo/client";
import type { TestParts } from "centavo/testing";
import { expect, test } from "vitest";
import { openSmallShop } from "../exam/small-shop.ts";
import type { Mistake, Orders } from "../exam/small-shop.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const url = "https://shop.example";
const webhookUrl = `${url}/hooks`;
const contact = { name: "Ana Cruz", email: "ana@customer.example" };

function clientOf({ sim, network: { baseUrl, authUrl, fetch } }: Pick<TestParts, "sim" | "network">) {
  return createClient({ ...sim.credentials, baseUrl, authUrl, fetch });
}

/** Sells in the small shop. */
function soldBy(mistake?: Mistake): Suite {
  return {
    "a customer pays": async ({ sim, network, visit }) => {
      const store: Orders = new Map();
      const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
      sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0], mistake));
      await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
      await sim.clock.settle();
      expect(store.get("order-1")?.status).toBe("paid");
    },
  };
}

/** Makes one kind of trouble, at one route or event where that is named. */
function only(name: string, subject?: string) {
  return {
    isWanted: ({ trouble, point }: { trouble: { name: string }; point: { subject: string } }) =>
      trouble.name === name && (subject === undefined || point.subject === subject),
  };
}

test("a forged event that is tried alone is judged as in a whole shake", async () => {
  const { findings, judged } = await shakenIn(
    soldBy("checks no signature"),
    only("webhook.wrong-secret", "payment_intent.succeeded"),
  );
  expect(findings).toMatchObject([{ kind: "money", law: "forged-changes-nothing" }]);
  // What the event's absence does is looked at, and not told.
  expect(judged.map(({ placed }) => placed.trouble.name)).toEqual(["webhook.wrong-secret"]);
});

/** A customer pays, and the merchant's handler asks the service for the status. */
function asking(whenItFails: (sim: TestParts["sim"]) => Promise<void>): Suite {
  return {
    "a customer pays": async ({ sim, network, visit }) => {
      const client = clientOf({ sim, network });
      let status = "pending";
      sim.connect(url, async (request) => {
        if (request.url.endsWith("/pay")) {
          const { id } = await client.paymentIntents.create({ amount: 49_900, externalId: "order-1", webhookUrl });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
          return new Response();
        }
        const { data } = (await request.json()) as { data: { id: string } };
        const ask = async () => void ({ status } = await client.paymentIntents.status(data.id));
        await ask().catch(async () => {
          await whenItFails(sim);
          await ask();
        });
        return new Response();
      });
      await visit("POST", "/pay");
      await sim.clock.advance("1 hour");
      expect(status).toBe("succeeded");
    },
  };
}

test.for([
  ["gives no answer", () => new Promise<void>(() => undefined), [{ kind: "conduct", law: "answers-in-time" }]],
  // The virtual clock stands while a handler works, so no handler can wait for it.
  ["waits in virtual time before it asks again", (sim: TestParts["sim"]) => sim.clock.sleep("2 s"), []],
] as const)(
  "a handler that %s when its own call has failed is judged as it should be",
  async ([, whenItFails, found]) => {
    const { findings } = await shakenIn(asking(whenItFails), {
      ...only("request.status 503", "payment-intent.status"),
      suite: { receiverTimeout: 5000 },
    });
    expect(findings).toMatchObject(found);
  },
);

test("a customer who tries again shows nothing of what the merchant repeats", async () => {
  const open = ({ sim, network }: Pick<TestParts, "sim" | "network">) => {
    const client = clientOf({ sim, network });
    sim.connect(url, async () => {
      try {
        const { id } = await client.paymentIntents.create({ amount: 49_900, externalId: "order-1" });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        return new Response();
      } catch {
        return new Response(null, { status: 502 });
      }
    });
  };
  const { findings, judged } = await shakenIn(
    {
      "a customer tries again": async ({ sim, network, visit }) => {
        open({ sim, network });
        sim.faults.add({ kind: "request.status", status: 503, route: "payment-intent.create", nth: 1 });
        expect((await visit("POST", "/pay")).status).toBe(502);
        expect((await visit("POST", "/pay")).status).toBe(200);
      },
      "a customer pays": async ({ sim, network, visit }) => {
        open({ sim, network });
        expect((await visit("POST", "/pay")).status).toBe(200);
      },
    },
    only("request.status 503", "payment-intent.create"),
  );
  expect(findings).toEqual([]);
  expect(judged.map(({ judgement }) => judgement.is)).toContain("noticed");
});

/** A member joins, leaves, and months go by. The test does not look at what the merchant answers. */
function leaving(whenItFails: "tells nobody" | "asks again" | "says so"): Suite {
  return {
    "a member leaves": async ({ sim, network, visit }) => {
      const client = clientOf({ sim, network });
      let subscription = "";
      sim.connect(url, async (request) => {
        if (request.url.endsWith("/join")) {
          const plan = await client.plans.create({ name: "Reader", amount: 19_900, interval: "month" });
          ({ id: subscription } = await client.subscriptions.initiate({ planId: plan.id, contact }));
          await client.subscriptions.processPayment({
            subscriptionId: subscription,
            paymentMethodId: "pm_card_approved",
          });
        }
        if (request.url.endsWith("/leave")) {
          const cancel = () => client.subscriptions.cancel(subscription);
          const isCancelled = await cancel().then(
            () => true,
            () => (whenItFails === "asks again" ? cancel().then(() => true) : false),
          );
          if (!isCancelled && whenItFails === "says so") return new Response(null, { status: 502 });
        }
        return new Response();
      });
      await visit("POST", "/join");
      await sim.clock.advance("5 days");
      await visit("POST", "/leave");
      await sim.clock.advance("3 months");
    },
  };
}

test("a member who left and is charged all the same is found, although no test looks", async () => {
  const trouble = only("request.status 503", "subscription.cancel");
  expect((await shakenIn(leaving("tells nobody"), trouble)).findings).toMatchObject([
    {
      kind: "money",
      law: "leaves-for-good",
      brief: "charged 3 times more, ₱597.00 (money taken, test green)",
      amount: 59_700,
    },
  ]);
  expect((await shakenIn(leaving("asks again"), trouble)).findings).toEqual([]);
  expect((await shakenIn(leaving("says so"), trouble)).findings).toEqual([]);
});

test("two customers who pay the same amount at once are two customers, whatever is lost", async () => {
  const { findings, judged } = await shakenIn({
    "two customers pay at once": async ({ sim, network, visit }) => {
      const client = clientOf({ sim, network });
      const keyed = async (key: string): Promise<void> => {
        const { id } = await client.paymentIntents.create({ amount: 49_900 }, { idempotencyKey: `create ${key}` });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }, { idempotencyKey: key });
      };
      sim.connect(url, async (request) => {
        const { pathname } = new URL(request.url);
        await keyed(pathname).catch(() => keyed(pathname));
        return new Response();
      });
      await Promise.all([visit("POST", "/one"), visit("POST", "/two")]);
      await sim.clock.advance("1 hour");
    },
  });
  expect(findings).toEqual([]);
  expect(judged.length).toBeGreaterThan(20);
});

test("a merchant that repeats a call without a pause, and never ends, is found", async () => {
  const { findings } = await shakenIn(
    {
      "a customer pays": async ({ sim, network, visit }) => {
        const client = clientOf({ sim, network });
        sim.connect(url, async () => {
          for (let tries = 0; tries < 5000; tries += 1) {
            const made = await client.paymentIntents
              .create({ amount: 49_900, externalId: "order-1" })
              .catch(() => undefined);
            if (made !== undefined) break;
          }
          return new Response();
        });
        await visit("POST", "/pay");
      },
    },
    only("outage of a minute", "payment-intent.create"),
  );
  expect(findings).toMatchObject([{ kind: "conduct", law: "no-storm-of-calls" }]);
});

/** A merchant that asks its customer for a payment at each event, once an event has come twice. */
const confusedByRepetition: Suite = {
  "a customer is asked to authenticate": async ({ sim, network, visit }) => {
    const client = clientOf({ sim, network });
    const known = new Set<string>();
    let isConfused = false;
    const ask = async (): Promise<void> => {
      const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
    };
    sim.connect(url, async (request) => {
      if (request.url.endsWith("/pay")) await ask();
      else {
        const { id } = (await request.json()) as { id: string };
        isConfused ||= known.has(id);
        known.add(id);
        if (isConfused) await ask();
      }
      return new Response();
    });
    await visit("POST", "/pay");
    await sim.clock.settle();
  },
};

test("a merchant whose work leads to more work at the same moment never comes to rest, which is told", async () => {
  // Thousands of timers run until the clock gives up, which takes a busy machine a while.
  const suite = { timeout: 900_000 };
  const { findings } = await shakenIn(confusedByRepetition, { ...only("webhook.duplicate"), suite });
  expect(findings).toMatchObject([
    { kind: "conduct", law: "no-storm-of-calls", brief: "the world never comes to rest" },
  ]);
});

test("a test that takes its merchant down for a while is not told of the events that come meanwhile", async () => {
  const { findings } = await shakenIn(
    {
      "the shop is down when the payment is decided": async ({ sim, network, visit }) => {
        const client = clientOf({ sim, network });
        let isDown = false;
        sim.connect(url, async (request) => {
          if (!request.url.endsWith("/pay")) return new Response("", { status: isDown ? 503 : 200 });
          const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
          isDown = true;
          return new Response();
        });
        await visit("POST", "/pay");
        await sim.clock.advance("10 minutes");
        isDown = false;
        await sim.clock.settle();
      },
    },
    only("processor.decline"),
  );
  expect(findings).toEqual([]);
});

test("a test that takes its merchant down may do so after a call of the merchant has failed, and may fail before it is up again", async () => {
  const { findings, judged } = await shakenIn(
    {
      "the shop is down for a day": async ({ sim, network, visit }) => {
        const client = clientOf({ sim, network });
        let isDown = false;
        const paid = new Set<string>();
        sim.connect(url, async (request) => {
          if (!request.url.endsWith("/pay")) {
            const { type, data } = (await request.json()) as { type: string; data: { id: string } };
            if (!isDown && type === "payment_intent.succeeded") paid.add(data.id);
            return new Response("", { status: isDown ? 503 : 200 });
          }
          const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
          return new Response();
        });
        await visit("POST", "/pay");
        // The token of the shop's client expires, so the next call fails once.
        await sim.clock.advance("2 hours");
        isDown = true;
        await visit("POST", "/pay");
        await sim.clock.advance("1 day");
        isDown = false;
        expect(paid.size).toBe(1);
        for (const { id, status } of sim.webhooks.events()) if (status === "exhausted") sim.webhooks.redeliver(id);
        await sim.clock.settle();
      },
    },
    only("webhook.drop", "payment_intent.succeeded"),
  );
  expect(findings).toEqual([]);
  expect(judged.length).toBeGreaterThan(0);
});

test("a test that expects a payment to be under way counts on an answer that does not take longer than the payment", async () => {
  const { findings, judged } = await shakenIn(
    {
      "the payment is under way at first": async ({ sim, network, visit }) => {
        const client = clientOf({ sim, network });
        let status = "pending";
        sim.connect(url, async (request) => {
          if (request.url.endsWith("/pay")) {
            const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl });
            await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
          } else if (((await request.json()) as { type: string }).type === "payment_intent.succeeded") status = "paid";
          return new Response();
        });
        await visit("POST", "/pay");
        expect(status).toBe("pending");
        await sim.clock.settle();
        expect(status).toBe("paid");
      },
    },
    only("response.late 3s", "payment-intent.confirm"),
  );
  expect(findings).toEqual([]);
  expect(judged.map(({ judgement }) => judgement)).toMatchObject([
    { is: "counts on it", why: "it expects something before it moves its clock" },
  ]);
});
