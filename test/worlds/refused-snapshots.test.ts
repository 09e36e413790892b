import { createSimulator, type Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, order } from "../merchant/requests.ts";

const { world } = createSimulator().snapshot();
const otherSeed = createSimulator({ seed: "other" }).snapshot();

function tablesWithout(name: string): object {
  return Object.fromEntries(Object.entries(world.tables).filter(([table]) => table !== name));
}

describe("a snapshot with one wrong field is refused in words that name it, and the world stays as it was", () => {
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
    [
      "a missing merchant",
      (to) => (rowIn(to, "payment_intent").data["merchantId"] = "mer_none"),
      /data\.merchantId names "mer_none", which is not in the table "merchants"/,
    ],
    [
      "an intent of nobody",
      (to) => (rowIn(to, "checkout").data["intentId"] = "pi_none"),
      /data\.intentId names "pi_none", which is not in the table "payment_intent"/,
    ],
    [
      "a state that is not its intent's",
      (to) => Object.assign(rowIn(to, "checkout"), { state: "completed" }),
      /state is completed, and pi_\w+ is requires_payment_method/,
    ],
    [
      "a transaction of another amount",
      (to) => Object.assign(rowIn(to, "transactions"), { amount: 1 }),
      /"transactions": amount is 1, and that of pi_\w+ is 10000/,
    ],
    [
      "a timer of nobody",
      (to) => Object.assign(to.timers[0] as object, { owner: "invoice", subject: "inv_none" }),
      /timers\[0\]\.subject names no invoice/,
    ],
    [
      "a timer of no part",
      (to) => Object.assign(to.timers[0] as object, { owner: "moon" }),
      /timers\[0\]\.owner is "moon"/,
    ],
    ["a lost stream", (to) => delete to.streams["id/pi"], /streams has no "id\/pi"/],
    ["a stream of zeros", (to) => (to.streams["id/pi"] = [0, 0, 0, 0]), /streams\.id\/pi is a list: four zeros/],
    [
      "an entry without its details",
      (to) => Object.assign(to.journal[0] as object, { details: {} }),
      /journal\[0\]\.details\.method is missing/,
    ],
    ["no service keys", (to) => (to.tables["service-keys"] = []), /the table "service-keys" has 0 rows, and needs 2/],
  ])("%s", async ([, change, reason]) => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: HOOKS });
    await merchant.call("POST", "/api/checkout", order());
    const before = sim.snapshot();
    const { version, world: sound } = structuredClone(before);
    change(sound as unknown as World);
    const restoring = () => sim.restore({ version, world: sound });
    expect(restoring).toThrow(expect.objectContaining({ name: "CentavoError", code: "INVALID_SNAPSHOT" }));
    expect(restoring).toThrow(reason);
    expect(restoring).toThrow(/Restore what sim\.snapshot\(\) returned, unchanged/);
    expect(sim.snapshot()).toEqual(before);
  });
});

describe("anything but a snapshot is refused, and the world stays as it was", () => {
  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /not a snapshot that sim\.snapshot\(\) of this version/],
    ["null", null, /not a snapshot/],
    ["a text", "{}", /JSON\.parse/],
    ["an empty object", {}, /not a snapshot/],
    ["another version", { version: 2, world }, /its version is 2/],
    ["no world", { version: 1 }, /world is missing/],
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
    ["functions", { version: 1, world: { ...world, timers: [() => undefined] } }, /timers\[0\] is null/],
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
