import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import type { Table } from "../../src/kit/engine/table.ts";

interface Parcel {
  readonly code: string;
}

interface Depot {
  readonly engine: Engine;
  readonly parcels: Table<Parcel>;
  /** Rows that unfinished work still needs. */
  readonly needed: Set<string>;
  /** How many rows were looked at. */
  asked: number;
  arrive(id: string): void;
  /** A parcel comes to its end. */
  deliver(...ids: readonly string[]): void;
}

function depot(keep?: number): Depot {
  const engine = new Engine({ seed: "1", now: 0, ...(keep === undefined ? {} : { keep }) });
  const parcels = engine.table<Parcel>("parcels", {
    row: z.object({ code: z.string() }),
    keys: { code: ({ code }) => code },
  });
  const needed = new Set<string>();
  engine.history.track("parcels", {
    isNeeded: (id) => {
      here.asked += 1;
      return needed.has(id);
    },
    forget: (ids) => parcels.forget(ids),
  });
  const here: Depot = {
    engine,
    parcels,
    needed,
    asked: 0,
    arrive: (id) => engine.unit(() => parcels.set(id, { code: `code of ${id}` })),
    deliver: (...ids) => engine.unit(() => ids.forEach((id) => engine.history.finish("parcels", id))),
  };
  return here;
}

/** Parcels that arrive and are delivered at once. */
function pass({ arrive, deliver }: Pick<Depot, "arrive" | "deliver">, from: number, to: number): void {
  for (let number = from; number <= to; number += 1) {
    arrive(`p${number}`);
    deliver(`p${number}`);
  }
}

test("a bounded history keeps what is needed beyond its bound, up to a limit", () => {
  const engine = new Engine({ seed: "1", now: 0, keep: 10 });
  const stamps = engine.table("stamps", { row: z.literal(true) });
  engine.history.track("stamps", {
    isNeeded: () => true,
    mostNeeded: 50,
    forget: (ids) => stamps.forget(ids),
  });
  for (let number = 0; number < 1000; number += 1) {
    engine.unit(() => {
      stamps.set(`s${number}`, true);
      engine.history.finish("stamps", `s${number}`);
    });
    expect(stamps.size).toBeLessThanOrEqual(10 + 50 + 64);
    expect(stamps.size).toBeGreaterThanOrEqual(Math.min(number + 1, 10 + 50));
  }
  expect(stamps.get("s999")).toBe(true);
});

test("a bounded history refuses a kind that is not tracked", () => {
  const { engine } = depot(10);
  expect(() => engine.unit(() => engine.history.finish("letters", "l1"))).toThrow(
    'The history does not track "letters", so a bounded world could not forget it. Call track first.',
  );
});

describe("a bounded history", () => {
  test("keeps what came to its end last, whenever it was made, and everything that has not", () => {
    const here = depot(10);
    for (const id of ["old", "older", "open"]) here.arrive(id);
    here.deliver("older");
    pass(here, 1, 72);
    expect(here.parcels.size).toBe(75);
    here.deliver("old");
    expect([...here.parcels.ids()]).toEqual([
      "old",
      "open",
      ...Array.from({ length: 9 }, (_, index) => `p${64 + index}`),
    ]);
    expect(here.parcels.by("code", "code of p1")).toBeUndefined();
    expect(here.parcels.by("code", "code of p64")).toBe(here.parcels.get("p64"));
  });

  test("is all there without a bound", () => {
    const here = depot();
    pass(here, 1, 500);
    expect([here.parcels.size, here.asked]).toEqual([500, 0]);
    expect(here.engine.snapshot().tables["finished-parcels"]).toEqual([]);
  });

  test("keeps what is needed until it no longer is", () => {
    const here = depot(1);
    here.needed.add("p1");
    pass(here, 1, 200);
    expect(here.parcels.get("p1")).toBeDefined();
    here.needed.clear();
    pass(here, 201, 300);
    expect(here.parcels.get("p1")).toBeUndefined();
  });

  test("lets go of nothing within a unit, and of nothing that a unit took back", () => {
    const here = depot(1);
    pass(here, 1, 64);
    const attempt = (): void => {
      here.parcels.set("p65", { code: "65" });
      throw new Error("no");
    };
    expect(() => here.engine.unit(attempt)).toThrow("no");
    expect(here.parcels.size).toBe(64);
    here.engine.unit(() => {
      here.parcels.set("p65", { code: "65" });
      expect(here.parcels.size).toBe(65);
    });
    here.deliver("p65");
    expect([...here.parcels.ids()]).toEqual(["p65"]);
  });

  test("asks a bounded number of times for each, however many old ones are needed", () => {
    const here = depot(1);
    for (let number = 1; number <= 2000; number += 1) here.needed.add(`p${number}`);
    pass(here, 1, 10_000);
    expect(here.parcels.size).toBeGreaterThan(2000);
    expect(here.parcels.size).toBeLessThanOrEqual(2501);
    expect(here.asked / 10_000).toBeLessThan(6);
  });

  test("forgets the same in a restored world and in a fork", () => {
    const here = depot(20);
    here.needed.add("p3");
    pass(here, 1, 130);
    const copies = [depot(20), depot(20)] as const;
    copies[0].engine.restore(JSON.parse(JSON.stringify(here.engine.snapshot())) as ReturnType<Engine["snapshot"]>);
    copies[1].engine.copyFrom(here.engine);
    for (const world of [here, ...copies]) {
      world.needed.add("p3");
      pass(world, 131, 400);
    }
    for (const copy of copies) expect(copy.engine.snapshot()).toEqual(here.engine.snapshot());
  });
});
