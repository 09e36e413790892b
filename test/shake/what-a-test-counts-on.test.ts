import { expect, test } from "vitest";
import type { TestParts } from "centavo/testing";
import type { Mistake, Orders } from "../exam/small-shop.ts";
import { openSmallShop } from "../exam/small-shop.ts";
import { kindOf } from "../../src/shake/troubles-of-shake.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const url = "https://shop.example";

/** Opens the small shop in a test, sells something, and waits until it is paid. */
async function sell({ sim, network, visit }: Pick<TestParts, "sim" | "network" | "visit">, mistake?: Mistake) {
  const store: Orders = new Map();
  const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
  sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0], mistake));
  await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
  await sim.clock.settle();
  return store.get("order-1");
}

/** Shakes one test by events that come twice. */
async function twice(own: Suite[string]) {
  const { judged, findings } = await shakenIn(
    { "a test": own },
    { isWanted: ({ trouble, point }) => trouble.name === "webhook.duplicate" && point.subject.endsWith(".succeeded") },
  );
  expect(judged).toHaveLength(1);
  return { judgement: judged[0]?.judgement, findings };
}

test("a test that asserts what the merchant does bears an event that comes twice", async () => {
  const { judgement } = await twice(async ({ sim, network, visit }) => {
    expect(await sell({ sim, network, visit })).toMatchObject({ status: "paid", fulfilments: 1 });
  });
  expect(judgement).toEqual({ is: "borne" });
});

test("a merchant who fulfils twice makes it fail, which is a finding with its token", async () => {
  const { judgement, findings } = await twice(async ({ sim, network, visit }) => {
    expect(await sell({ sim, network, visit }, "fulfils each time")).toMatchObject({ status: "paid", fulfilments: 1 });
  });
  expect(judgement).toMatchObject({ is: "test", law: "fulfilled-once" });
  expect(findings).toMatchObject([
    {
      kind: "test",
      sentence: "The event payment_intent.succeeded is delivered twice.",
      tests: [{ test: "a test", isNoticed: true }],
    },
  ]);
});

test("an assertion about Centavo's own attempts is no finding, whatever it is written over", async () => {
  const direct = await twice(async ({ sim, network, visit }) => {
    await sell({ sim, network, visit });
    expect(sim.webhooks.attempts()).toHaveLength(2);
  });
  expect(direct.judgement?.is).toBe("counts on it");
  expect(JSON.stringify(direct.judgement)).toContain("only Centavo knows");
  const named = await twice(async ({ sim, network, visit }) => {
    await sell({ sim, network, visit });
    const attempts = sim.webhooks.attempts();
    const count = 2;
    expect(attempts).toHaveLength(count);
  });
  expect(named.judgement).toMatchObject({ is: "counts on it" });
});

test("a strict settle counts on it that every delivery succeeds", async () => {
  const { judged } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await sell({ sim, network, visit });
        await sim.clock.settle({ strict: true });
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "webhook.answer-lost" },
  );
  expect(judged.length).toBeGreaterThan(0);
  for (const { judgement } of judged) expect(judgement).toMatchObject({ is: "counts on it" });
});

test("an event that nobody receives is no point of a test", async () => {
  const { plain, judged, untried } = await shakenIn(
    {
      "a test": async ({ sim, client }) => {
        const { id } = await client.paymentIntents.create({ amount: 10_000 });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        await sim.clock.settle();
      },
    },
    { isWanted: ({ trouble }) => trouble.at === "event" },
  );
  expect(plain[0]?.events).not.toEqual([]);
  expect(judged).toEqual([]);
  expect(untried).toEqual([]);
});

test("a test counts on it that a fault of its own strikes no other call", async () => {
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        const store: Orders = new Map();
        const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
        sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]));
        await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
        sim.faults.add({ kind: "request.status", route: "oauth.token", status: 503, until: "2026-01-02T00:00:00Z" });
        await sim.clock.advance("10 minutes");
        await visit("POST", "/orders", { id: "order-2", method: "pm_card_approved" });
        await sim.clock.settle();
        expect(store.get("order-2")?.status).toBe("paid");
        await sim.clock.advance("1 hour");
        expect((await visit("POST", "/orders", { id: "order-3", method: "pm_card_approved" })).status).toBe(502);
      },
    },
    {
      isWanted: ({ trouble, point: { subject, occurrence } }) =>
        trouble.name === "request.status 401" && subject.endsWith(".create") && occurrence === 2,
    },
  );
  expect(findings).toEqual([]);
  const why = "a fault that it planned itself strikes something else then";
  expect(judged.map(({ judgement }) => judgement)).toEqual([{ is: "counts on it", why }]);
});

test("a test counts on it that no event comes before it takes its merchant down", async () => {
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        const store: Orders = new Map();
        const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
        const shop = openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]);
        sim.connect(url, shop);
        await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
        sim.connect(url, () => new Response(null, { status: 503 }));
        await sim.clock.advance("1 minute");
        expect(store.get("order-1")?.status).toBe("pending");
        sim.connect(url, shop);
        await sim.clock.advance("1 day");
        expect(store.get("order-1")?.status).toBe("paid");
      },
    },
    { isWanted: ({ trouble, point }) => trouble.name === "response.late 3s" && point.subject.endsWith(".confirm") },
  );
  expect(findings).toEqual([]);
  const why = "it takes its merchant down, and an event comes before that then";
  expect(judged.map(({ judgement }) => judgement)).toEqual([{ is: "counts on it", why }]);
});

test("a name with a dollar sign is found as any other", async () => {
  const { judgement } = await twice(async ({ sim, network, visit }) => {
    await sell({ sim, network, visit });
    const $attempts = sim.webhooks.attempts();

    expect($attempts).toHaveLength(2);
  });
  expect(judgement).toMatchObject({ is: "counts on it", why: expect.stringContaining("only Centavo knows") as string });
});

test("a place of an error that names a folder costs no finding", async () => {
  const { judgement } = await twice(async ({ sim, network, visit }) => {
    const order = await sell({ sim, network, visit }, "fulfils each time");
    const error = new Error("It was fulfilled twice.");
    error.stack = `Error: It was fulfilled twice.\n    at test (${import.meta.dirname}:1:1)`;
    if (order?.fulfilments !== 1) throw error;
  });
  expect(judgement).toMatchObject({ is: "test", message: "It was fulfilled twice." });
});

test("reading them elsewhere excuses no other assertion", async () => {
  const { judgement } = await twice(async ({ sim, network, visit }) => {
    const order = await sell({ sim, network, visit }, "fulfils each time");
    expect(sim.webhooks.attempts().length).toBeGreaterThan(1);

    expect(order?.fulfilments).toBe(1);
  });
  expect(judgement).toMatchObject({ is: "test" });
});

test("a test is not shaken where its clock stands still for the trouble, and that is said", async () => {
  const { judged, untried } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        expect(await sell({ sim, network, visit })).toMatchObject({ status: "paid" });
      },
    },
    { isWanted: ({ trouble }) => kindOf(trouble) === "late-events" },
  );
  expect(judged).toEqual([]);
  expect(untried.map(({ why }) => why)).toContain("the test does not move its clock by 2 hours after the event");
});

test("the calls of the test's own client are not the merchant's", async () => {
  const { plain, judged } = await shakenIn({
    "a test": async ({ client }) => {
      await client.paymentIntents.create({ amount: 10_000 });
    },
  });
  expect(plain[0]?.calls.map(({ route, by }) => `${route} by ${by}`)).toContain("payment-intent.create by test");
  expect(judged.filter(({ placed }) => placed.point.kind === "call")).toEqual([]);
});

test("a test that fails already is left out", async () => {
  const { plain, judged } = await shakenIn({
    "a test": async ({ sim }) => {
      expect(sim.intents.list()).toHaveLength(1);
    },
  });
  expect(plain[0]?.outcome.is).toBe("failed");
  expect(judged).toEqual([]);
});

test("the same shake is the same twice", async () => {
  const suite: Suite = {
    "a test": async ({ sim, network, visit }) => {
      expect(await sell({ sim, network, visit }, "fulfils each time")).toMatchObject({ fulfilments: 1 });
    },
  };
  const options = { isWanted: ({ trouble }: { trouble: { name: string } }) => /duplicate|drop/.test(trouble.name) };
  expect((await shakenIn(suite, options)).judged.map(({ judgement }) => judgement)).toEqual(
    (await shakenIn(suite, options)).judged.map(({ judgement }) => judgement),
  );
});
