import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, vi } from "vitest";

/** How long it may take until a process has ended, and how often to ask, in milliseconds. */
const patience = { timeout: 60_000, interval: 20 };

/** Makes a folder for temporary files. The inspectors that were started with it end with the test. */
export function newTemporary(): string {
  const temporary = mkdtempSync(join(tmpdir(), "centavo-run-"));
  onTestFinished(async () => {
    for (const { pid } of hubsIn(temporary)) if (isAlive(pid)) process.kill(pid);
    await untilNothingIsLeft(temporary);
    rmSync(temporary, { recursive: true, force: true });
  });
  return temporary;
}

/** The inspectors that were started with a folder for temporary files. */
export function hubsIn(temporary: string): { readonly pid: number; readonly url: string }[] {
  return globSync("centavo-inspector-*/*/inspector.json", { cwd: temporary }).map(
    (path) => JSON.parse(readFileSync(join(temporary, path), "utf8")) as { pid: number; url: string },
  );
}

async function untilNothingIsLeft(temporary: string): Promise<void> {
  await vi.waitFor(() => {
    const living = hubsIn(temporary).filter(({ pid }) => isAlive(pid));
    expect(living).toEqual([]);
  }, patience);
}

export async function untilOneHub(temporary: string): Promise<void> {
  await vi.waitFor(() => expect(hubsIn(temporary)).toHaveLength(1), patience);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs a script of this folder. `limit` is a command of the shell before it. */
export async function runScript(
  temporary: string,
  [script, ...words]: readonly [string, ...string[]],
  { limit = ":", ci = "", inspect = "" } = {},
) {
  const path = join(import.meta.dirname, "scripts", script);
  const child = spawn("sh", ["-c", `${limit}; exec "$@"`, "sh", process.execPath, path, ...words], {
    env: { ...process.env, CI: ci, CENTAVO_INSPECT: inspect, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  const [printed, warned, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, signal, printed, warned, lines: printed.trim().split("\n") };
}

/** The addresses that a run has printed. */
export function addressesIn(warned: string): string[] {
  return Array.from(warned.matchAll(/^Centavo inspector: (http\S+)$/gm), ([, url = ""]) => url);
}
