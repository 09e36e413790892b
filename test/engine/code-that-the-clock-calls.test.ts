import { describe, expect, test } from "vitest";
import type { WorldSnapshot } from "../../src/kit/engine/world-snapshot.ts";
import { ParcelWorld } from "./parcels.ts";

/** A world and a snapshot of its beginning, which code that the clock calls may restore. */
function rewindable(): { world: ParcelWorld; rewind: () => void } {
  const world = new ParcelWorld();
  const beginning = world.engine.snapshot();
  return { world, rewind: () => world.engine.restore(beginning) };
}

/** A world that is a day old, and a snapshot of it when it was new and had one parcel. */
async function dayOld(): Promise<{ world: ParcelWorld; early: WorldSnapshot }> {
  const world = new ParcelWorld();
  world.send("p1", 0);
  const early = world.engine.snapshot();
  await world.clock.advance("1 day");
  return { world, early };
}

describe("a listener", () => {
  test("is told of the moment before each timer that runs, and at the end", async () => {
    const world = new ParcelWorld();
    world.onRing(() => undefined);
    world.engine.unit(() => {
      world.ringAt(10, "first");
      world.ringAt(10, "second");
    });
    const told: string[] = [];
    world.clock.onMove((now) => told.push(now));
    await world.clock.advance("20 ms");
    expect(told).toEqual(["1970-01-01T00:00:00.010Z", "1970-01-01T00:00:00.010Z", "1970-01-01T00:00:00.020Z"]);
    expect(told.at(-1)).toBe(world.clock.now());
  });

  test("may cancel a timer due at that very moment", async () => {
    const world = new ParcelWorld();
    const rung: string[] = [];
    world.onRing((name) => void rung.push(name));
    world.engine.unit(() => {
      world.ringAt(10, "cancelled");
      world.ringAt(10, "left");
    });
    world.clock.onMove(() => {
      if (world.engine.now === 10) world.engine.unit(() => world.engine.cancel("bell", "tower", "cancelled"));
    });
    await world.clock.advance("1 second");
    expect(rung).toEqual(["left"]);
  });

  test("that restores a world gives the listeners after it the time of that world", async () => {
    const { world, rewind } = rewindable();
    const told: string[] = [];
    world.clock.onMove(() => {
      if (world.engine.now === 1000) rewind();
    });
    world.clock.onMove((now) => told.push(now));
    await world.clock.advance("1 second");
    expect(world.engine.now).toBe(0);
    expect(told.at(-1)).toBe(world.clock.now());
  });

  test("that restores a world while another is restored leaves all of the one that it restored", async () => {
    const world = new ParcelWorld();
    const early = world.engine.snapshot();
    world.send("p1", 0);
    await world.clock.advance("1 day");
    const late = world.engine.snapshot();
    world.engine.restore(early);
    world.clock.onMove(() => {
      if (world.engine.now > 0) world.engine.restore(early);
    });
    world.engine.restore(late);
    expect(world.engine.snapshot()).toEqual(early);
  });

  test("that throws while a world is restored makes the call throw, and the world is still restored", async () => {
    const { world, early } = await dayOld();
    world.clock.onMove(() => {
      throw new RangeError("mine");
    });
    expect(() => world.engine.restore(early)).toThrow(new RangeError("mine"));
    expect(world.engine.snapshot()).toEqual(early);
  });

  test("is told nothing of a snapshot that cannot be read", async () => {
    const { world, early } = await dayOld();
    const before = world.engine.snapshot();
    const told: string[] = [];
    world.clock.onMove((now) => told.push(now));
    const parcels = early.tables["parcel"] ?? [];
    const twice = { ...early, tables: { ...early.tables, parcel: [...parcels, ["p2", parcels[0]?.[1]] as const] } };
    expect(() => world.engine.restore(twice)).toThrow("sim.restore: ");
    expect(told).toEqual([]);
    expect(world.engine.snapshot()).toEqual(before);
  });
});

describe("a world that is restored at the very end of a call ends the call there", () => {
  test("by a listener of the last move, so that the other world's progress is not reported", async () => {
    const { world, rewind } = rewindable();
    world.clock.onMove(() => {
      if (world.engine.now === 1000) rewind();
    });
    const reports: unknown[] = [];
    await world.clock.advance("1 second", { onProgress: (progress) => reports.push(progress) });
    await world.clock.advanceUntil(() => false, {
      limit: "1 second",
      onProgress: (progress) => reports.push(progress),
    });
    expect(reports).toEqual([]);
    expect(world.engine.now).toBe(0);
  });

  test("by the last report", async () => {
    const { world, rewind } = rewindable();
    await world.clock.advanceUntil(() => false, { limit: "1 second", onProgress: rewind });
    expect(world.engine.now).toBe(0);
  });

  test("by the condition when it is asked for the last time", async () => {
    const { world, rewind } = rewindable();
    const rewinding = (): boolean => {
      if (world.engine.now === 1000) rewind();
      return false;
    };
    await world.clock.advanceUntil(rewinding, { limit: "1 second" });
    expect(world.engine.now).toBe(0);
  });
});
