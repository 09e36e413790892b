import * as z from "zod/mini";
import { beforeEach, describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import type { Table, TableObserver } from "../../src/kit/engine/table.ts";

interface Parcel {
  readonly weight: number;
}

/** Keeps the weights of a table from its notifications alone. */
class Scales implements TableObserver<Parcel> {
  weights: number[] = [];

  replaced(from: Parcel | undefined, to: Parcel | undefined): void {
    if (to !== undefined && to.weight < 0) throw new Error("nothing weighs less than nothing");
    if (from !== undefined) this.weights.splice(this.weights.indexOf(from.weight), 1);
    if (to !== undefined) this.weights.push(to.weight);
  }

  cleared(): void {
    this.weights = [];
  }
}

interface Depot {
  readonly engine: Engine;
  readonly scales: Scales;
  readonly parcels: Table<Parcel>;
}

function depot(): Depot {
  const engine = new Engine({ seed: "1", now: 0 });
  const scales = new Scales();
  return { engine, scales, parcels: engine.table("parcels", { row: z.custom<Parcel>(), observer: scales }) };
}

function put({ engine, parcels }: Depot, weights: Readonly<Record<string, number>>): void {
  engine.unit(() => {
    for (const [id, weight] of Object.entries(weights)) parcels.set(id, { weight });
  });
}

/** What an observer has to know, computed from the rows. */
function weighed({ parcels }: Depot): number[] {
  return [...parcels.values()].map(({ weight }) => weight).toSorted((left, right) => left - right);
}

describe("what is derived from a table's rows", () => {
  let here: Depot;

  beforeEach(() => {
    here = depot();
    put(here, { p1: 1, p2: 2 });
    put(here, { p1: 3 });
  });

  const check = (of: Depot, expected: readonly number[]): void => {
    expect(weighed(of)).toEqual(expected);
    expect(of.scales.weights.toSorted((left, right) => left - right)).toEqual(expected);
  };

  test("follows rows that are made and changed", () => {
    check(here, [2, 3]);
  });

  test("follows a rollback of any rows that were made and changed", () => {
    const failing = (): void => {
      here.parcels.set("p3", { weight: 7 });
      here.parcels.set("p1", { weight: 8 });
      here.parcels.set("p3", { weight: 9 });
      throw new Error("no");
    };
    expect(() => here.engine.unit(failing)).toThrow("no");
    check(here, [2, 3]);
  });

  test("follows forgotten rows, through any later creations, changes and rollbacks", () => {
    put(here, { p3: 5, p4: 6 });
    here.parcels.forget(["p1", "p3", "p0"]);
    check(here, [2, 6]);
    put(here, { p1: 4, p2: 7 });
    const failing = (): void => {
      here.parcels.set("p5", { weight: 9 });
      throw new Error("no");
    };
    expect(() => here.engine.unit(failing)).toThrow("no");
    check(here, [4, 6, 7]);
  });

  test("follows a restore, back and forth", () => {
    const before = here.engine.snapshot();
    put(here, { p2: 5, p4: 6 });
    const after = here.engine.snapshot();
    here.engine.restore(before);
    check(here, [2, 3]);
    here.engine.restore(after);
    check(here, [3, 5, 6]);
  });

  test("is as it was after a snapshot that was refused", () => {
    const snapshot = here.engine.snapshot();
    const broken = {
      ...snapshot,
      tables: { parcels: [["p9", { weight: 9 }] as const, ["p8", { weight: -1 }] as const] },
    };
    expect(() => here.engine.restore(broken)).toThrow(/nothing weighs less than nothing/);
    check(here, [2, 3]);
    put(here, { p2: 4 });
    check(here, [3, 4]);
  });

  test("is taken over from another world, and goes its own way from there", () => {
    const fork = depot();
    put(fork, { p1: 50 });
    fork.engine.copyFrom(here.engine);
    check(fork, [2, 3]);
    put(fork, { p3: 10 });
    put(here, { p1: 20 });
    check(fork, [2, 3, 10]);
    check(here, [2, 20]);
  });
});
