import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";
import { command, history, live, look, perform, workshop } from "./random-work.ts";
import { halfOf } from "../half-of.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

describe("a command that throws", () => {
  test("leaves the world as it was, and everything goes on as if it had never been tried", async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(command, { minLength: 1, maxLength: 3 }),
        history,
        async (past, attempts, future) => {
          const tried = workshop();
          const untouched = workshop();
          await live(tried, past);
          await live(untouched, past);
          const before = look(tried);
          for (const works of attempts) {
            const attempt = (): void => {
              perform(tried, works);
              throw new Error("no");
            };
            expect(() => tried.engine.unit(attempt)).toThrow();
            expect(look(tried)).toStrictEqual(before);
          }
          await live(tried, future);
          await live(untouched, future);
          expect(look(tried)).toStrictEqual(look(untouched));
        },
      ),
      halfOf({ numRuns: 200, seed: 20_260_101 }),
    );
  });

  test("restores the timers that it cancelled, even if it scheduled so many that the old ones were swept away", () => {
    const world = new ParcelWorld();
    world.engine.unit(() => {
      for (let at = 1; at <= 10; at += 1) world.ringAt(at, `${at}`);
    });
    const before = look(world);
    const attempt = (): void => {
      for (let at = 1; at <= 10; at += 1) world.engine.cancel("bell", "tower", `${at}`);
      for (let round = 0; round < 1000; round += 1) world.ringAt(round, "again and again");
      expect(world.engine.timers.next()?.input.type).toBe("again and again");
      throw new Error("no");
    };
    expect(() => world.engine.unit(attempt)).toThrow("no");
    expect(look(world)).toStrictEqual(before);
    expect(world.engine.timers.next()).toMatchObject({ owner: "bell", subject: "tower", name: "1" });
  });
});
