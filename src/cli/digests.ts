import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { ListedStory } from "./story-files.ts";

/** The digests of stories, by their names. */
export type Digests = Readonly<Record<string, string>>;

/**
 * Reads a file of digests; empty if the file does not exist.
 * @throws {CentavoError} `INVALID_OPTION` when the file cannot be read, or holds something else
 */
export function readDigests(path: string, directory: string): Digests {
  const file = resolve(directory, path);
  if (!existsSync(file)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CentavoError("INVALID_OPTION", `The digests ${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  if (isDigests(content)) return content;
  throw new CentavoError(
    "INVALID_OPTION",
    `${path} is not a file of digests. Name one that --update-digests wrote, or a new one.`,
  );
}

function isDigests(content: unknown): content is Digests {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
  return Object.values(content).every((digest) => typeof digest === "string");
}

/** Writes digests sorted by name, so that a diff shows only what changed. */
export function digestsAsText(digests: Digests): string {
  const sorted = Object.entries(digests).toSorted(([left], [right]) => left.localeCompare(right, "en"));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** @throws {CentavoError} `INVALID_OPTION` when two stories share a name, because a file of digests knows stories by their names alone */
export function refuseSharedNames(stories: readonly ListedStory[]): void {
  for (const [name, [first, second]] of Map.groupBy(stories, (story) => story.name))
    if (first !== undefined && second !== undefined)
      throw new CentavoError(
        "INVALID_OPTION",
        `--digests knows stories by their names, and two are named "${name}": ${first.path} and ${second.path}. Rename one of the files, or check each folder against a file of its own.`,
      );
}

/** Says how a story's digest differs from the file; undefined if it does not. */
export function digestProblem(name: string, digest: string, kept: Digests): string | undefined {
  const own = Object.hasOwn(kept, name) ? kept[name] : undefined;
  if (own === digest) return undefined;
  return own === undefined
    ? `The journal's digest is ${digest}, and the file has no digest of this story. Add it with --update-digests.`
    : `The journal's digest is ${digest}, but the file has ${own}. If the story was meant to change, update the file with --update-digests.`;
}
