import { CentavoError, createSimulator, replay } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

/** JSON that a test may change anywhere. */
type Json = { [name: string]: Json } & Json[] & (number | string);

/** Ten million characters, which a message cannot hold and a comparison of every letter with every name would not end. */
const LONG = "x".repeat(10_000_000);
const MANY = 200_000;
const times = (value: unknown): Json => Array.from({ length: MANY }, () => value) as Json;
const named = (value: unknown): Json => Object.fromEntries(times(value).map((_, n) => [`name${n}`, value])) as Json;

function nested(levels: number): Json {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { inner: value };
  return value as Json;
}

const merchant = await Merchant.open();
await merchant.createIntent();
const recording = JSON.stringify(merchant.sim.recording());
const snapshot = JSON.stringify(merchant.sim.snapshot());

async function refusalOf(use: () => unknown): Promise<CentavoError> {
  try {
    await use();
  } catch (error) {
    if (error instanceof CentavoError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

test.for<[what: string, change: (input: Json, recording: Json) => unknown]>([
  ["a kind as long as a file", (input) => Object.assign(input, { kind: LONG })],
  ["a field as long as a file", (input) => Object.assign(input, { [LONG]: 1 })],
  ["a header as long as a file", (input) => Object.assign(input, { headers: { [LONG]: 1 } })],
  ["a status as long as a file", (input) => Object.assign(input, { status: LONG })],
  ["a target as long as a file", (input) => Object.assign(input, { target: LONG })],
  ["a digest as long as a file", (_, whole) => Object.assign(whole, { digest: LONG })],
  [
    "a credential as long as a file",
    (_, { options }) => Object.assign(options as Json, { credentials: { [LONG]: "" } }),
  ],
  ["wrong inputs without end", (_, whole) => Object.assign(whole, { inputs: times({ kind: "wish" }) })],
  ["fields without end", (input) => Object.assign(input, named(1))],
  ["headers without end", (input) => Object.assign(input, { headers: named(1) })],
  ["levels without end", (input) => Object.assign(input, { body: nested(100_000) })],
])("a recording with %s is refused at once, in a short message", async ([, change]) => {
  const whole = JSON.parse(recording) as Json;
  change(whole["inputs"]?.[1] as Json, whole);
  const { code, message } = await refusalOf(() => replay(whole as never));
  expect(code).toMatch(/INVALID_RECORDING|INVALID_OPTION|REPLAY_DIVERGED/);
  expect(message.length).toBeLessThan(2500);
});

test.for<[what: string, change: (world: Json) => unknown]>([
  ["a table as long as a file", ({ tables }) => Object.assign(tables as Json, { [LONG]: [] })],
  ["a stream as long as a file", ({ streams }) => Object.assign(streams as Json, { [LONG]: [] })],
  ["a kind as long as a file", ({ journal }) => Object.assign(journal?.[0] as Json, { kind: LONG })],
  ["a seed as long as a file", (world) => Object.assign(world, { seed: LONG })],
  ["wrong timers without end", (world) => Object.assign(world, { timers: times(1) })],
  ["wrong entries without end", (world) => Object.assign(world, { journal: times(1) })],
  ["levels without end", (world) => Object.assign(world, { now: nested(100_000) })],
  [
    "more levels than can be frozen",
    ({ journal }) => Object.assign(journal?.[0]?.["details"] as Json, { body: nested(2000) }),
  ],
])("a snapshot with %s is refused at once, in a short message", async ([, change]) => {
  const whole = JSON.parse(snapshot) as Json;
  change(whole["world"] as Json);
  for (const edited of [true, false]) {
    const { code, message } = await refusalOf(() => createSimulator().restore(whole as never, { edited }));
    expect(code).toBe("INVALID_SNAPSHOT");
    expect(message.length).toBeLessThan(2500);
  }
});
