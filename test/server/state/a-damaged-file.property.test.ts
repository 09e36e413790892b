import { readFileSync, writeFileSync } from "node:fs";
import { CentavoError, createSimulator } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { halfOf } from "../../half-of.ts";
import { Merchant } from "../../merchant.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

test("a file with any changed byte is refused, or gives the very world that was written", async () => {
  const path = newStateFile();
  const sim = createSimulator();
  const state = openState(path, 10_000);
  state.follow("shop", { seed: 1 }, sim);
  const merchant = await Merchant.of(sim);
  for (let count = 0; count < 12; count += 1) await merchant.pay({}, "pm_card_approved");
  const killed = killedCopyOf(path);
  // Brings what was killed into one file.
  openState(killed).close();
  const content = readFileSync(killed);
  const found = { refused: 0, same: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(content.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
      const copy = newStateFile();
      const damaged = Buffer.from(content);
      damaged[place] = (damaged[place] ?? 0) ^ change;
      writeFileSync(copy, damaged);
      let opened: ReturnType<typeof openState> | undefined;
      try {
        opened = openState(copy);
        expect([...opened.worlds]).toEqual([["shop", { seed: 1 }]]);
        const restored = createSimulator();
        await opened.restore("shop", restored);
        expect(restored.journal.digest()).toBe(sim.journal.digest());
        expect(restored.snapshot()).toEqual(sim.snapshot());
        found.same += 1;
      } catch (error) {
        if (!(error instanceof CentavoError)) throw error;
        expect(error.message).toMatch(/Put back a copy|Give another file|give another file/);
        found.refused += 1;
      } finally {
        opened?.close();
      }
    }),
    {
      ...halfOf({ numRuns: 200, seed: 20_261_126 }),
      examples: [
        [60 + 3, 1],
        [68 + 1, 7],
        [0, 1],
        [100, 1],
      ],
    },
  );
  expect(found.refused).toBeGreaterThan(found.same);
  expect(found.same).toBeGreaterThan(0);
});
