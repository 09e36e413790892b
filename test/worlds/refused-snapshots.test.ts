import { createSimulator, type Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, order } from "../merchant/requests.ts";

const { world } = createSimulator().snapshot();
const otherSeed = createSimulator({ seed: "other" }).snapshot();

function tablesWithout(name: string): object {
  return Object.fromEntries(Object.entries(world.tables).filter(([table]) => table !== name));
}

describe("an edited snapshot with one field of a wrong shape is refused in words that name it, and the world stays as it was", () => {
  type World = { now: number; streams: Record<string, number[]>; timers: Record<string, unknown>[] } & {
    tables: Record<string, [string, { data: Record<string, unknown> } & Record<string, unknown>][]>;
    journal: Record<string, unknown>[];
  };
  const rowIn = (changed: World, table: string) => changed.tables[table]?.[0]?.[1] as { data: Record<string, unknown> };

  test.for<[string, (changed: World) => unknown, RegExp]>([
    [
      "a field of another type",
      (to) => (rowIn(to, "payment_intent").data["amount"] = "100"),
      /the row "pi_\w+" of the table "payment_intent": data\.amount is "100": /,
    ],
    [
      "a missing field",
      (to) => delete rowIn(to, "payment_intent").data["clientKey"],
      /"payment_intent": data\.clientKey is missing/,
    ],
    [
      "an unknown field",
      (to) => (rowIn(to, "checkout").data["colour"] = "red"),
      /"checkout": data has no field "colour"/,
    ],
    [
      "an unknown state",
      (to) => Object.assign(rowIn(to, "checkout"), { state: "lost" }),
      /"checkout": state is "lost"/,
    ],
    ["a stream of zeros", (to) => (to.streams["id/pi"] = [0, 0, 0, 0]), /streams\.id\/pi is a list: four zeros/],
    [
      "an entry without its details",
      (to) => Object.assign(to.journal[0] as object, { details: {} }),
      /journal\[0\]\.details\.method is missing/,
    ],
  ])("%s", async ([, change, reason]) => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: HOOKS });
    await merchant.call("POST", "/api/checkout", order());
    const before = sim.snapshot();
    const wrong = structuredClone(before);
    change(wrong.world as unknown as World);
    const restoring = () => sim.restore(wrong, { edited: true });
    expect(restoring).toThrow(expect.objectContaining({ name: "CentavoError", code: "INVALID_SNAPSHOT" }));
    expect(restoring).toThrow(reason);
    expect(restoring).toThrow(/Restore what sim\.snapshot\(\) returned/);
    expect(sim.snapshot()).toEqual(before);
  });
});

describe("anything but a snapshot is refused, and the world stays as it was", () => {
  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /not a snapshot that sim\.snapshot\(\) returned/],
    ["null", null, /not a snapshot/],
    ["a text", "{}", /JSON\.parse/],
    ["an empty object", {}, /not a snapshot/],
    ["an older version", { version: 1, world }, /taken by an older version of Centavo: it has the version 1/],
    [
      "a newer version",
      { version: 3, world },
      /taken by a newer version of Centavo: it has the version 3, and this .* reads 2/,
    ],
    ["a version that is no number", { version: "2", world }, /not a snapshot/],
    ["no world", { version: 2 }, /world is missing/],
    ["another seed", otherSeed, /made with the seed "other", and this simulator has "1"/],
    ["a world without tables", { version: 2, world: { ...world, tables: undefined } }, /tables/],
    ["a table that is not a list", { version: 2, world: { ...world, tables: { merchants: "none" } } }, /merchants/],
    ["an unknown table", { version: 2, world: { ...world, tables: { ...world.tables, loans: [] } } }, /loans/],
    [
      "a missing table",
      { version: 2, world: { ...world, tables: tablesWithout("merchants") } },
      /"merchants" is missing/,
    ],
    ["no time", { version: 2, world: { ...world, now: "yesterday" } }, /now/],
    ["timers that are none", { version: 2, world: { ...world, timers: [{ key: "x" }] } }, /timers/],
    ["functions", { version: 2, world: { ...world, timers: [() => undefined] } }, /timers\[0\] is null/],
  ])("%s", async (_, snapshot, reason) => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: HOOKS });
    const before = sim.snapshot();
    const restoring = () => sim.restore(snapshot as Snapshot, { edited: true });
    expect(restoring).toThrow(expect.objectContaining({ name: "CentavoError", code: "INVALID_SNAPSHOT" }));
    expect(restoring).toThrow(reason);
    expect(sim.snapshot()).toEqual(before);
  });
});
