import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isThrown } from "../kit/base/errors/thrown-values.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { fileNameOf } from "./story-files.ts";
import type { ListedStory } from "./story-files.ts";

/** A story of a loaded file. */
export interface LoadedStory extends ListedStory {
  readonly scenario: Scenario;
}

/** What a file holds. */
export interface LoadedFile {
  readonly stories: readonly LoadedStory[];
  /** Whether the file was meant as a story: it has a default export, or none at all. */
  readonly looksLikeStory: boolean;
}

/**
 * Loads a file of stories.
 * @throws {CentavoError} `INVALID_STATE` when Node cannot read the file as it is, and whatever the file throws
 */
export async function loadStories(path: string, directory: string): Promise<LoadedFile> {
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = (await import(pathToFileURL(resolve(directory, path)).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw unreadableModule(error) ?? error;
  }
  // CommonJS that a compiler made of an ES module has its exports below the default.
  if (isCompiled(exports["default"])) exports = exports["default"];
  const fileName = fileNameOf(path);
  const stories = new Map<Scenario, LoadedStory>();
  const { default: main, ...others } = exports;
  // Node gives the exports of a CommonJS file twice: as the default, and by the name "module.exports".
  for (const [key, scenario] of Object.entries({ default: main, ...others })) {
    if (!isScenario(scenario) || stories.has(scenario)) continue;
    const name = key === "default" ? fileName : `${fileName}/${key}`;
    stories.set(scenario, { name, path, title: scenario.title, scenario });
  }
  // A file with only named exports is a module that stories share.
  const looksLikeStory = "default" in exports || Object.keys(exports).length === 0;
  return { stories: [...stories.values()], looksLikeStory };
}

/** Explains that Node cannot read TypeScript, or reads an ES module as CommonJS. Returns undefined for any other error. */
export function unreadableModule(error: unknown, version = process.version): CentavoError | undefined {
  if (!isThrown(error, Error)) return undefined;
  const explained = (message: string) => new CentavoError("INVALID_STATE", message, { cause: error });
  if ("code" in error && error.code === "ERR_UNKNOWN_FILE_EXTENSION" && /\.[cm]?ts\b/.test(error.message))
    return explained(`Centavo needs Node 22.18 or newer to read TypeScript; this is ${version}.`);
  if (error instanceof SyntaxError && READ_AS_COMMON_JS.has(error.message))
    return explained(
      'Node reads this ES module as CommonJS, because the nearest package.json says "type": "commonjs". Set "type": "module" there, or end the name of the file in .mts or .mjs.',
    );
  return undefined;
}

/** What Node says of an ES module in a package that says CommonJS. Without such a word, Node tells by the syntax. */
const READ_AS_COMMON_JS: ReadonlySet<string> = new Set([
  "Cannot use import statement outside a module",
  "Unexpected token 'export'",
]);

function isCompiled(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && "__esModule" in value && value.__esModule === true;
}

/** Checks the shape, because the file may import another copy of Centavo than this program. */
function isScenario(value: unknown): value is Scenario {
  return (
    typeof value === "object" &&
    value !== null &&
    "title" in value &&
    typeof value.title === "string" &&
    "script" in value &&
    typeof value.script === "function"
  );
}
