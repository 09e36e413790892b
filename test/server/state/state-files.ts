import { copyFileSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns the path of a state file in a folder of its own. */
export function newStateFile(): string {
  return join(mkdtempSync(join(tmpdir(), "centavo-state-")), "shop.db");
}

/** Copies a state file as a killed server would leave it: what it has written, and nothing that it would write at its end. */
export function killedCopyOf(path: string): string {
  const copy = newStateFile();
  for (const end of ["", "-wal", "-journal"]) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  return copy;
}
