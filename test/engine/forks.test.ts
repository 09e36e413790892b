import * as z from "zod/mini";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import { history, live, look, workshop } from "./random-work.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

describe("a fork", () => {
  test("and its parent never see each other's changes, and the same commands lead both to the same world", async () => {
    await fc.assert(
      fc.asyncProperty(history, history, history, async (past, future, another) => {
        const parent = workshop();
        await live(parent, past);
        const fork = workshop({ seed: "another", now: 1e12 });
        fork.engine.copyFrom(parent.engine);
        const parting = look(parent);
        expect(look(fork)).toStrictEqual(parting);
        await live(parent, future);
        expect(look(fork)).toStrictEqual(parting);
        await live(fork, future);
        const arrived = look(parent);
        expect(look(fork)).toStrictEqual(arrived);
        await live(fork, another);
        expect(look(parent)).toStrictEqual(arrived);
      }),
      { numRuns: 100, seed: 20_260_101 },
    );
  });

  test("is not touched by a command of its parent that is undone", async () => {
    const parent = workshop();
    parent.send("a", 10);
    const fork = workshop();
    fork.engine.copyFrom(parent.engine);
    const parting = look(fork);
    expect(() =>
      parent.engine.unit(() => {
        parent.parcels.step("a", { type: "return_to_sender" });
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(look(fork)).toStrictEqual(parting);
    await fork.clock.advance("1 second");
    expect(fork.parcels.rows.get("a")?.state).toBe("delivered");
    expect(parent.parcels.rows.get("a")?.state).toBe("on_the_way");
  });

  test("shares the rows themselves, which are immutable", () => {
    const parent = workshop();
    parent.send("a", 10);
    const fork = workshop();
    fork.engine.copyFrom(parent.engine);
    const row = fork.parcels.rows.get("a");
    expect(row).toBe(parent.parcels.rows.get("a"));
    expect(Object.isFrozen(row) && Object.isFrozen(row?.data)).toBe(true);
  });

  test("of a world with other tables is refused, naming both", () => {
    const { engine } = workshop();
    const other = new Engine({ seed: "1", now: 0 });
    other.table("plans", { row: z.unknown() });
    expect(() => engine.copyFrom(other)).toThrow(/tables parcel, shelves cannot take over one with the tables plans/);
  });
});
