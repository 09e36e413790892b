import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CentavoError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** A story and where it stands. */
export interface FoundStory {
  /** The file's name without its extension; of several stories in one file, each but the default adds its export's name. */
  readonly name: string;
  /** Relative to the working directory. */
  readonly path: string;
  readonly scenario: Scenario;
}

const SOURCE = /\.[cm]?[jt]s$/;
const NO_STORY = /\.d\.[cm]?ts$|\.(test|spec)\.[cm]?[jt]s$/;
const DEFAULT_FOLDER = "scenarios";

/**
 * Finds the stories that were asked for.
 * @param wanted files, folders, and names of stories; without files and folders the folder `scenarios` is searched
 * @param directory against which paths are resolved
 * @throws {CentavoError} `NOT_FOUND` for an unknown name, which lists the nearest, and where there is no story at all
 */
export async function findStories(wanted: readonly string[], directory: string): Promise<readonly FoundStory[]> {
  const paths = wanted.filter((text) => exists(resolve(directory, text)));
  const names = wanted.filter((text) => !paths.includes(text));
  const missing = names.find((text) => text.includes("/") || SOURCE.test(text));
  if (missing !== undefined)
    throw new CentavoError("NOT_FOUND", `There is no file or folder ${missing} in ${directory}.`);
  const files = [
    ...new Set((paths.length === 0 ? [DEFAULT_FOLDER] : paths).flatMap((path) => sourcesAt(resolve(directory, path)))),
  ];
  const stories = (await Promise.all(files.map((file) => storiesIn(file, directory)))).flat();
  if (stories.length === 0) {
    const where = paths.length === 0 ? `the folder ${DEFAULT_FOLDER}` : paths.join(", ");
    throw new CentavoError(
      "NOT_FOUND",
      `There is no story in ${where}: a story is what a file exports as its default, made with scenario(title, script) from centavo/scenario.`,
    );
  }
  return names.length === 0 ? stories : names.map((name) => named(name, stories));
}

function named(name: string, stories: readonly FoundStory[]): FoundStory {
  const wanted = name.toLowerCase();
  const found = stories.find(
    (story) => story.name.toLowerCase() === wanted || story.scenario.title.toLowerCase() === wanted,
  );
  if (found !== undefined) return found;
  const others = stories.map((story) => story.name);
  const suggestions: string[] = [];
  for (
    let left = others;
    suggestions.length < 3 && left.length > 0;
    left = others.filter((other) => !suggestions.includes(other))
  ) {
    suggestions.push(nearest(name, left) ?? "");
  }
  throw new CentavoError("NOT_FOUND", `There is no story "${name}". The nearest are: ${suggestions.join(", ")}.`);
}

async function storiesIn(file: string, directory: string): Promise<FoundStory[]> {
  const exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const fileName = basename(file).replace(SOURCE, "");
  return Object.entries(exports)
    .filter((entry): entry is [string, Scenario] => isScenario(entry[1]))
    .map(([key, scenario]) => ({
      name: key === "default" ? fileName : `${fileName}/${key}`,
      path: relative(directory, file),
      scenario,
    }));
}

/** By shape: the file may import another copy of Centavo than this program is. */
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
