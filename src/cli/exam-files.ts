import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inTurn } from "../kit/base/runtime/in-turn.ts";
import { interruptLoops } from "../kit/base/runtime/loops.ts";
import { holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { nearest } from "../kit/base/errors/nearest.ts";
import type { ExamOptions } from "../exam/options.ts";
import { unreadableModule } from "./load-stories.ts";

/** How long an exam file may take to load, in milliseconds of real time. */
export const LOADS_WITHIN = 60_000;

const EXAM = /\.exam\.[cm]?[jt]s$/;
const HOW_TO_WRITE =
  "An exam file exports the options of exam() as its default: export default { open, acts, books } satisfies ExamOptions.";

/**
 * Finds the exam files to examine, relative to the working directory. A folder stands for the files in it whose names end in `.exam.ts`,
 * or `.exam.js` and the like.
 * @throws {CentavoError} `NOT_FOUND` for a path that does not exist, and for a folder without exam files
 */
export function findExams(wanted: readonly string[], directory: string): readonly string[] {
  const found = wanted.flatMap((path) => {
    const place = resolve(directory, path);
    const what = statSync(place, { throwIfNoEntry: false });
    if (what === undefined) throw missing(path, directory);
    if (!what.isDirectory()) return [place];
    const inside = examsIn(place);
    if (inside.length === 0)
      throw new CentavoError("NOT_FOUND", `There is no exam file in ${path}. Exam files are named like shop.exam.ts.`);
    return inside;
  });
  return [...new Set(found)].map((place) => relative(directory, place));
}

function examsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => EXAM.test(name) && !name.split(/[\\/]/).includes("node_modules"))
    .toSorted()
    .map((name) => join(folder, name));
}

function missing(path: string, directory: string): CentavoError {
  const folder = dirname(resolve(directory, path));
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const near = isThere ? nearest(basename(path), readdirSync(folder)) : undefined;
  const instead = near === undefined ? "" : ` The nearest is ${join(dirname(path), near)}.`;
  return new CentavoError("NOT_FOUND", `There is no file or folder ${path} in ${directory}.${instead}`);
}

/**
 * Loads an exam file.
 * @throws {CentavoError} `NOT_FOUND` when its default export is not an exam, and whatever the file throws
 */
export async function loadExam(file: string, directory: string): Promise<ExamOptions<unknown>> {
  const { default: options } = await inTurn(() => exportsOf(file, directory));
  if (options === undefined) throw new CentavoError("NOT_FOUND", `${file} has no default export. ${HOW_TO_WRITE}`);
  if (typeof options !== "object" || options === null || !("open" in options))
    throw new CentavoError("NOT_FOUND", `The default export of ${file} is not an exam. ${HOW_TO_WRITE}`);
  return options as ExamOptions<unknown>;
}

type Exports = Readonly<Record<string, unknown>>;

async function exportsOf(file: string, directory: string): Promise<Exports> {
  const stopWatching = interruptLoops(LOADS_WITHIN, () => undefined);
  const release = holdExit({ brokenOff: (cause) => `${cause} while ${file} was loaded.` });
  try {
    const exports = import(pathToFileURL(resolve(directory, file)).href) as Promise<Exports>;
    return await Promise.race([exports, tooLate(file)]);
  } catch (error) {
    throw unreadableModule(error) ?? error;
  } finally {
    release();
    await stopWatching?.();
  }
}

/** Rejects once a file has taken too long to load. It does not keep the process alive, whose end tells more. */
function tooLate(file: string): Promise<never> {
  const late = Promise.withResolvers<never>();
  AbortSignal.timeout(LOADS_WITHIN).addEventListener("abort", () => {
    late.reject(
      new CentavoError(
        "INVALID_STATE",
        `${file} did not load within ${LOADS_WITHIN / 1000} seconds. Code at its top level, or of what it imports, never ends, or waits for something that never happens.`,
      ),
    );
  });
  return late.promise;
}
