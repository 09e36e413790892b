import { existsSync, readFileSync, writeFileSync } from "node:fs";

export type Digests = Readonly<Record<string, string>>;

/** Reads a file of digests; empty if the file does not exist. */
export function readDigests(path: string): Digests {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Digests) : {};
}

/** Writes digests sorted by name, so that a diff shows only what changed. */
export function writeDigests(path: string, digests: Digests): void {
  const sorted = Object.fromEntries(
    Object.entries(digests).toSorted(([left], [right]) => left.localeCompare(right, "en")),
  );
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Says how a story's digest differs from the file; undefined if it does not. */
export function digestProblem(name: string, digest: string, kept: Digests): string | undefined {
  if (kept[name] === digest) return undefined;
  return kept[name] === undefined
    ? `The journal's digest is ${digest}, and the file has no digest of this story. Add it with --update-digests.`
    : `The journal's digest is ${digest}, but the file has ${kept[name]}. If the story was meant to change, update the file with --update-digests.`;
}
