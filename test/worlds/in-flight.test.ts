import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

/** A simulator in the middle of its first delivery, whose answer the test sends. */
async function inTheMiddleOfADelivery() {
  const sim = createSimulator();
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const ids: string[] = [];
  sim.connect(SHOP, async (request) => {
    ids.push(((await request.json()) as { id: string }).id);
    arrived.resolve();
    return ids.length === 1 ? answer.promise : new Response();
  });
  const merchant = await Merchant.of(sim);
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  const moving = sim.clock.settle();
  await arrived.promise;
  const finish = async () => {
    answer.resolve(new Response());
    await moving;
  };
  return { sim, ids, finish };
}

async function receivedBy(sim: Simulator): Promise<string[]> {
  const ids: string[] = [];
  sim.connect(SHOP, async (request) => {
    ids.push(((await request.json()) as { id: string }).id);
    return new Response();
  });
  await sim.clock.settle();
  return ids;
}

describe("a world kept while a delivery is under way", () => {
  test("holds that attempt as not yet made, and sends it again with the same event id", async () => {
    const { sim, ids, finish } = await inTheMiddleOfADelivery();
    const snapshot = sim.snapshot();
    await finish();
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 1 }]);

    const restored = createSimulator();
    restored.restore(snapshot);
    expect(restored.webhooks.events()).toMatchObject([{ status: "pending", attempts: 0 }]);
    expect(await receivedBy(restored)).toEqual(ids);
    expect(restored.journal.digest()).toBe(sim.journal.digest());
  });

  test("and so does a fork made then", async () => {
    const { sim, ids, finish } = await inTheMiddleOfADelivery();
    const fork = sim.fork();
    expect(await receivedBy(fork)).toEqual(ids);
    await finish();
    expect(fork.journal.digest()).toBe(sim.journal.digest());
  });
});

describe("an answer that comes after its world was replaced", () => {
  test.each(["reset", "restore"] as const)("by %s is noted in the journal and dropped", async (how) => {
    const { sim, finish } = await inTheMiddleOfADelivery();
    if (how === "reset") sim.reset();
    else sim.restore(createSimulator().snapshot());
    await finish();
    expect(sim.webhooks.events()).toEqual([]);
    expect(sim.webhooks.attempts()).toEqual([]);
    expect(String(sim.journal)).toContain("answered after the world was replaced, and dropped");
  });

  test("is left out of the digest, because its time is not deterministic", async () => {
    const { sim, finish } = await inTheMiddleOfADelivery();
    sim.reset();
    await finish();
    const fresh = createSimulator();
    for (const each of [sim, fresh]) {
      const merchant = await Merchant.of(each);
      await merchant.pay({});
    }
    expect(sim.journal.digest()).toBe(fresh.journal.digest());
  });

  test("does not block the clock of the new world", async () => {
    const { sim, ids, finish } = await inTheMiddleOfADelivery();
    sim.reset();
    const merchant = await Merchant.of(sim);
    await merchant.pay();
    await sim.clock.settle();
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
    await finish();
    expect(ids).toHaveLength(3);
    expect(sim.webhooks.attempts()).toHaveLength(2);
  });

  test("is not under way in the new world", async () => {
    const { sim, finish } = await inTheMiddleOfADelivery();
    sim.reset();
    expect(sim.snapshot()).toEqual(createSimulator().snapshot());
    await finish();
  });
});

test("connecting again during a delivery does not send it twice", async () => {
  const { sim, ids, finish } = await inTheMiddleOfADelivery();
  sim.connect(SHOP, () => new Response());
  await finish();
  await sim.clock.settle();
  expect(ids).toHaveLength(1);
  expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 1 }]);
});
