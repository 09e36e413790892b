import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { expect, onTestFinished, test, vi } from "vitest";
import { titleInWords, WORLDS } from "../../src/inspected/records.ts";
import type { Opened, WorldRecord } from "../../src/inspected/records.ts";
import { openRunFolder } from "../../src/inspected/run-folder.ts";
import { WrittenWorld } from "../../src/inspected/written-world.ts";
import { FollowedTest } from "../../src/server/hub/followed-test.ts";
import { WorldFiles } from "../../src/server/hub/world-files.ts";

/** A folder of worlds, and what becomes of them. */
function openRun(longestLine?: number) {
  const folder = mkdtempSync(join(tmpdir(), "centavo-worlds-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tests: FollowedTest[] = [];
  const happened: string[] = [];
  const listener = {
    opened: async (opened: Opened) => {
      const followed = new FollowedTest(opened);
      tests.push(followed);
      happened.push(`${titleInWords(opened.title)} begins`);
      return followed;
    },
    ended: async (ended: FollowedTest) => void happened.push(`${titleInWords(ended.opened.title)} ends`),
  };
  const files = new WorldFiles(folder, listener, longestLine);
  return { folder, tests, happened, files, world: join(folder, "1.jsonl") };
}

/** The lines of a world with two payments. */
async function linesOf(name: string, { pid = process.pid } = {}): Promise<string[]> {
  const lines: string[] = [];
  await using sim = createSimulator({ seed: name });
  const { inputs } = sim.internals.parts.engine;
  if (inputs === undefined) throw new Error("nothing is recorded");
  const write = (record: WorldRecord) =>
    lines.push(`${JSON.stringify(record.kind === "opened" ? { ...record, pid } : record)}\n`);
  const world = new WrittenWorld(sim, inputs, { name }, write);
  for (const _ of [1, 2]) {
    sim.paymentMethods.create({ cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" });
    await sim.clock.advance("1 day");
  }
  world.end();
  return lines;
}

test("a process finds a place for its world although the one that makes the folder of the run is not yet so far", () => {
  const temporary = mkdtempSync(join(tmpdir(), "centavo-run-"));
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true });
  });
  const { path } = openRunFolder(1);
  rmSync(join(path, WORLDS), { recursive: true });
  expect(openRunFolder(1)).toMatchObject({ path, isNew: false });
  expect(existsSync(join(path, WORLDS))).toBe(true);
});

test("a world is followed from line to line, and its file is removed at its end", async () => {
  const { folder, files, tests, happened, world } = openRun();
  const lines = await linesOf("pays");
  const moments: (string | undefined)[] = [];
  for (const line of lines) {
    appendFileSync(world, line);
    await files.read();
    moments.push(tests[0]?.sim.clock.now());
  }
  expect(moments.at(0)).toBe("2026-01-01T00:00:00.000Z");
  expect(moments.at(-1)).toBe("2026-01-03T00:00:00.000Z");
  expect(happened).toEqual(["pays begins", "pays ends"]);
  expect(readdirSync(folder)).toEqual([]);
});

test("half a line is read when the other half is written, wherever it was cut", async () => {
  const { files, tests, happened, world } = openRun();
  const text = Buffer.from((await linesOf("paga en línea ✓")).join(""));
  for (let at = 0; at < text.length; at += 97) {
    appendFileSync(world, text.subarray(at, at + 97));
    await files.read();
  }
  expect(tests[0]?.sim.clock.now()).toBe("2026-01-03T00:00:00.000Z");
  expect(happened).toEqual(["paga en línea ✓ begins", "paga en línea ✓ ends"]);
});

test("a world whose process was killed in half a line ends, and shows what was written before", async () => {
  const { files, tests, happened, world } = openRun();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const lines = await linesOf("is killed", { pid });
  writeFileSync(world, `${lines.slice(0, 2).join("")}{"kind":"cont`);
  await files.read();
  expect(happened).toEqual(["is killed begins", "is killed ends"]);
  expect(tests[0]?.problem).toBeUndefined();
  expect(tests[0]?.hasEnded).toBe(true);
});

test.for([
  ["is not JSON", "{]\n", "its file is damaged"],
  ["is of another world", '{"kind":"continued","at":0,"timers":9,"isAtRest":true,"inputs":[]}\n', "timers"],
  [
    "plays otherwise",
    '{"kind":"continued","at":1767225600000,"timers":0,"isAtRest":true,"inputs":[{"kind":"cancel","at":1767225600000,"timers":0,"intent":"pi_none"}]}\n',
    "pi_none",
  ],
])("a line that %s ends no other world, and is told", async ([, line, why]) => {
  const { folder, files, tests, happened, world } = openRun();
  const [opened = ""] = await linesOf("is damaged");
  writeFileSync(world, `${opened}${line}{"kind":"ended"}\n`);
  writeFileSync(join(folder, "2.jsonl"), (await linesOf("is whole")).join(""));
  await files.read();
  await files.read();
  expect(happened.toSorted()).toEqual(["is damaged begins", "is damaged ends", "is whole begins", "is whole ends"]);
  const [damaged, whole] = tests.toSorted((one, other) => one.sim.seed.localeCompare(other.sim.seed));
  expect(damaged?.problem).toContain(why);
  expect(whole?.problem).toBeUndefined();
});

test("a world that cannot begin anew says why, and the worlds beside it are followed", async () => {
  const { folder, files, tests, happened, world } = openRun();
  const [opened = ""] = await linesOf("begins with nothing");
  writeFileSync(world, `${opened}${JSON.stringify({ kind: "begun", start: {} })}\n`);
  await files.read();
  writeFileSync(join(folder, "2.jsonl"), (await linesOf("pays")).join(""));
  appendFileSync(world, `${JSON.stringify({ kind: "ended" })}\n`);
  await files.read();
  expect(tests.map(({ problem }) => problem)).toEqual([expect.stringContaining("snapshot"), undefined]);
  expect(happened.toSorted()).toEqual([
    "begins with nothing begins",
    "begins with nothing ends",
    "pays begins",
    "pays ends",
  ]);
});

test("a line that never ends is given up", async () => {
  const { files, tests, happened, world } = openRun(100_000);
  const [opened = ""] = await linesOf("never ends");
  writeFileSync(world, `${opened}{"kind":"${"x".repeat(200_000)}`);
  await files.read();
  expect(happened).toEqual(["never ends begins", "never ends ends"]);
  expect(tests[0]?.problem).toContain("a line has more than 100000 bytes");
});

test("what is no world is left alone, and so is a folder that was removed", async () => {
  const { folder, files, happened, world } = openRun();
  writeFileSync(world, '{"kind":"ended"}\n');
  writeFileSync(join(folder, "notes.txt"), "mine");
  await files.read();
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
  rmSync(folder, { recursive: true });
  await files.read();
  expect(happened).toEqual([]);
});

test("a thousand worlds are followed, and none is mistaken for another", async () => {
  const { folder, files, tests, happened } = openRun();
  const lines = (await linesOf("many")).map((line) => line);
  for (let number = 0; number < 1000; number += 1)
    writeFileSync(join(folder, `${number}.jsonl`), lines.join("").replace('"name":"many"', `"name":"many ${number}"`));
  await files.read();
  expect(happened).toHaveLength(2000);
  expect(new Set(tests.map(({ opened }) => opened.title.name)).size).toBe(1000);
  expect(new Set(tests.map(({ sim }) => sim.journal.digest())).size).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
