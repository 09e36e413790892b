import { expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

test("a timer that schedules itself without letting time move on is stopped and named", async () => {
  const world = new ParcelWorld();
  world.onRing((name) => world.ringAt(world.engine.now, name));
  world.engine.unit(() => world.ringAt(10, "echo"));
  await expect(world.clock.advance("1 day")).rejects.toThrow(
    /timers caused one another at 1970-01-01T00:00:00\.010Z.* bell\/tower\/echo \(echo\)/,
  );
  expect(world.engine.journal.entries.at(-1)).toMatchObject({ kind: "failure", details: { timer: "bell/tower/echo" } });
  expect(world.engine.now).toBe(10);
});

test("a loop that branches, like a webhook handler that pays for every event, is stopped before it fills the memory", async () => {
  const world = new ParcelWorld();
  let fired = 0;
  world.onRing(() => {
    fired += 1;
    for (const side of ["left", "right"]) world.ringAt(world.engine.now, `${side} of ${fired}`);
  });
  world.engine.unit(() => world.ringAt(0, "root"));
  await expect(world.clock.settle()).rejects.toMatchObject({ code: "CLOCK_LIMIT" });
  expect(fired).toBeLessThan(6000);
});

test("a long chain that is intended can go on from where it was stopped", async () => {
  const world = new ParcelWorld();
  let left = 7000;
  world.onRing(() => {
    left -= 1;
    if (left > 0) world.ringAt(world.engine.now, `${left}`);
  });
  world.engine.unit(() => world.ringAt(0, "start"));
  await expect(world.clock.settle()).rejects.toThrow(/settle\(\) again/);
  await world.clock.settle();
  expect(left).toBe(0);
});

test("many timers of one moment, each with a few consequences, are not a loop", async () => {
  const world = new ParcelWorld();
  let fired = 0;
  world.onRing((name) => {
    fired += 1;
    if (!name.includes("of")) for (const part of ["a", "b", "c"]) world.ringAt(world.engine.now, `${part} of ${name}`);
  });
  world.engine.unit(() => {
    for (let index = 0; index < 10_000; index += 1) world.ringAt(10, `${index}`);
  });
  await world.clock.advance("1 second");
  expect(fired).toBe(40_000);
});

test("two busy moments of one advance are counted separately", async () => {
  const world = new ParcelWorld();
  let left = 0;
  world.onRing((name) => {
    left = name.startsWith("start") ? 4000 : left - 1;
    if (left > 0) world.ringAt(world.engine.now, `${left}`);
  });
  world.engine.unit(() => {
    world.ringAt(10, "start");
    world.ringAt(20, "start again");
  });
  await world.clock.advance("1 second");
  expect(left).toBe(0);
});

test("timers that a test schedules between two advances are not consequences", async () => {
  const world = new ParcelWorld();
  world.onRing(() => {});
  world.engine.unit(() => world.ringAt(10, "first"));
  await world.clock.advanceTo(10);
  world.engine.unit(() => world.ringAt(10, "second"));
  expect(world.engine.timers.next()).toMatchObject({ depth: 0 });
});

test("a chain that lets time move on, if only by a millisecond, may be as long as the advance", async () => {
  const world = new ParcelWorld();
  let fired = 0;
  world.onRing((name) => {
    fired += 1;
    world.ringAt(world.engine.now + 1, name);
  });
  world.engine.unit(() => world.ringAt(1, "tick"));
  await world.clock.advance("20 seconds");
  expect(fired).toBe(20_000);
});

test("reactions that cause one another in a loop are stopped inside the unit, which leaves no trace", () => {
  const { engine, parcels } = new ParcelWorld();
  engine.onFact((fact) => engine.publish(fact));
  const before = engine.snapshot();
  expect(() =>
    engine.unit(() => {
      parcels.create("p1", { label: "L", travelTime: 1 });
      parcels.step("p1", { type: "send" });
    }),
  ).toThrow(/facts followed from one command; the next is parcel\.sent of p1/);
  expect(engine.snapshot()).toEqual(before);
});
