import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../src/inspected/run-folder.ts";

test("a process lives until it has ended, whether or not its parent has noticed", async () => {
  expect(isAlive(process.pid)).toBe(true);
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  expect(isAlive(ended)).toBe(false);
  // The shell's child has ended, and the shell, which has become another program, never asks how.
  const script = 'sh -c "exit 0" & echo $!; exec cat';
  const shell = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void shell.kill());
  const [line] = (await once(createInterface(shell.stdout), "line")) as [string];
  await expect.poll(() => isAlive(Number(line)), { timeout: 60_000 }).toBe(false);
  expect(isAlive(shell.pid ?? 0)).toBe(true);
});
