import { randomFill } from "node:crypto";
import { promisify } from "node:util";
import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

/** In seconds. */
const LONGEST_WAIT = 1;

/** Stops everything, as a laptop does that sleeps. */
function suspend(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test("a machine that was suspended has not waited too long", async () => {
  const verdict = await exam({
    ...examOfSmallShop(),
    budget: { stories: 1 },
    longestWait: LONGEST_WAIT,
    store: {
      open: async () => {
        const working = promisify(randomFill<Buffer>)(Buffer.alloc(50_000_000));
        await new Promise((resolve) => void setImmediate(resolve));
        suspend(2 * LONGEST_WAIT * 1000);
        await working;
        return new Map() as Orders;
      },
      isWrite: () => false,
      rollBack: () => undefined,
      close: () => undefined,
    },
  });
  expect(verdict.unfinished).not.toContain("of real time");
  expect(verdict).toMatchObject({ stories: 1, failures: [] });
});
