import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { nearest } from "../kit/base/errors/nearest.ts";

/** What is known of a story before it is played. */
export interface ListedStory {
  /** The file's name without its extension. A story that is not the default export adds the name of its export. */
  readonly name: string;
  /** The file, relative to the working directory. */
  readonly path: string;
  readonly title: string;
}

/** A file of stories to play. */
export interface ChosenFile {
  /** Relative to the working directory. */
  readonly path: string;
  /** The names of the stories to play; all of the file if absent. */
  readonly names?: readonly string[];
  /** Whether the command names the file itself. */
  readonly isNamed: boolean;
}

/** What loading some files has shown. */
export interface ListedFiles {
  readonly stories: readonly ListedStory[];
  /** The files that could not be loaded. */
  readonly notLoaded: readonly string[];
}

/** Loads files, each in a process of its own. */
export type ListStories = (paths: readonly string[]) => Promise<ListedFiles>;

const SOURCE = /\.[cm]?[jt]s$/;
const NO_STORY = /\.d\.[cm]?ts$|\.(test|spec)\.[cm]?[jt]s$/;
const DEFAULT_FOLDER = "scenarios";
const WHAT_A_STORY_IS =
  "a story is the default export of a file, made with scenario(title, script) from centavo/scenario.";

/** A command-line argument. */
interface Argument {
  readonly text: string;
  readonly kind: "folder" | "file" | "name";
}

/**
 * Finds the files of the wanted stories. A file or a name selects from the folders before it, and a name also from the files before it.
 * @param wanted files, folders and names of stories; without files and folders, the folder `scenarios` is searched
 * @param directory the folder against which paths are resolved
 * @param list called only if names are wanted
 * @throws {CentavoError} `NOT_FOUND` for an unknown name (with the nearest ones), and when there is no file at all
 */
export async function chooseFiles(
  wanted: readonly string[],
  directory: string,
  list: ListStories,
): Promise<readonly ChosenFile[]> {
  const given = wanted.map((text): Argument => ({ text, kind: kindOf(text, directory) }));
  const missing = given.find(({ text, kind }) => kind === "name" && isPath(text, directory));
  if (missing !== undefined)
    throw new CentavoError("NOT_FOUND", `There is no file or folder ${missing.text} in ${directory}.`);
  const names = given.filter(({ kind }) => kind === "name").map(({ text }) => text);
  const folder: Argument = { text: DEFAULT_FOLDER, kind: "folder" };
  const order = given.length > names.length ? given : [folder, ...given];
  const lastChoice = order.findLastIndex(({ kind }) => kind !== "folder");

  const pool = new Set<string>();
  const chosen = new Map<string, ChosenFile>();
  for (const [index, { text, kind }] of order.entries()) {
    if (kind === "name") continue;
    for (const path of sourcesAt(text, directory)) {
      pool.add(path);
      const isNamed = kind === "file" || chosen.get(path)?.isNamed === true;
      if (kind === "file" || index > lastChoice) chosen.set(path, { path, isNamed });
    }
  }
  const [name] = names;
  if (pool.size === 0 && name !== undefined) throw unknownHere(name, directory);
  const picked = new Map<string, ChosenFile>();
  for (const { path, name: own } of await named(names, [...pool], list)) {
    chosen.delete(path);
    const others = picked.get(path)?.names ?? [];
    picked.set(path, { path, isNamed: true, ...(own !== undefined && { names: [...others, own] }) });
  }
  return [...chosen.values(), ...picked.values()];
}

/** Says that there is no story in the wanted files and folders. */
export function noStoryIn(wanted: readonly string[]): string {
  const where = wanted.length === 0 ? `the folder ${DEFAULT_FOLDER}` : wanted.join(", ");
  return `There is no story in ${where}: ${WHAT_A_STORY_IS}`;
}

/** Returns the name of a file, from which those of its stories are made. */
export function fileNameOf(path: string): string {
  return basename(path).replace(SOURCE, "");
}

/**
 * The error for a name when there are no stories at all. It may have been meant as a file or folder, so the message suggests the nearest
 * one.
 */
function unknownHere(name: string, directory: string): CentavoError {
  const near = nearest(
    name,
    readdirSync(directory).filter((entry) => !entry.startsWith(".")),
  );
  const instead = near === undefined ? "" : ` The nearest name here is ${near}.`;
  return new CentavoError(
    "NOT_FOUND",
    `There is no file, folder or story "${name}"; stories are looked up in the folder ${DEFAULT_FOLDER}, which has none.${instead}`,
  );
}

/** Whether a text names a file, and no story: the name of a story may have a slash, too. */
function isPath(text: string, directory: string): boolean {
  return SOURCE.test(text) || (text.includes("/") && kindOf(dirname(text), directory) === "folder");
}

function kindOf(text: string, directory: string): Argument["kind"] {
  const found = statSync(resolve(directory, text), { throwIfNoEntry: false });
  if (found === undefined) return "name";
  return found.isDirectory() ? "folder" : "file";
}

/**
 * Returns the files with the stories of these names or titles. A name mostly tells the file of its story; other files are loaded only if it
 * does not. A file that cannot be loaded is chosen as a whole by its own name, so that the run says why.
 */
async function named(names: readonly string[], pool: readonly string[], list: ListStories): Promise<readonly Named[]> {
  if (names.length === 0) return [];
  const files = new Set(names.map((name) => name.toLowerCase().split("/")[0]));
  const likely = await list(pool.filter((path) => files.has(fileNameOf(path).toLowerCase())));
  const found = names.flatMap((name) => withName(name, likely) ?? []);
  if (found.length === names.length) return found;
  const all = await list(pool);
  return names.map((name) => withName(name, likely) ?? withNameOrTitle(name, all));
}

/** A file, and the story of it that is wanted; the whole file if absent. */
interface Named {
  readonly path: string;
  readonly name?: string;
}

function withName(name: string, { stories, notLoaded }: ListedFiles): Named | undefined {
  const wanted = name.toLowerCase();
  const path = notLoaded.find((each) => fileNameOf(each).toLowerCase() === wanted.split("/")[0]);
  return stories.find((story) => story.name.toLowerCase() === wanted) ?? (path === undefined ? undefined : { path });
}

/** @throws {CentavoError} `NOT_FOUND` with the nearest names */
function withNameOrTitle(name: string, { stories, notLoaded }: ListedFiles): Named {
  const wanted = name.toLowerCase();
  const textsOf = ({ name: own, title }: ListedStory): string[] => [own.toLowerCase(), title.toLowerCase()];
  const found = stories.find((story) => textsOf(story).includes(wanted));
  if (found !== undefined) return found;
  const near = stories.filter((story) => textsOf(story).some((text) => text.includes(wanted)));
  const names = near.length > 0 ? near.map((story) => story.name) : nearestNames(name, stories);
  const are = names.length === 1 ? "The nearest is" : "The nearest are";
  const wayOut = names.length === 0 ? "`centavo run` without a name runs all" : `${are}: ${names.join(", ")}`;
  const unknown = notLoaded.length === 0 ? "" : ` These files could not be loaded: ${notLoaded.join(", ")}.`;
  throw new CentavoError("NOT_FOUND", `There is no story "${name}". ${wayOut}.${unknown}`);
}

function nearestNames(name: string, stories: readonly ListedStory[]): string[] {
  let left = stories.map((story) => story.name);
  const names: string[] = [];
  while (names.length < 3 && left.length > 0) {
    const next = nearest(name, left);
    if (next === undefined) break;
    names.push(next);
    left = left.filter((other) => other !== next);
  }
  return names;
}

/** Returns a file, or the sources below a folder, relative to the working directory. */
function sourcesAt(path: string, directory: string): string[] {
  const place = resolve(directory, path);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [relative(directory, place)];
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => SOURCE.test(name) && !NO_STORY.test(name) && !name.split(/[\\/]/).includes("node_modules"))
    .toSorted()
    .map((name) => relative(directory, join(place, name)));
}
