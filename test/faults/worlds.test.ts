import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import { faultFamily, faultKind } from "../../src/kit/faults/declaration.ts";
import { Faults } from "../../src/kit/faults/faults.ts";
import { KnownFaults } from "../../src/kit/faults/reading.ts";
import { Merchant } from "../merchant.ts";
import { declinedOf } from "./charges.ts";

const decline = { kind: "processor.decline", code: "blocked" } as const;

const countsOf = ({ faults }: Simulator): number[][] => faults.list().map(({ occasions, hits }) => [occasions, hits]);

describe("a world that is restored", () => {
  test("has the faults and the counts of its snapshot, in another process too", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    sim.faults.add({ ...decline, times: 3, id: "thrice" });
    sim.faults.add({ kind: "processor.stuck", resource: "pi_nobody" });
    await declinedOf(merchant, 2);
    const kept = JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<Simulator["snapshot"]>;
    const planned = sim.faults.list();
    sim.faults.clear();
    await declinedOf(merchant, 1);

    const elsewhere = createSimulator();
    for (const world of [sim, elsewhere]) {
      world.restore(kept);
      expect(world.faults.list()).toEqual(planned);
      expect(countsOf(world)).toEqual([
        [2, 2],
        [0, 0],
      ]);
      expect(await declinedOf(await Merchant.of(world), 2)).toEqual([1]);
      expect(world.faults.add(decline).id).toBe("fault_3");
    }
  });

  test("goes on with the chance that it had", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ ...decline, probability: 0.5 });
    await declinedOf(merchant, 5);
    const kept = merchant.sim.snapshot();
    const first = await declinedOf(merchant, 20);
    merchant.sim.restore(kept);
    expect(await declinedOf(await Merchant.of(merchant.sim), 20)).toEqual(first);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(20);
  });

  test("is the one that a handle of an earlier world reads", async () => {
    const merchant = await Merchant.open();
    const before = merchant.sim.snapshot();
    const fault = merchant.sim.faults.add(decline);
    const added = merchant.sim.snapshot();
    await declinedOf(merchant, 2);
    expect(fault.hits).toBe(2);
    merchant.sim.restore(added);
    expect(fault.hits).toBe(0);
    merchant.sim.restore(before);
    expect(fault.hits).toBe(0);
    fault.remove();
    merchant.sim.restore(added);
    fault.remove();
    expect(merchant.sim.faults.list()).toEqual([]);
  });
});

describe("a fork", () => {
  test("has its parent's faults, and counts for itself", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ ...decline, times: 2 });
    await declinedOf(merchant, 1);
    const fork = await Merchant.of(merchant.sim.fork());
    expect(fork.sim.faults.list()).toEqual(merchant.sim.faults.list());
    expect(await declinedOf(fork, 2)).toEqual([1]);
    expect(countsOf(fork.sim)).toEqual([[3, 2]]);
    expect(countsOf(merchant.sim)).toEqual([[1, 1]]);
    expect(await declinedOf(merchant, 2)).toEqual([1]);
  });

  test("adds and removes faults independently of its parent", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ ...decline, id: "both" });
    const fork = merchant.sim.fork();
    fork.faults.add({ kind: "processor.stuck", id: "fork's" });
    merchant.sim.faults.remove("both");
    merchant.sim.faults.add({ kind: "processor.stuck", id: "parent's" });
    expect(fork.faults.list().map(({ id }) => id)).toEqual(["both", "fork's"]);
    expect(merchant.sim.faults.list().map(({ id }) => id)).toEqual(["parent's"]);
  });
});

describe("a handle from before a reset", () => {
  test.each([
    ["another", { kind: "request.hang" }],
    ["the same", decline],
  ] as const)("has no power over %s fault of its name", async (_which, fresh) => {
    const merchant = await Merchant.open();
    const old = merchant.sim.faults.add(decline);
    await declinedOf(merchant, 1);
    merchant.sim.reset();
    const added = merchant.sim.faults.add(fresh);
    expect(added.id).toBe(old.id);
    old.remove();
    expect(merchant.sim.faults.list()).toHaveLength(1);
    await expect(old.struck()).rejects.toMatchObject({ code: "INVALID_STATE" });
    added.remove();
    expect(merchant.sim.faults.list()).toEqual([]);
  });
});

test("a world that is reset has no faults, and names the next one as a new world would", async () => {
  const merchant = await Merchant.open();
  const fault = merchant.sim.faults.add(decline);
  merchant.sim.faults.add(decline);
  await declinedOf(merchant, 1);
  merchant.sim.reset();
  expect(merchant.sim.faults.list()).toEqual([]);
  expect(fault.hits).toBe(0);
  expect(await declinedOf(await Merchant.of(merchant.sim), 1)).toEqual([]);
  expect(merchant.sim.faults.add(decline).id).toBe("fault_1");
  merchant.sim.reset();
  expect(merchant.sim.snapshot()).toEqual(createSimulator({ webhookUrl: "https://shop.example/hooks" }).snapshot());
});

test("what a fault does is undone with the unit in which it fired: the counts, the chance and the journal", () => {
  const engine = new Engine({ seed: "1", now: 0 });
  const kinds = [
    faultKind<{ hasFired: boolean }>()({
      kind: "parcel.lost",
      inWords: "a parcel that never arrives",
      fields: {},
      effect(_fault, parcel) {
        parcel.hasFired = true;
      },
    }),
  ];
  const known = new KnownFaults([faultFamily({ kinds, selectors: {} })]);
  const faults = new Faults({ engine, known });
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
