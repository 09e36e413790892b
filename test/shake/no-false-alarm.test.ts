import assert from "node:assert/strict";
import { expect, test } from "vitest";
import type { SimulatedOptions, TestParts } from "centavo/testing";
import { CentavoError } from "../../src/kit/base/errors/centavo-error.ts";
import { RUN_VARIABLE } from "../../src/testing/shake/run-folder.ts";
import { openSmallShop } from "../exam/small-shop.ts";
import type { Orders } from "../exam/small-shop.ts";
import { shakenIn } from "./in-process.ts";

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
