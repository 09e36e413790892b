import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const repository = join(import.meta.dirname, "../..");

/** How the command ended. */
export interface Ended {
  readonly code: number | null;
  /** What it printed to standard output, to standard error, and to both. */
  readonly out: string;
  readonly errors: string;
  readonly text: string;
}

interface How {
  /** The folder for its temporary files. */
  readonly own?: string;
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node for the command itself, not for the suite. */
  readonly nodeOptions?: readonly string[];
  /** Called once the command has started. */
  readonly onStart?: (command: ChildProcess) => void;
}

/** Runs `centavo shake` in a process whose temporary files are its own. */
export function shake(words: readonly string[], { own = newFolder(), env = {}, ...how }: How = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...(how.nodeOptions ?? []), "src/cli/main.ts", "shake", ...words], {
    cwd: repository,
    env: { ...process.env, TMPDIR: own, NODE_OPTIONS: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [text, out, errors] = ["", "", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    out += part;
    text += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    errors += part;
    text += part;
  });
  how.onStart?.(child);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, errors, text })));
}

/** Makes a folder, which goes when the test has finished. */
export function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "shake-command-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The folders that shakes have left in a folder for temporary files. */
export function foldersOfShakes(folderOfTest: string): readonly string[] {
  return readdirSync(folderOfTest).filter((name) => name.startsWith("centavo-shake-"));
}
