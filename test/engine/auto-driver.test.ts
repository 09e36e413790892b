import { describe, expect, test } from "vitest";
import { AutoDriver } from "../../src/kit/engine/auto-driver.ts";
import { ParcelWorld } from "./parcels.ts";

/** A world with a driver that looks a second ahead, and an event loop that turns when the test says so. */
function driven(): { world: ParcelWorld; driver: AutoDriver; turn: (times?: number) => Promise<void>; rung: string[] } {
  const world = new ParcelWorld();
  const waiting: (() => void)[] = [];
  const nextTurn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const driver = new AutoDriver(1000);
  driver.drive(world.engine, world.clock, nextTurn);
  const rung: string[] = [];
  world.onRing((name) => {
    rung.push(`${name} at ${world.engine.now}`);
    if (name === "broken") throw new Error("the rope tore");
  });
  const turn = async (times = 1): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      for (const resolve of waiting.splice(0)) resolve();
      for (let microtask = 0; microtask < 20; microtask += 1) await Promise.resolve();
    }
  };
  return { world, driver, turn, rung };
}

describe("the auto driver", () => {
  test("runs what falls due within its horizon of a request, one timer for each turn of the event loop", async () => {
    const { world, driver, turn, rung } = driven();
    world.engine.unit(() => {
      for (const at of [10, 20, 1000, 1001]) world.ringAt(at, `bell${at}`);
    });
    driver.callAnswered();
    expect(rung).toEqual([]);
    await turn();
    expect(rung).toEqual(["bell10 at 10"]);
    await turn(10);
    expect(rung).toEqual(["bell10 at 10", "bell20 at 20", "bell1000 at 1000"]);
    expect(world.engine.now).toBe(1000);
  });

  test("looks further ahead with each request, however many it drives for", async () => {
    const { world, driver, turn, rung } = driven();
    world.engine.unit(() => {
      world.ringAt(900, "first");
      world.ringAt(1800, "second");
    });
    driver.callAnswered();
    driver.callAnswered();
    await turn(5);
    expect(rung).toEqual(["first at 900"]);
    driver.callAnswered();
    await turn(5);
    expect(rung).toEqual(["first at 900", "second at 1800"]);
  });

  test("passes over a timer that fails, which is journaled", async () => {
    const { world, driver, turn, rung } = driven();
    world.engine.unit(() => {
      world.ringAt(10, "broken");
      world.ringAt(20, "sound");
    });
    driver.callAnswered();
    await turn(5);
    expect(rung).toEqual(["broken at 10", "sound at 20"]);
    expect(world.engine.journal.entries).toMatchObject([{ kind: "failure", details: { message: "the rope tore" } }]);
  });

  test("reports a failed timer to the next call of the test, once", async () => {
    const { world, driver, turn } = driven();
    world.engine.unit(() => world.ringAt(10, "broken"));
    driver.callAnswered();
    await turn(5);
    await expect(world.clock.settle()).rejects.toMatchObject({
      code: "CLOCK_AUTO_FAILED",
      cause: { code: "CLOCK_TIMER_FAILED" },
    });
    await world.clock.settle();
  });

  test("reports a run-away loop to the next call of the test, and drives it once for each request", async () => {
    const { world, driver, turn } = driven();
    world.engine.onTimer("echo", () =>
      world.engine.schedule("echo", "wall", "again", world.engine.now, { type: "again" }),
    );
    world.engine.unit(() => world.engine.schedule("echo", "wall", "again", 10, { type: "again" }));
    driver.callAnswered();
    await turn(5);
    expect(world.engine.journal.entries.filter(({ kind }) => kind === "failure")).toHaveLength(1);
    await expect(world.clock.settle()).rejects.toMatchObject({
      code: "CLOCK_AUTO_FAILED",
      cause: { code: "CLOCK_LIMIT" },
    });
  });

  test("reports a failure to a call of the test that waits for it meanwhile", async () => {
    const { world, driver, turn } = driven();
    const line = Promise.withResolvers<void>();
    world.engine.onTimer("call", () => () => line.promise);
    world.engine.unit(() => world.engine.schedule("call", "shop", "ring", 10, { type: "ring" }));
    driver.callAnswered();
    await turn();
    const settled = world.clock.settle();
    line.reject(new Error("no line"));
    const turning = turn(5);
    await expect(settled).rejects.toThrow(/The auto clock failed at 1970-01-01T00:00:00\.010Z.*no line/);
    await turning;
  });

  test("stands still when it is stopped, until the next request", async () => {
    const { world, driver, turn, rung } = driven();
    world.engine.unit(() => world.ringAt(10, "bell"));
    driver.callAnswered();
    driver.stop();
    await turn(5);
    expect(rung).toEqual([]);
    driver.callAnswered();
    await turn(5);
    expect(rung).toEqual(["bell at 10"]);
  });

  test("does not drive a world that took the place of the one with the request", async () => {
    const { world, driver, turn, rung } = driven();
    world.engine.unit(() => world.ringAt(10, "bell"));
    driver.callAnswered();
    world.engine.restore(world.engine.snapshot());
    await turn(5);
    expect(rung).toEqual([]);
  });

  test("lets the test move the clock at any time, once the timers within the horizon have run", async () => {
    const { world, driver, turn, rung } = driven();
    world.engine.unit(() => {
      world.ringAt(10, "soon");
      world.ringAt(5000, "late");
    });
    driver.callAnswered();
    const advanced = world.clock.advance("10 seconds");
    await turn(5);
    await advanced;
    expect(rung).toEqual(["soon at 10", "late at 5000"]);
    expect(world.engine.now).toBe(10_010);
  });
});
