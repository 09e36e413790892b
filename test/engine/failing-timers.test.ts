import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

/** A world in which the bell "broken" writes rows and timers, and then throws. */
function withBrokenBell(): { world: ParcelWorld; rung: string[] } {
  const world = new ParcelWorld();
  const rung: string[] = [];
  world.onRing((name) => {
    rung.push(name);
    if (name !== "broken") return;
    world.shelves.set("s1", { load: 99 });
    world.ringAt(world.engine.now + 5, "from the broken one");
    world.engine.note("warning", { message: "half way" });
    throw new RangeError("the rope tore");
  });
  world.engine.unit(() => {
    world.shelves.set("s1", { load: 1 });
    world.ringAt(10, "broken");
    world.ringAt(20, "sound");
  });
  return { world, rung };
}

describe("a timer whose step throws", () => {
  test("makes the advance reject, naming the timer, its moment and the cause", async () => {
    const { world } = withBrokenBell();
    const error: unknown = await world.clock.advance("1 minute").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "CLOCK_TIMER_FAILED", cause: new RangeError("the rope tore") });
    expect(String(error)).toMatch(/bell\/tower\/broken \(broken\), due at 1970-01-01T00:00:00\.010Z.*the rope tore/);
  });

  test("leaves nothing behind but a failure in the journal", async () => {
    const { world } = withBrokenBell();
    const before = world.engine.snapshot();
    await expect(world.clock.advance("1 minute")).rejects.toThrow();
    const after = world.engine.snapshot();
    expect(after.tables).toEqual(before.tables);
    expect(after.timers).toEqual(before.timers.filter(({ name }) => name !== "broken"));
    expect(after.journal.slice(before.journal.length)).toMatchObject([
      { kind: "failure", at: 10, details: { timer: "bell/tower/broken", message: "the rope tore" } },
    ]);
    expect(after.now).toBe(10);
  });

  test("is off the clock, so that the next advance goes on from there", async () => {
    const { world, rung } = withBrokenBell();
    await expect(world.clock.advance("1 minute")).rejects.toThrow();
    await world.clock.advance("1 minute");
    expect(rung).toEqual(["broken", "sound"]);
    expect(world.clock.now()).toBe("1970-01-01T00:01:00.010Z");
  });

  test("because its resource does not take the input names the resource's state", async () => {
    const world = new ParcelWorld();
    world.engine.unit(() => {
      world.parcels.create("p1", { label: "L", travelTime: 1 });
      world.engine.schedule("parcel", "p1", "arrival", 5, { type: "arrive" });
    });
    await expect(world.clock.advance("1 second")).rejects.toThrow(/parcel\/p1\/arrival.*is packed and does not take/);
  });

  test("because its owner has no handler says so", async () => {
    const world = new ParcelWorld();
    world.engine.unit(() => world.engine.schedule("ghost", "g", "boo", 5, { type: "boo" }));
    await expect(world.clock.advance("1 second")).rejects.toThrow(/No handler runs the timers of "ghost"/);
  });
});

describe("work in flight that fails", () => {
  test("is journaled and makes the advance reject, while what its timer did stands", async () => {
    const world = new ParcelWorld();
    world.onRing(() => {
      world.shelves.set("s1", { load: 7 });
      return () => Promise.reject(new Error("no line"));
    });
    world.engine.unit(() => world.ringAt(10, "call"));
    await expect(world.clock.advance("1 second")).rejects.toThrow(
      /bell\/tower\/call .* its work in flight failed: no line/,
    );
    expect(world.shelves.get("s1")).toEqual({ load: 7 });
    expect(world.engine.journal.entries).toMatchObject([{ kind: "failure", details: { timer: "bell/tower/call" } }]);
  });

  test("leaves the next try, which its timer scheduled under the same key, on the clock", async () => {
    const world = new ParcelWorld();
    world.onRing((name) => {
      world.ringAt(world.engine.now + 1000, name);
      return () => Promise.reject(new Error("no line"));
    });
    world.engine.unit(() => world.ringAt(10, "call"));
    await expect(world.clock.settle()).resolves.toBeUndefined();
    await expect(world.clock.advance("1 second")).rejects.toThrow("no line");
    expect(world.clock.pending()).toMatchObject([{ key: "bell/tower/call", at: "1970-01-01T00:00:01.010Z" }]);
  });
});
