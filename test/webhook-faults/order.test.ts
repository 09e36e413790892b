import { createSimulator, type Fault, type Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { type Received, secondMerchant, merchantWith } from "./verifying-merchant.ts";

function idsOf(received: readonly Received[]): string[] {
  return received.map(({ event }) => event?.id ?? "");
}

/** Two payments, ten seconds apart, with the events of both held back by a fault. */
async function twoPayments(fault: Fault, seed = "one") {
  const verifying = await merchantWith([fault], { options: { seed } });
  await verifying.merchant.pay({});
  await verifying.sim.clock.advance("10 seconds");
  await verifying.merchant.pay({});
  return { ...verifying, announced: () => verifying.sim.webhooks.events().map(({ id }) => id) };
}

describe("events that are reordered", () => {
  test("are held until the window of the first ends, and come in reverse", async () => {
    const { sim, received, seconds, announced } = await twoPayments({ kind: "webhook.reorder", within: "1 minute" });
    await sim.clock.advance("49 seconds 999 milliseconds");
    expect(received).toEqual([]);
    await sim.clock.advance("1 millisecond");
    expect(seconds()).toEqual([60, 60, 60, 60]);
    expect(idsOf(received)).toEqual(announced().toReversed());
    expect(String(sim.journal)).toMatch(/fault {5}fault_1 releases \["evt_/);
  });

  test("come in a random order that the seed decides", async () => {
    const orders = [];
    for (const seed of ["one", "one", "two", "three"]) {
      const { sim, received, announced } = await twoPayments(
        { kind: "webhook.reorder", within: "1 minute", order: "shuffled" },
        seed,
      );
      await sim.clock.advance("1 minute");
      expect(idsOf(received).toSorted()).toEqual(announced().toSorted());
      orders.push(
        idsOf(received)
          .map((id) => announced().indexOf(id))
          .join(""),
      );
    }
    expect(orders[0]).toBe(orders[1]);
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  test("belong to a new window after the first has ended", async () => {
    const { sim, merchant, received, types } = await merchantWith([{ kind: "webhook.reorder", within: "1 minute" }]);
    await merchant.pay({});
    await sim.clock.advance("1 minute");
    expect(types()).toEqual(["succeeded", "processing"]);
    await merchant.pay({});
    await sim.clock.advance("59 seconds");
    expect(received).toHaveLength(2);
    await sim.clock.advance("1 second");
    expect(types()).toEqual(["succeeded", "processing", "succeeded", "processing"]);
  });

  test("keep the order that they came to when they are tried again, because each is retried from its own failure", async () => {
    const { sim, merchant, types } = await merchantWith([{ kind: "webhook.reorder", within: "1 minute" }], {
      answer: (_, count) => new Response(null, { status: count <= 2 ? 500 : 200 }),
    });
    await merchant.pay({});
    await sim.clock.advance("2 minutes");
    expect(types()).toEqual(["succeeded", "processing", "succeeded", "processing"]);
  });

  test("wait for the end of the window even if the fault was removed", async () => {
    const { sim, received } = await twoPayments({ kind: "webhook.reorder", within: "1 minute" });
    sim.faults.clear();
    await sim.clock.advance("1 minute");
    expect(received).toHaveLength(4);
  });

  test("are in the window of their own fault, even if an earlier fault had the same name", async () => {
    const { sim, merchant, received, types, seconds } = await merchantWith([
      { id: "same", kind: "webhook.burst", within: "10 minutes" },
    ]);
    await merchant.pay({});
    await sim.clock.advance("1 minute");
    sim.faults.remove("same");
    sim.faults.add({ id: "same", kind: "webhook.reorder", within: "2 minutes" });
    await merchant.pay({});
    const kept = sim.snapshot();
    for (const world of ["as it is", "restored"]) {
      if (world === "restored") sim.restore(kept);
      received.length = 0;
      await sim.clock.advance("20 minutes");
      expect(types()).toEqual(["succeeded", "processing", "processing", "succeeded"]);
      expect(seconds()).toEqual([180, 180, 600, 600]);
    }
  });

  test("go out at once when they are redelivered, and again at the end of the window", async () => {
    const { sim, merchant, types, seconds } = await merchantWith([{ kind: "webhook.reorder", within: "1 minute" }]);
    await merchant.pay({});
    await sim.clock.advance("10 seconds");
    sim.webhooks.redeliver(sim.webhooks.events()[0]?.id ?? "");
    await sim.clock.advance("1 minute");
    expect(types()).toEqual(["processing", "succeeded", "processing"]);
    expect(seconds()).toEqual([10, 60, 60]);
  });

  test("may be delayed and duplicated on top", async () => {
    const { sim, merchant, types, seconds } = await merchantWith([
      { kind: "webhook.reorder", within: "1 minute" },
      { kind: "webhook.delay", event: "*.succeeded", delay: "10 seconds" },
      { kind: "webhook.duplicate", event: "*.processing", delay: "20 seconds" },
    ]);
    await merchant.pay({});
    await sim.clock.advance("2 minutes");
    expect(types()).toEqual(["processing", "succeeded", "processing"]);
    expect(seconds()).toEqual([60, 70, 80]);
  });
});

test("a burst comes all at once, in order", async () => {
  const { sim, received, seconds, announced } = await twoPayments({ kind: "webhook.burst", within: "1 hour" });
  await sim.clock.advance("1 hour");
  expect(seconds()).toEqual([3600, 3600, 3600, 3600]);
  expect(idsOf(received)).toEqual(announced());
});

test("a burst of thousands is not taken for a loop", async () => {
  const { sim, merchant } = await merchantWith([
    { kind: "webhook.duplicate", copies: 100 },
    { kind: "webhook.burst", within: "1 hour" },
  ]);
  let count = 0;
  sim.connect("https://shop.example", () => {
    count += 1;
    return new Response();
  });
  for (let payment = 0; payment < 26; payment += 1) await merchant.pay({});
  await sim.clock.advance("1 hour");
  expect(count).toBe(26 * 2 * 101);
});

test("the events of two merchants are interleaved, each merchant's in order", async () => {
  const { sim, merchant, received } = await merchantWith([{ kind: "webhook.interleave", within: "1 minute" }]);
  const second = await secondMerchant(merchant);
  await merchant.pay({});
  await merchant.pay({});
  await second.merchant.pay({});
  await sim.clock.advance("1 minute");

  const announced = sim.webhooks.events();
  const at = (origin: string) => announced.filter(({ url }) => url?.startsWith(origin)).map(({ id }) => id);
  const [mine, theirs] = [at("https://shop.example"), at("https://second.example")];
  expect(idsOf(received)).toEqual(mine);
  expect(idsOf(second.received)).toEqual(theirs);
  expect(sim.webhooks.attempts().map(({ eventId }) => eventId)).toEqual([
    mine[0],
    theirs[0],
    mine[1],
    theirs[1],
    mine[2],
    mine[3],
  ]);
});

describe("a world that is kept in the middle of a window", () => {
  test("comes to the same end, restored from JSON or forked", async () => {
    const { sim } = await twoPayments({ kind: "webhook.reorder", within: "1 minute", order: "shuffled" });
    const kept = JSON.stringify(sim.snapshot());
    const fork = sim.fork({ connect: false });
    await sim.clock.advance("1 hour");

    const restored = createSimulator({ seed: "one" });
    restored.restore(JSON.parse(kept) as Snapshot);
    for (const world of [restored, fork]) {
      world.connect("https://shop.example", () => new Response());
      await world.clock.advance("1 hour");
      expect(world.webhooks.attempts()).toEqual(sim.webhooks.attempts());
      expect(world.journal.digest()).toBe(sim.journal.digest());
    }
  });
});
