import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const draw = (seed: string) => {
  const { engine } = new ParcelWorld({ seed });
  return engine.unit(() => ({
    numbers: Array.from({ length: 8 }, () => engine.random.below("dice", 6)),
    id: engine.random.base62("id/pi", 24),
    uuid: engine.random.uuid("token/session"),
    bytes: [...engine.random.bytes("secret", 8)],
  }));
};

describe("a seed", () => {
  test("always gives these values: a change here breaks every recorded run", () => {
    expect(draw("1")).toEqual({
      numbers: [1, 4, 2, 0, 0, 0, 1, 4],
      id: "ccnuvRFOsqBz9ez7dhzol1TN",
      uuid: "3e720724-fe85-4eb3-adf3-4ccf63df3bba",
      bytes: [234, 52, 79, 51, 97, 25, 79, 88],
    });
    expect(draw("a longer seed")).toEqual({
      numbers: [0, 1, 4, 0, 1, 3, 4, 3],
      id: "eE32ubi2c1znvtwDAYKTW9El",
      uuid: "14608958-c5b9-444c-a96e-f63df2ce1327",
      bytes: [183, 139, 133, 79, 76, 190, 55, 35],
    });
  });

  test("that differs gives other values", () => {
    expect(draw("1")).not.toEqual(draw("2"));
  });
});

describe("a stream", () => {
  const streams = fc.array(fc.constantFrom("ids", "faults", "delays"), { maxLength: 40 });

  test("gives the same values regardless of draws from other streams, and of the units that draw", () => {
    fc.assert(
      fc.property(streams, (order) => {
        const alone = new ParcelWorld().engine;
        const crowded = new ParcelWorld().engine;
        const among = order.map((name) => [name, crowded.unit(() => crowded.random.below(name, 1000))] as const);
        const own = among.filter(([name]) => name === "ids").map(([, value]) => value);
        expect(own).toEqual(alone.unit(() => own.map(() => alone.random.below("ids", 1000))));
      }),
    );
  });

  test("is rolled back with the unit that drew from it", () => {
    const { engine } = new ParcelWorld();
    const rolls = (count: number): number[] => Array.from({ length: count }, () => engine.random.below("dice", 1000));
    engine.unit(() => rolls(3));
    let undone: number[] = [];
    const attempt = (): void => {
      undone = rolls(5);
      throw new Error("no");
    };
    expect(() => engine.unit(attempt)).toThrow("no");
    expect(engine.unit(() => rolls(5))).toEqual(undone);
  });

  test("covers its whole range evenly", () => {
    const { engine } = new ParcelWorld();
    const counts = new Array<number>(6).fill(0);
    engine.unit(() => {
      for (let roll = 0; roll < 6000; roll += 1) {
        const side = engine.random.below("dice", 6);
        counts[side] = (counts[side] ?? 0) + 1;
      }
    });
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  test("spells ids in 0-9, A-Z, a-z and UUIDs of version 4", () => {
    const { engine } = new ParcelWorld();
    engine.unit(() => {
      expect(engine.random.base62("id", 10_000)).toMatch(/^[0-9A-Za-z]{10000}$/);
      for (let index = 0; index < 100; index += 1) {
        expect(engine.random.uuid("uuid")).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }
    });
  });

  test.for([0, -1, 1.5, Number.NaN, 2 ** 53])("has no whole number below %s", (bound) => {
    const { engine } = new ParcelWorld();
    expect(() => engine.unit(() => engine.random.below("dice", bound))).toThrow(/bound is a whole number/);
  });
});
