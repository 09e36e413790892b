import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/engine/engine.ts";
import { faultFamily, faultKind } from "../../src/faults/declaration.ts";
import { Faults } from "../../src/faults/faults.ts";
import { KnownFaults } from "../../src/faults/reading.ts";
import { Merchant } from "../merchant.ts";
import { declinedOf } from "./charges.ts";

const decline = { kind: "processor.decline", code: "blocked" } as const;

const countsOf = ({ faults }: Simulator): number[][] => faults.list().map(({ occasions, hits }) => [occasions, hits]);

const merchantOf = async (sim: Simulator): Promise<Merchant> => Merchant.of(sim);

describe("a world that is restored", () => {
  test("has the faults and the counts of its snapshot, in another process too", async () => {
    const shop = await Merchant.open();
    const { sim } = shop;
    sim.faults.add({ ...decline, times: 3, id: "thrice" });
    sim.faults.add({ kind: "processor.stuck", resource: "pi_nobody" });
    await declinedOf(shop, 2);
    const kept = JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<Simulator["snapshot"]>;
    const planned = sim.faults.list();
    sim.faults.clear();
    await declinedOf(shop, 1);

    const elsewhere = createSimulator();
    for (const world of [sim, elsewhere]) {
      world.restore(kept);
      expect(world.faults.list()).toEqual(planned);
      expect(countsOf(world)).toEqual([
        [2, 2],
        [0, 0],
      ]);
      expect(await declinedOf(await merchantOf(world), 2)).toEqual([1]);
      expect(world.faults.add(decline).id).toBe("fault_3");
    }
  });

  test("goes on with the chance that it had", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ ...decline, probability: 0.5 });
    await declinedOf(shop, 5);
    const kept = shop.sim.snapshot();
    const first = await declinedOf(shop, 20);
    shop.sim.restore(kept);
    expect(await declinedOf(await merchantOf(shop.sim), 20)).toEqual(first);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(20);
  });

  test("is what a handle of an earlier one speaks of", async () => {
    const shop = await Merchant.open();
    const before = shop.sim.snapshot();
    const fault = shop.sim.faults.add(decline);
    const added = shop.sim.snapshot();
    await declinedOf(shop, 2);
    expect(fault.hits).toBe(2);
    shop.sim.restore(added);
    expect(fault.hits).toBe(0);
    shop.sim.restore(before);
    expect(fault.hits).toBe(0);
    fault.remove();
    shop.sim.restore(added);
    fault.remove();
    expect(shop.sim.faults.list()).toEqual([]);
  });
});

describe("a fork", () => {
  test("has its parent's faults, and counts for itself", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ ...decline, times: 2 });
    await declinedOf(shop, 1);
    const fork = await merchantOf(shop.sim.fork());
    expect(fork.sim.faults.list()).toEqual(shop.sim.faults.list());
    expect(await declinedOf(fork, 2)).toEqual([1]);
    expect(countsOf(fork.sim)).toEqual([[3, 2]]);
    expect(countsOf(shop.sim)).toEqual([[1, 1]]);
    expect(await declinedOf(shop, 2)).toEqual([1]);
  });

  test("plans and forgets without its parent, and the other way round", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ ...decline, id: "both" });
    const fork = shop.sim.fork();
    fork.faults.add({ kind: "processor.stuck", id: "fork's" });
    shop.sim.faults.remove("both");
    shop.sim.faults.add({ kind: "processor.stuck", id: "parent's" });
    expect(fork.faults.list().map(({ id }) => id)).toEqual(["both", "fork's"]);
    expect(shop.sim.faults.list().map(({ id }) => id)).toEqual(["parent's"]);
  });
});

describe("a handle from before a reset", () => {
  test.each([
    ["another", { kind: "request.hang" }],
    ["the same", decline],
  ] as const)("has no power over %s fault of its name", async (_which, fresh) => {
    const shop = await Merchant.open();
    const old = shop.sim.faults.add(decline);
    await declinedOf(shop, 1);
    shop.sim.reset();
    const added = shop.sim.faults.add(fresh);
    expect(added.id).toBe(old.id);
    old.remove();
    expect(shop.sim.faults.list()).toHaveLength(1);
    await expect(old.struck()).rejects.toMatchObject({ code: "INVALID_STATE" });
    added.remove();
    expect(shop.sim.faults.list()).toEqual([]);
  });
});

test("a world that is reset has no faults, nor ever had one, and names the next as at its beginning", async () => {
  const shop = await Merchant.open();
  const fault = shop.sim.faults.add(decline);
  shop.sim.faults.add(decline);
  await declinedOf(shop, 1);
  shop.sim.reset();
  expect(shop.sim.faults.list()).toEqual([]);
  expect(fault.hits).toBe(0);
  expect(await declinedOf(await merchantOf(shop.sim), 1)).toEqual([]);
  expect(shop.sim.faults.add(decline).id).toBe("fault_1");
  shop.sim.reset();
  expect(shop.sim.snapshot()).toEqual(createSimulator({ webhookUrl: "https://shop.example/hooks" }).snapshot());
});

test("what a fault does is undone with the unit in which it fired: the counts, the chance and the journal", () => {
  const engine = new Engine({ seed: "1", now: 0 });
  const kinds = [
    faultKind<{ hasFired: boolean }>()({
      kind: "parcel.lost",
      fields: {},
      effect(_fault, parcel) {
        parcel.hasFired = true;
      },
    }),
  ];
  const known = new KnownFaults([faultFamily({ kinds, selectors: {} })]);
  const faults = new Faults({ engine, known, redact: (value) => value });
  const fault = faults.add({ kind: "parcel.lost", probability: 0.5 });
  const fireOften = (): boolean[] =>
    Array.from({ length: 20 }, (_, index) => faults.fire(kinds, { note: { index } }, { hasFired: false }).hasFired);

  const before = engine.snapshot();
  const undone: boolean[] = [];
  const attempt = (): void => {
    undone.push(...fireOften());
    throw new Error("no");
  };
  expect(() => engine.unit(attempt)).toThrow("no");
  expect(engine.snapshot()).toEqual(before);
  expect(fault.hits).toBe(0);
  expect(engine.unit(fireOften)).toEqual(undone);
  expect(fault.hits).toBe(undone.filter(Boolean).length);
  expect(new Set(undone)).toEqual(new Set([true, false]));
});
