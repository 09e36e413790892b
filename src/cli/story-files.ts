import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isThrown } from "../kit/base/errors/thrown-values.ts";
import { nearest } from "../kit/base/errors/nearest.ts";
import type { Scenario } from "../scenario/scenario.ts";

export interface FoundStory {
  /** The file's name without its extension. For a story that is not the default export, the name of its export is added. */
  readonly name: string;
  /** Relative to the working directory. */
  readonly path: string;
  readonly scenario: Scenario;
}

const SOURCE = /\.[cm]?[jt]s$/;
const NO_STORY = /\.d\.[cm]?ts$|\.(test|spec)\.[cm]?[jt]s$/;
const DEFAULT_FOLDER = "scenarios";
const WHAT_A_STORY_IS =
  "a story is the default export of a file, made with scenario(title, script) from centavo/scenario.";

export interface FoundStories {
  readonly stories: readonly FoundStory[];
  /** Files that look like stories but contain none, relative to the working directory. */
  readonly skipped: readonly string[];
  readonly broken: readonly BrokenFile[];
}

/** A file that could not be loaded, such as one with a syntax error. */
export interface BrokenFile {
  /** Relative to the working directory. */
  readonly path: string;
  readonly error: unknown;
}

/** A command-line argument. */
interface Argument {
  readonly text: string;
  readonly kind: "folder" | "file" | "name";
}

/**
 * Finds stories. A file or a name narrows the folders before it, and a name also narrows the files before it.
 * @param wanted files, folders and names of stories; without files and folders, the folder `scenarios` is searched
 * @param directory the folder against which paths are resolved
 * @throws {CentavoError} `NOT_FOUND` for an unknown name (with the nearest ones), for a file without a story, and when there is no story at
 * all
 */
export async function findStories(wanted: readonly string[], directory: string): Promise<FoundStories> {
  const given = wanted.map((text): Argument => ({ text, kind: kindOf(text, directory) }));
  const missing = given.find(({ text, kind }) => kind === "name" && (text.includes("/") || SOURCE.test(text)));
  if (missing !== undefined)
    throw new CentavoError("NOT_FOUND", `There is no file or folder ${missing.text} in ${directory}.`);
  const hasNames = given.some(({ kind }) => kind === "name");
  const folder: Argument = { text: DEFAULT_FOLDER, kind: "folder" };
  const order = given.some(({ kind }) => kind !== "name") ? given : [folder, ...given];
  const lastChoice = order.findLastIndex(({ kind }) => kind !== "folder");

  const pool: FoundStory[] = [];
  const chosen: FoundStory[] = [];
  const skipped: string[] = [];
  const broken: BrokenFile[] = [];
  for (const [index, { text, kind }] of order.entries()) {
    const isNarrowed = kind === "folder" && index < lastChoice;
    // A folder that a file narrows is read only to look up names.
    if (kind === "name" || (isNarrowed && !hasNames)) continue;
    const found = await storiesAt(text, kind, directory);
    pool.push(...found.stories);
    if (isNarrowed) continue;
    chosen.push(...found.stories);
    skipped.push(...found.skipped);
    broken.push(...found.broken);
  }
  if (pool.length === 0 && broken.length === 0) {
    const [name] = given;
    if (order !== given && name !== undefined) throw unknownHere(name.text, directory);
    const where = order === given ? given.map(({ text }) => text).join(", ") : `the folder ${DEFAULT_FOLDER}`;
    throw new CentavoError("NOT_FOUND", `There is no story in ${where}: ${WHAT_A_STORY_IS}`);
  }
  if (pool.length === 0) return { stories: [], skipped, broken };
  const picked = given.filter(({ kind }) => kind === "name").map(({ text }) => named(text, pool));
  const whole = chosen.filter(({ path }) => !picked.some((story) => story.path === path));
  const stories = new Map([...whole, ...picked].map((story) => [`${story.path}/${story.name}`, story]));
  return { stories: [...stories.values()], skipped, broken };
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

function kindOf(text: string, directory: string): Argument["kind"] {
  const found = statSync(resolve(directory, text), { throwIfNoEntry: false });
  if (found === undefined) return "name";
  return found.isDirectory() ? "folder" : "file";
}

/** @throws {CentavoError} `NOT_FOUND` for a file without a story */
async function storiesAt(path: string, kind: Argument["kind"], directory: string): Promise<FoundStories> {
  const files = sourcesAt(resolve(directory, path));
  const found = await Promise.all(files.map((file) => storiesIn(file, directory)));
  const stories = found.flatMap((file) => file.stories);
  const broken = found.flatMap((file) => file.broken);
  if (kind === "file" && stories.length === 0 && broken.length === 0)
    throw new CentavoError("NOT_FOUND", `There is no story in ${path}: ${WHAT_A_STORY_IS}`);
  return { stories, skipped: found.flatMap((file) => file.skipped), broken };
}

function named(name: string, stories: readonly FoundStory[]): FoundStory {
  const wanted = name.toLowerCase();
  const textsOf = ({ name: own, scenario }: FoundStory): string[] => [own.toLowerCase(), scenario.title.toLowerCase()];
  const found = stories.find((story) => textsOf(story).includes(wanted));
  if (found !== undefined) return found;
  const near = stories.filter((story) => textsOf(story).some((text) => text.includes(wanted)));
  const names = near.length > 0 ? near.map((story) => story.name) : nearestNames(name, stories);
  const are = names.length === 1 ? "The nearest is" : "The nearest are";
  const wayOut = names.length === 0 ? "`centavo run` without a name runs all" : `${are}: ${names.join(", ")}`;
  throw new CentavoError("NOT_FOUND", `There is no story "${name}". ${wayOut}.`);
}

function nearestNames(name: string, stories: readonly FoundStory[]): string[] {
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

async function storiesIn(file: string, directory: string): Promise<FoundStories> {
  const path = relative(directory, file);
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const unreadable = unreadableTypeScript(error);
    if (unreadable !== undefined) throw unreadable;
    return { stories: [], skipped: [], broken: [{ path, error }] };
  }
  const fileName = basename(file).replace(SOURCE, "");
  const stories = Object.entries(exports)
    .filter((entry): entry is [string, Scenario] => isScenario(entry[1]))
    .map(([key, scenario]) => ({ name: key === "default" ? fileName : `${fileName}/${key}`, path, scenario }));
  // A file with only named exports is a module that stories share. A file with a default export, or without exports, was meant as a story.
  const looksLikeOne = "default" in exports || Object.keys(exports).length === 0;
  return { stories, skipped: looksLikeOne && stories.length === 0 ? [path] : [], broken: [] };
}

/** The error when this Node cannot load TypeScript; undefined for any other error. */
export function unreadableTypeScript(error: unknown, version = process.version): CentavoError | undefined {
  const isUnknown = isThrown(error, Error) && "code" in error && error.code === "ERR_UNKNOWN_FILE_EXTENSION";
  if (!isUnknown || !/\.[cm]?ts\b/.test(error.message)) return undefined;
  return new CentavoError(
    "INVALID_STATE",
    `Centavo needs Node 22.18 or newer to read TypeScript; this is ${version}.`,
    { cause: error },
  );
}

/** Checks the shape, because the file may import another copy of Centavo. */
function isScenario(value: unknown): value is Scenario {
  return (
    typeof value === "object" &&
    value !== null &&
    "title" in value &&
    "script" in value &&
    typeof value.script === "function"
  );
}

function sourcesAt(path: string): string[] {
  if (!exists(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => SOURCE.test(name) && !NO_STORY.test(name) && !name.split(/[\\/]/).includes("node_modules"))
    .toSorted()
    .map((name) => join(path, name));
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
