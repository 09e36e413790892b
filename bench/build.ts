import { spawnSync } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Builds the package of a tree. */
export function buildOf(folder: string): void {
  runIn(folder, "npm run --silent build:js");
}

/** Runs a command in a folder, and ends this process if it fails. */
export function runIn(folder: string, command: string): void {
  const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
