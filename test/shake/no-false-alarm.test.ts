import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { createClient } from "centavo/client";
import type { SimulatedOptions, TestParts } from "centavo/testing";
import { CentavoError } from "../../src/kit/base/errors/centavo-error.ts";
import { RUN_VARIABLE } from "../../src/testing/shake/run-folder.ts";
import { openSmallShop } from "../exam/small-shop.ts";
import type { Orders } from "../exam/small-shop.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const url = "https://shop.example";

/** Opens the small shop in a test, and sells something. */
async function sell({ sim, network, visit }: Pick<TestParts, "sim" | "network" | "visit">): Promise<void> {
  const store: Orders = new Map();
  const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
  sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]));
  await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
}

test("a test that comes to the end of its time limit says nothing of its merchant", async () => {
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await sell({ sim, network, visit });
        await sim.clock.settle();
        // As the test's own limit throws it, which depends on the machine.
        if (process.env[RUN_VARIABLE] !== "0") throw new CentavoError("TEST_TIMED_OUT", "It did not end in time.");
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "webhook.duplicate" },
  );
  expect(findings).toEqual([]);
  expect(new Set(judged.map(({ judgement }) => judgement.is))).toEqual(new Set(["untried"]));
});

test("an app gets ten seconds for an answer in a shake, unless its test says how long it has", async () => {
  const limitOf = async (suite: SimulatedOptions): Promise<number | undefined> => {
    let limit: number | undefined;
    const own = async ({ sim }: Pick<TestParts, "sim">): Promise<void> => {
      limit = sim.internals.settings.receiverTimeout;
    };
    await shakenIn({ "a test": own }, { suite });
    return limit;
  };
  expect(await limitOf({})).toBe(10_000);
  expect(await limitOf({ receiverTimeout: 3000 })).toBe(3000);
});

test("a test that expects exact moments is known before its payments are held up", async () => {
  let expected: string | undefined;
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await sell({ sim, network, visit });
        await sim.clock.advance("1 hour");
        expect(sim.clock.now()).toBe((expected ??= sim.clock.now()));
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "response.late 3s" },
  );
  expect(findings).toEqual([]);
  expect(judged.map(({ placed: { point }, judgement }) => [point.subject, judgement.is])).toEqual([
    ["oauth.token", "noticed"],
    ["payment-intent.create", "noticed"],
    ["payment-intent.confirm", "counts on it"],
  ]);
});

test.for([
  ["has lost the id of its order", () => expect(undefined).toBe("paid"), "noticed"],
  [
    "reads a problem in place of its order",
    () => expect({ problem: "None" }).toMatchObject({ status: "paid" }),
    "noticed",
  ],
  [
    "reads a field of nothing",
    () => expect((undefined as unknown as { status: string }).status).toBe("paid"),
    "noticed",
  ],
  ["sees that its customer was answered with an error", () => expect(502).toBe(201), "noticed"],
  [
    "reads an error in place of its order",
    () => expect({ status: 502, order: undefined }).toMatchObject({ status: 201, order: {} }),
    "noticed",
  ],
  [
    "comes to no assertion",
    () => {
      throw new Error("The shop has nothing at /orders/undefined.");
    },
    "noticed",
  ],
  ["asserts it with Node's assert", () => assert.equal(undefined, "paid"), "noticed"],
  ["finds its order unpaid", () => expect({ status: "failed" }).toMatchObject({ status: "paid" }), "money"],
] as const)("a test that %s after a lost answer is judged as it should be", async ([, fails, is]) => {
  const { judged } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await sell({ sim, network, visit });
        await sim.clock.advance("1 hour");
        if (process.env[RUN_VARIABLE] !== "0") fails();
      },
    },
    { isWanted: ({ trouble, point }) => trouble.name === "response.lost" && point.subject.endsWith(".confirm") },
  );
  expect(judged.map(({ judgement }) => judgement.is)).toEqual([is]);
});

/** Sells in a shop that answers its customer 502 when a call fails, and fulfils once the event comes. */
async function sellBackedByEvents({ sim, network, visit }: Pick<TestParts, "sim" | "network" | "visit">) {
  const { baseUrl, authUrl, fetch } = network;
  const client = createClient({ ...sim.credentials, baseUrl, authUrl, fetch });
  const paid = new Set<string>();
  sim.connect(url, async (request) => {
    if (!request.url.endsWith("/pay")) {
      const { type, data } = (await request.json()) as { type: string; data: { id: string } };
      if (type === "payment_intent.succeeded") paid.add(data.id);
      return new Response();
    }
    try {
      const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl: `${url}/hooks` });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      return new Response(null, { status: 201 });
    } catch {
      return new Response(null, { status: 502 });
    }
  });
  const answer = await visit("POST", "/pay");
  await sim.clock.settle();
  await sim.clock.advance("1 minute");
  expect(paid.size).toBe(1);
  return answer;
}

test.for([
  ["status", (answer: Response) => expect(answer.status).toBe(201)],
  ["ok", (answer: Response) => expect(answer.ok).toBe(true)],
] as const)(
  "a shop that answers its customer with an error and fulfils later takes no money, whatever the test says of %s",
  async ([, asserts]) => {
    const { plain, judged, findings } = await shakenIn(
      { "a test": async ({ sim, network, visit }) => asserts(await sellBackedByEvents({ sim, network, visit })) },
      { isWanted: ({ trouble, point }) => trouble.name === "response.lost" && point.subject.endsWith(".confirm") },
    );
    expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
    expect(findings).toEqual([]);
    expect(judged.map(({ judgement }) => judgement.is)).toEqual(["noticed"]);
  },
);

test("who answers every event with 200 is not accused by a test that reads Centavo's own books alone", async () => {
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, client }) => {
        sim.connect(url, () => Promise.resolve(new Response()));
        const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl: `${url}/hooks` });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        await sim.clock.settle();
        expect(sim.webhooks.attempts()).toHaveLength(2);
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "webhook.wrong-secret" },
  );
  expect(judged.map(({ shaken }) => shaken?.outcome.is)).toContain("passed");
  expect(findings).toEqual([]);
});

test("a control that fails excuses no other failure of the same assertion", async () => {
  const { judged } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await sell({ sim, network, visit });
        await sim.clock.advance("1 hour");
        const run = process.env[RUN_VARIABLE];
        if (run === "1") assert.equal(1, 2);
        if (run === "3") assert.equal(3, 4);
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "response.late 3s" },
  );
  expect(judged.map(({ judgement }) => judgement.is)).toEqual(["noticed", "borne", "test"]);
});

test("a trouble is not tried where its event does not come again, although the service behaves otherwise", async () => {
  const { judged } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        if (process.env[RUN_VARIABLE] === "0") await sell({ sim, network, visit });
        await sim.clock.settle();
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "twice at once" },
  );
  expect(new Set(judged.map(({ judgement }) => judgement.is))).toEqual(new Set(["untried"]));
});

test("what an earlier test left running accuses no later one", async () => {
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
  let breakOff: () => void = () => undefined;
  const suite: Suite = {
    "the first": async ({ sim, network, visit }) => {
      await sell({ sim, network, visit });
      const { promise, reject } = Promise.withResolvers();
      breakOff = () => reject(new TypeError("fetch failed"));
      void promise.then(() => undefined);
      await sim.clock.settle();
    },
    "the second": async ({ sim, network, visit }) => {
      await sell({ sim, network, visit });
      if (process.env[RUN_VARIABLE] !== "0") breakOff();
      await new Promise((resolve) => setImmediate(resolve));
      await sim.clock.settle();
    },
  };
  try {
    const { judged, findings } = await shakenIn(suite, {
      isWanted: ({ trouble }) => trouble.name === "webhook.duplicate",
    });
    expect(findings).toEqual([]);
    expect(new Set(judged.map(({ judgement }) => judgement.is))).toEqual(new Set(["borne"]));
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  }
});

test("a test that comes to the end of its time limit closes no blind spot", async () => {
  const { judged, blindSpots } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await sell({ sim, network, visit });
        await sim.clock.settle();
        if (process.env[RUN_VARIABLE] !== "0") throw new Error("Test timed out in 5000ms.");
      },
    },
    { blindSpots: true, isWanted: ({ trouble }) => trouble.name === "webhook.other-value" },
  );
  expect(new Set(judged.map(({ judgement }) => judgement.is))).toEqual(new Set(["untried"]));
  expect(blindSpots).toEqual({ open: [], closed: 0 });
});
