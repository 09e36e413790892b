import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

const holds = (): boolean => true;

describe("the clock", () => {
  test("is not moved by code that it waits for", async () => {
    const world = new ParcelWorld();
    const refusals: unknown[] = [];
    world.onRing(() => async () => {
      await world.clock.advance("1 day").catch((error: unknown) => refusals.push(error));
    });
    world.engine.unit(() => world.ringAt(5, "bell"));
    await world.clock.advance("1 minute");
    expect(refusals).toMatchObject([{ code: "CLOCK_BUSY" }]);
    expect(String(refusals[0])).toMatch(/clock\.advance\("1 day"\) was called while clock\.advance\("1 minute"\)/);
    expect(world.engine.now).toBe(60_000);
  });

  test("is not moved by a step that it runs", async () => {
    const world = new ParcelWorld();
    let refusal: Promise<unknown> = Promise.resolve();
    world.onRing(() => {
      refusal = world.clock.settle().catch((error: unknown) => error);
    });
    world.engine.unit(() => world.ringAt(0, "bell"));
    await world.clock.settle();
    expect(await refusal).toMatchObject({ code: "CLOCK_BUSY" });
  });

  test("is not moved from inside a command", async () => {
    const world = new ParcelWorld();
    const refusal = world.engine.unit(() => ({ settled: world.clock.settle() })).settled;
    await expect(refusal).rejects.toThrow(/clock\.settle\(\) was called while a command was still running/);
  });

  test("is not moved twice at once, and the first call finishes", async () => {
    const world = new ParcelWorld();
    world.onRing(() => () => Promise.resolve());
    world.engine.unit(() => world.ringAt(5, "bell"));
    const first = world.clock.advance("1 day");
    expect(world.clock.busy).toBe(true);
    await expect(world.clock.advance("2 days")).rejects.toMatchObject({ code: "CLOCK_BUSY" });
    await first;
    expect(world.clock.busy).toBe(false);
    expect(world.clock.now()).toBe("1970-01-02T00:00:00.000Z");
  });

  test("goes on after a refusal", async () => {
    const world = new ParcelWorld();
    await expect(world.clock.advance("3 parsecs")).rejects.toMatchObject({ code: "INVALID_DURATION" });
    await world.clock.advance("3 days");
    expect(world.clock.now()).toBe("1970-01-04T00:00:00.000Z");
  });

  test.for([
    ["a condition that is missing", [], /^clock\.advanceUntil takes a condition such as .* not undefined\.$/],
    ["a condition that is none", ["paid"], /^clock\.advanceUntil takes a condition such as .* not "paid"\.$/],
    ["options that are none", [holds, "2 days"], /^clock\.advanceUntil takes its options .* not "2 days"\.$/],
    ["no options at all", [holds, null], /^clock\.advanceUntil takes its options .* not null\.$/],
    ["an unknown option", [holds, { limits: 1 }], /^clock\.advanceUntil has no option "limits".* "limit"\.$/],
    [
      "an onProgress that is not a function",
      [holds, { onProgress: 5 }],
      /^clock\.advanceUntil: the option onProgress is 5\. It takes/,
    ],
  ] as const)("refuses %s", async ([, given, message]) => {
    const world = new ParcelWorld();
    world.send("p1", 0);
    const advanceUntil = world.clock.advanceUntil.bind(world.clock) as (...given: readonly unknown[]) => Promise<void>;
    const refusal: unknown = await advanceUntil(...given).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "INVALID_OPTION", message: expect.stringMatching(message) as unknown });
    expect(world.parcels.rows.get("p1")?.state).toBe("on_the_way");
  });

  test.for(["advance", "advanceTo"] as const)("refuses an invalid option of %s before anything moves", async (call) => {
    const world = new ParcelWorld();
    const move = world.clock[call].bind(world.clock) as (...given: readonly unknown[]) => Promise<void>;
    const [amount] = call === "advance" ? ["1 day"] : ["1970-01-02"];
    for (const options of [null, () => {}, { limit: "1 day" }, { onProgress: "loud" }])
      await expect(move(amount, options)).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining(`clock.${call}`) as unknown,
      });
    expect(world.engine.now).toBe(0);
  });

  test("refuses a listener that is not a function, and moves on", async () => {
    const world = new ParcelWorld();
    const onMove = world.clock.onMove.bind(world.clock) as (listener: unknown) => unknown;
    expect(() => onMove("me")).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    await world.clock.advance("1 day");
    expect(world.clock.now()).toBe("1970-01-02T00:00:00.000Z");
  });

  test("never goes back, and says how to", async () => {
    const world = new ParcelWorld({ now: 1000 });
    await expect(world.clock.advanceTo(999)).rejects.toThrow(
      /advanceTo\(1970-01-01T00:00:00\.999Z\) would go back from 1970-01-01T00:00:01\.000Z.*sim\.restore\(\)/,
    );
    const back = world.clock.advance({ seconds: -1 });
    await expect(back).rejects.toThrow(/\{"seconds":-1\} is negative.*sim\.snapshot\(\).*sim\.restore\(\)/);
    await expect(back).rejects.toMatchObject({ code: "CLOCK_BACKWARDS" });
    await world.clock.advanceTo(1000);
    expect(world.engine.now).toBe(1000);
  });
});

describe("a driver's move", () => {
  test("makes a call of the test wait instead of refusing it", async () => {
    const world = new ParcelWorld();
    const order: string[] = [];
    world.onRing(() => async () => {
      await Promise.resolve();
      order.push(`delivered at ${world.engine.now}`);
    });
    world.engine.unit(() => world.ringAt(5, "bell"));
    const driven = world.clock.driveTo(5);
    await world.clock.advance("1 minute");
    order.push(`advanced to ${world.engine.now}`);
    await driven;
    expect(order).toEqual(["delivered at 5", "advanced to 60005"]);
  });

  test("gives way to a call of the test that is under way", async () => {
    const world = new ParcelWorld();
    world.onRing(() => () => Promise.resolve());
    world.engine.unit(() => world.ringAt(5, "bell"));
    const moments: number[] = [];
    world.clock.onMove((now) => moments.push(Date.parse(now)));
    const advanced = world.clock.advance({ milliseconds: 7 });
    await world.clock.driveTo(1_000_000);
    await advanced;
    expect(moments).toEqual([5, 7]);
  });
});
