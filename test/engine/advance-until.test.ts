import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

const delivered = (world: ParcelWorld, id: string) => () => world.parcels.rows.get(id)?.state === "delivered";

describe("advanceUntil", () => {
  test("stops right after the timer that made the condition true", async () => {
    const world = new ParcelWorld();
    world.send("p1", 1000);
    world.send("p2", 1000);
    await world.clock.advanceUntil(delivered(world, "p1"));
    expect(world.engine.now).toBe(1000);
    expect(world.parcels.rows.get("p2")?.state).toBe("on_the_way");
  });

  test("runs nothing when the condition is true already", async () => {
    const world = new ParcelWorld();
    world.send("p1", 0);
    await world.clock.advanceUntil(() => true);
    expect(world.parcels.rows.get("p1")?.state).toBe("on_the_way");
  });

  test("asks before the first timer, after each one, and at the limit", async () => {
    const world = new ParcelWorld();
    world.send("p1", 10);
    world.send("p2", 20);
    const asked: number[] = [];
    const never = (): boolean => {
      asked.push(world.engine.now);
      return false;
    };
    await expect(world.clock.advanceUntil(never, { limit: "1 second" })).rejects.toThrow();
    expect(asked).toEqual([0, 10, 20, 1000]);
  });

  test("goes on for a year at most by default, and says that nothing is left to wait for", async () => {
    const world = new ParcelWorld();
    await expect(world.clock.advanceUntil(() => false)).rejects.toThrow(
      /limit of "1 year" at 1971-01-01T00:00:00\.000Z.*\(\) => false.*No timer is left that could make it true/,
    );
  });

  test("stops at its limit, and says what would have come next", async () => {
    const world = new ParcelWorld();
    world.send("p1", 5000);
    await expect(world.clock.advanceUntil(delivered(world, "p1"), { limit: "3 seconds" })).rejects.toThrow(
      "Next on the clock is parcel/p1/arrival, due 1970-01-01T00:00:05.000Z",
    );
    expect(world.engine.now).toBe(3000);
    await world.clock.advanceUntil(delivered(world, "p1"), { limit: "2 seconds" });
    expect(world.engine.now).toBe(5000);
  });

  test("sees a condition that depends on time alone become true at the limit", async () => {
    const world = new ParcelWorld();
    await world.clock.advanceUntil(() => world.engine.now >= 1000, { limit: "1 second" });
    expect(world.engine.now).toBe(1000);
  });

  test("first runs the timers that its condition makes due, and never those that it cancels", async () => {
    const world = new ParcelWorld();
    const rung: string[] = [];
    world.onRing((name) => void rung.push(name));
    world.engine.unit(() => world.ringAt(10, "late"));
    await world.clock.advanceUntil(
      () => {
        if (rung.length > 0) return true;
        world.engine.unit(() => {
          world.engine.cancel("bell", "tower", "late");
          world.ringAt(5, "early");
        });
        return false;
      },
      { limit: "1 second" },
    );
    expect([rung, world.engine.now]).toEqual([["early"], 5]);
  });

  test("refuses a condition that returns a promise", async () => {
    const world = new ParcelWorld();
    const promise = (async () => false) as unknown as () => boolean;
    await expect(world.clock.advanceUntil(promise)).rejects.toThrow(/returned a promise, which always counts as true/);
    expect(world.engine.now).toBe(0);
  });

  test("passes on what the condition throws, and the clock can move again", async () => {
    const world = new ParcelWorld();
    const broken = (): boolean => {
      throw new TypeError("no such reader");
    };
    await expect(world.clock.advanceUntil(broken)).rejects.toThrow("no such reader");
    await world.clock.advance("1 second");
    expect(world.engine.now).toBe(1000);
  });
});
