import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

describe("a unit", () => {
  test("gives back what its work gives, and its writes stand", () => {
    const { engine, shelves } = new ParcelWorld();
    expect(
      engine.unit(() => {
        shelves.set("s1", { load: 3 });
        return "done";
      }),
    ).toBe("done");
    expect(shelves.get("s1")).toEqual({ load: 3 });
  });

  test("inside another one is refused, and the outer one may go on without it", () => {
    const { engine, shelves } = new ParcelWorld();
    engine.unit(() => {
      shelves.set("s1", { load: 1 });
      expect(() => engine.unit(() => shelves.set("s2", { load: 2 }))).toThrow(/Commands do not nest/);
      shelves.set("s3", { load: 3 });
    });
    expect(shelves.entries().map(([id]) => id)).toEqual(["s1", "s3"]);
  });

  test("with work that returns a promise is undone, because its later part would run outside", () => {
    const { engine, shelves } = new ParcelWorld();
    const work = async (): Promise<void> => shelves.set("s1", { load: 1 });
    expect(() => engine.unit(work)).toThrow(/returned a promise/);
    expect(shelves.size).toBe(0);
  });

  test("ends before anything else may be written", () => {
    const world = new ParcelWorld();
    const { engine, shelves } = world;
    engine.unit(() => engine.random.below("dice", 6));
    const before = engine.snapshot();
    const outside = /written to outside a unit/;
    expect(() => shelves.set("s1", { load: 1 })).toThrow(outside);
    expect(() => world.ringAt(5, "bell")).toThrow(outside);
    expect(() => engine.random.below("dice", 6)).toThrow(outside);
    expect(() => engine.random.below("dice", 6)).toThrow(outside);
    expect(() => engine.random.below("other dice", 6)).toThrow(outside);
    expect(engine.snapshot()).toEqual(before);
  });

  test.for(["snapshot", "restore", "copyFrom"] as const)("refuses %s while the world is half changed", (call) => {
    const { engine } = new ParcelWorld();
    const snapshot = engine.snapshot();
    const other = new ParcelWorld().engine;
    const calls: Record<typeof call, () => unknown> = {
      snapshot: () => engine.snapshot(),
      restore: () => engine.restore(snapshot),
      copyFrom: () => other.copyFrom(engine),
    };
    expect(() => engine.unit(calls[call])).toThrow(
      `sim.${call === "copyFrom" ? "fork" : call}() was called while a command was still running`,
    );
  });

  test("lets every reaction answer every fact, in the order in which they happened, before it ends", () => {
    const { engine, parcels } = new ParcelWorld();
    const heard: string[] = [];
    engine.onFact(({ type, row }) => {
      heard.push(`first hears ${type} of ${row.id}`);
      if (type === "parcel.sent" && row.id === "p1") parcels.step("p1", { type: "arrive" });
    });
    engine.onFact(({ type, row }) => heard.push(`second hears ${type} of ${row.id}`));
    engine.unit(() => {
      for (const id of ["p1", "p2"]) {
        parcels.create(id, { label: id, travelTime: 10 });
        parcels.step(id, { type: "send" });
      }
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual([
      "first hears parcel.sent of p1",
      "second hears parcel.sent of p1",
      "first hears parcel.sent of p2",
      "second hears parcel.sent of p2",
      "first hears parcel.delivered of p1",
      "second hears parcel.delivered of p1",
    ]);
  });

  test("is undone whole when a reaction throws, and its facts are forgotten", () => {
    const world = new ParcelWorld();
    const heard: string[] = [];
    world.engine.onFact(({ type }) => {
      heard.push(type);
      if (heard.length === 1) throw new Error("deaf");
    });
    const before = world.engine.snapshot();
    expect(() => world.send("p1", 10)).toThrow("deaf");
    expect(world.engine.snapshot()).toEqual(before);
    world.engine.unit(() => {});
    expect(heard).toEqual(["parcel.sent"]);
  });

  test("is required for publishing facts", () => {
    const world = new ParcelWorld();
    world.send("p1", 10);
    const row = world.parcels.rows.get("p1");
    if (row === undefined) throw new Error("p1 was just sent");
    const fact = { type: "parcel.seen", resource: "parcel", row, at: 0 };
    expect(() => world.engine.publish(fact)).toThrow(/published outside a unit/);
  });
});

describe("a part of the world", () => {
  test("is declared once", () => {
    const { engine } = new ParcelWorld();
    expect(() => engine.table("shelves", { row: z.unknown() })).toThrow(/"shelves" is declared twice/);
    expect(() => engine.onTimer("parcel", () => {})).toThrow(/Two parts run the timers of "parcel"/);
  });
});
