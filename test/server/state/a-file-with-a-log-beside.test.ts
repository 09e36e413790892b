import { readdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSimulator } from "centavo";
import { expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

const FAULTS = 30;

/** A file, and the log beside it, of a server that was killed after its faults were planned. */
function killed(): string {
  const path = newStateFile();
  const state = openState(path, Infinity);
  onTestFinished(() => state.close());
  const sim = createSimulator();
  state.follow("shop", {}, sim);
  for (let count = 0; count < FAULTS; count += 1) {
    sim.faults.add({ kind: "response.lost", id: `fault ${count}` });
    sim.internals.parts.engine.inputs?.keeper?.keep();
  }
  return killedCopyOf(path);
}

function everythingBeside(path: string): object {
  const folder = dirname(path);
  return readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`).toString("hex")]);
}

/** Returns how many faults there are in the file's world. */
async function faultsIn(path: string): Promise<number> {
  const state = openState(path);
  const sim = createSimulator();
  await state.restore("shop", sim);
  state.close();
  return sim.faults.list().length;
}

function expectRefused(path: string, why: RegExp): void {
  const before = everythingBeside(path);
  expect(() => openState(path)).toThrow(why);
  expect(everythingBeside(path)).toEqual(before);
}

test("what a killed server has left in its log is restored", async () => {
  expect(await faultsIn(killed())).toBe(FAULTS);
});

test("a file whose log was changed in any of 50 places is refused, and both stay as they are", () => {
  const path = killed();
  const log = readFileSync(`${path}-wal`);
  for (let place = 0; place < 50; place += 1) {
    const damaged = Buffer.from(log);
    const at = Math.floor((place * log.length) / 50);
    damaged[at] = (damaged[at] ?? 0) ^ 5;
    writeFileSync(`${path}-wal`, damaged);
    expectRefused(path, /is damaged\. Put back a copy of it, or move it away/);
  }
});

test("a file that was cut off at any of 49 places is refused, and stays as it is", () => {
  const path = killed();
  // Brings the log into the file.
  openState(path).close();
  const whole = readFileSync(path);
  for (let part = 1; part < 50; part += 1) {
    writeFileSync(path, whole.subarray(0, Math.floor((part * whole.length) / 50)));
    expectRefused(path, /is damaged|is not a state file/);
  }
});

test("a file that was cut off is whole with a log that has the rest, or is refused with it", async () => {
  const path = killed();
  const [whole, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  let restored = 0;
  for (let part = 0; part < 20; part += 1) {
    writeFileSync(path, whole.subarray(0, Math.floor((part * whole.length) / 20)));
    writeFileSync(`${path}-wal`, log);
    const before = everythingBeside(path);
    try {
      expect(await faultsIn(path)).toBe(FAULTS);
      restored += 1;
    } catch (error) {
      expect(String(error)).toMatch(/^CentavoError: The state file .*(damaged|beside it is not|not a state file)/);
      expect(everythingBeside(path)).toEqual(before);
    }
  }
  expect(restored).toBeLessThan(20);
});

test("a log whose last frame a killed server did not finish counts up to there", async () => {
  const path = killed();
  truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 100);
  expect(await faultsIn(path)).toBe(FAULTS - 1);
});

test("a log that began anew over an older one counts up to the older one", async () => {
  const path = newStateFile();
  const state = openState(path, Infinity);
  const sim = createSimulator();
  state.follow("shop", {}, sim);
  const size = (): number => readFileSync(`${path}-wal`).length;
  let count = 0;
  // SQLite begins anew after a thousand pages.
  for (let before = 0; size() > before || count < 100; count += 1) {
    before = size();
    sim.faults.add({
      kind: "request.latency",
      delay: "1 minute",
      path: `/${"x".repeat(20_000)}`,
      id: `fault ${count}`,
    });
    sim.internals.parts.engine.inputs?.keeper?.keep();
  }
  const copy = killedCopyOf(path);
  expect(await faultsIn(copy)).toBe(count);
  state.close();
});

test("a log whose file is gone is kept, and not taken for nothing", () => {
  const path = killed();
  unlinkSync(path);
  expectRefused(path, /is empty, and shop\.db-wal beside it is not/);
});

test("a file of a newer version is refused with its log beside it, and both stay as they are", () => {
  const path = killed();
  const database = new DatabaseSync(path);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA user_version = 2");
  const newer = killedCopyOf(path);
  database.close();
  expectRefused(newer, /a newer version of Centavo wrote it/);
});

test("what is left of a write that a killed server did not finish is no damage, once others have begun to take its place", async () => {
  const path = killed();
  const database = new DatabaseSync(path);
  // Writes to the log before the end of the transaction, as it does with a large one.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = 1; BEGIN");
  const insert = database.prepare("INSERT INTO inputs (world, text, checksum) VALUES ('ghost', ?, '')");
  for (let count = 0; count < 50; count += 1) insert.run("x".repeat(3000));
  const unfinished = killedCopyOf(path);
  database.exec("ROLLBACK");
  database.close();
  expect(readFileSync(`${unfinished}-wal`).length).toBeGreaterThan(readFileSync(`${killed()}-wal`).length + 100_000);

  const state = openState(unfinished);
  state.follow("other", {}, createSimulator());
  const killedAgain = killedCopyOf(unfinished);
  state.close();
  expect(await faultsIn(killedAgain)).toBe(FAULTS);
});
