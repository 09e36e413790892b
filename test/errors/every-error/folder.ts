import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = "centavo-errors-";

/** Makes a folder for one case. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), NAME));
}

/** Writes every such folder in a text as `/folder`, and every port that was taken as 8080, because each run has others. */
export function sameInEveryRun(text: string): string {
  return text
    .replaceAll(/Port \d+/g, "Port 8080")
    .replaceAll(/(127\.0\.0\.1):\d+/g, "$1:8080")
    .replaceAll(new RegExp(String.raw`[^\s"'(]*${NAME}\w+`, "g"), "/folder");
}
