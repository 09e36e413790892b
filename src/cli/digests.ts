import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Digests of stories that were kept in a file, by the stories' names. */
export type Digests = Readonly<Record<string, string>>;

/** @returns an empty record where there is no file yet */
export function readDigests(path: string): Digests {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Digests) : {};
}

/** Writes digests in the order of the names, so that a renewal shows only what changed. */
export function writeDigests(path: string, digests: Digests): void {
  const sorted = Object.fromEntries(
    Object.entries(digests).toSorted(([left], [right]) => left.localeCompare(right, "en")),
  );
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** What is wrong with a story's digest; undefined where it is the one that was kept. */
export function digestProblem(name: string, digest: string, kept: Digests): string | undefined {
  if (kept[name] === digest) return undefined;
  return kept[name] === undefined
    ? `The journal's digest is ${digest}, and no digest of this story was kept. Keep it with --update-digests.`
    : `The journal's digest is ${digest}, and the digest that was kept is ${kept[name]}. If what the story does was meant to change, renew it with --update-digests.`;
}
