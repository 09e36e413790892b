import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import type { Table } from "../../src/kit/engine/table.ts";
import { ParcelWorld } from "./parcels.ts";

interface Shelf {
  readonly load: number;
}

/** A world whose table has an observer that throws when a row with a load of 13 is rolled back. */
function withFragileObserver(): { engine: Engine; shelves: Table<Shelf>; stack: (loads: readonly number[]) => void } {
  const engine = new Engine({ seed: "1", now: 0 });
  const shelves = engine.table<Shelf>("shelves", {
    row: z.any(),
    observer: {
      replaced: (from, to) => {
        if (from?.load === 13 && to === undefined) throw new Error("the scales broke");
      },
      cleared: () => undefined,
    },
  });
  const stack = (loads: readonly number[]): void => {
    for (const load of loads) shelves.set(`s${load}`, { load });
  };
  return { engine, shelves, stack };
}

describe("a command that throws and cannot be rolled back completely", () => {
  function fail(): ReturnType<typeof withFragileObserver> {
    const here = withFragileObserver();
    const attempt = (): void => {
      here.stack([1, 13, 2]);
      throw new RangeError("no");
    };
    expect(() => here.engine.unit(attempt)).toThrow(new RangeError("no"));
    return here;
  }

  test("throws its own error, and the rest of it is rolled back", () => {
    expect(fail().shelves.size).toBe(0);
  });

  test("leaves the rollback's failure in the journal", () => {
    expect(fail().engine.journal.entries).toMatchObject([
      { kind: "failure", details: { message: "A command was not taken back whole: the scales broke" } },
    ]);
  });

  test("lets the next command run", () => {
    const { engine, shelves, stack } = fail();
    engine.unit(() => stack([5]));
    expect(shelves.get("s5")).toEqual({ load: 5 });
  });
});

test("a command that throws when the history would be trimmed throws its own error", () => {
  const engine = new Engine({ seed: "1", now: 0, history: { keep: 1 } });
  engine.history.track("parcels", {
    isNeeded: () => false,
    forget: () => {
      throw new Error("nothing is forgotten here");
    },
  });
  expect(() =>
    engine.unit(() => {
      for (let number = 0; number < 100; number += 1) engine.history.finish("parcels", `p${number}`);
    }),
  ).toThrow("nothing is forgotten here");
  expect(() =>
    engine.unit(() => {
      throw new RangeError("no");
    }),
  ).toThrow(new RangeError("no"));
});

test("a timer that fails is named, even if its command was not rolled back completely", async () => {
  const world = new ParcelWorld();
  const fragile = world.engine.table<Shelf>("fragile", {
    row: z.any(),
    observer: {
      replaced: (_, to) => {
        if (to === undefined) throw new Error("the scales broke");
      },
      cleared: () => undefined,
    },
  });
  world.onRing(() => {
    fragile.set("f1", { load: 1 });
    throw new RangeError("the rope tore");
  });
  world.engine.unit(() => world.ringAt(10, "bell"));
  await expect(world.clock.advance("1 second")).rejects.toMatchObject({
    code: "CLOCK_TIMER_FAILED",
    cause: new RangeError("the rope tore"),
  });
});
