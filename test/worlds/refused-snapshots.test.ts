import { createSimulator, type Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

const { world } = createSimulator().snapshot();
const otherSeed = createSimulator({ seed: "other" }).snapshot();

function tablesWithout(name: string): object {
  return Object.fromEntries(Object.entries(world.tables).filter(([table]) => table !== name));
}

describe("anything but a snapshot is refused, and the world stays as it was", () => {
  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /not a snapshot that sim\.snapshot\(\) of this version/],
    ["null", null, /not a snapshot/],
    ["a text", "{}", /JSON\.parse/],
    ["an empty object", {}, /not a snapshot/],
    ["another version", { version: 2, world }, /its version is 2/],
    ["no world", { version: 1 }, /seed/],
    ["another seed", otherSeed, /made with the seed "other", and this simulator has "1"/],
    ["a world without tables", { version: 1, world: { ...world, tables: undefined } }, /tables/],
    ["a table that is not a list", { version: 1, world: { ...world, tables: { merchants: "none" } } }, /merchants/],
    ["an unknown table", { version: 1, world: { ...world, tables: { ...world.tables, loans: [] } } }, /loans/],
    [
      "a missing table",
      { version: 1, world: { ...world, tables: tablesWithout("merchants") } },
      /"merchants" is missing/,
    ],
    ["no time", { version: 1, world: { ...world, now: "yesterday" } }, /now/],
    ["timers that are none", { version: 1, world: { ...world, timers: [{ key: "x" }] } }, /timers/],
    [
      "functions",
      { version: 1, world: { ...world, timers: [() => undefined] } },
      /values that are not plain data: .*could not be cloned\.$/,
    ],
  ])("%s", async (_, snapshot, reason) => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: HOOKS });
    const before = sim.snapshot();
    const restoring = () => sim.restore(snapshot as Snapshot);
    expect(restoring).toThrow(expect.objectContaining({ name: "CentavoError", code: "INVALID_SNAPSHOT" }));
    expect(restoring).toThrow(reason);
    expect(sim.snapshot()).toEqual(before);
  });
});
