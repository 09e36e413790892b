import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { writeTextFile } from "../kit/base/runtime/files.ts";
import { testFile } from "../exam/test-of-story.ts";
import type { TestRunner } from "../exam/test-of-story.ts";
import type { Verdict } from "../exam/verdict.ts";

const SOURCE = /\.[cm]?[jt]s$/;

const manifest = z.object({
  type: z.optional(z.string()),
  dependencies: z.optional(z.record(z.string(), z.unknown())),
  devDependencies: z.optional(z.record(z.string(), z.unknown())),
});

/** What `--write-test` and `--runner` say. */
export interface WantedTest {
  /** The exam file, and the test file: true for one beside the exam file. Both are relative to the folder. */
  readonly exam: string;
  readonly file: string | true;
  readonly runner?: TestRunner | undefined;
  readonly directory: string;
}

/**
 * Writes a test of each failure of a verdict.
 * @returns a sentence that says what was written, and how to run it
 * @throws {CentavoError} `INVALID_OPTION` for a file that is no source, or holds something else; Node's error when it cannot be written
 */
export function writeTest(verdict: Verdict, { exam, file, directory, ...wanted }: WantedTest): string {
  const examPath = resolve(directory, exam);
  const runner = wanted.runner ?? runnerOf(file === true ? examPath : resolve(directory, file));
  const path = file === true ? besideExam(examPath, runner) : resolve(directory, file);
  const shown = relative(directory, path).replaceAll("\\", "/");
  if (!SOURCE.test(path))
    throw new CentavoError(
      "INVALID_OPTION",
      `--write-test takes the name of a source file, such as shop.exam.test.ts, and was given ${shown}.`,
    );
  const text = testFile(verdict, verdict.failures, {
    exam: specifierOf(dirname(path), examPath),
    runner,
    commonjs: isCommonJs(path, examPath),
  });
  const isKept = existsSync(path);
  if (isKept && readFileSync(path, "utf8") !== text)
    throw new CentavoError(
      "INVALID_OPTION",
      `${shown} holds something else, so the test was not written. Remove that file, or name another: --write-test <file>.`,
    );
  if (!isKept) writeTextFile(path, text);
  const count = verdict.failures.length;
  const tests =
    count === 1 ? "a test, which fails until the story passes" : `${count} tests, which fail until their stories pass`;
  return `${isKept ? "There is already" : "Wrote"} ${shown} with ${tests}. Run it: ${commandFor(runner, shown)}`;
}

/** `shop.exam.ts` gives `shop.exam.test.ts`. Tests for vitest are always ES modules. */
function besideExam(examPath: string, runner: TestRunner): string {
  const extension = extname(examPath);
  const name = basename(examPath, extension);
  return join(dirname(examPath), `${name}.test${runner === "vitest" ? extension.replace("c", "m") : extension}`);
}

function specifierOf(folder: string, examPath: string): string {
  const path = relative(folder, examPath).replaceAll("\\", "/");
  return path.startsWith("../") ? path : `./${path}`;
}

/** Returns the runner that the nearest package.json names: vitest before Jest. */
function runnerOf(path: string): TestRunner {
  for (const { dependencies, devDependencies } of manifestsAbove(path)) {
    const names = { ...dependencies, ...devDependencies };
    for (const runner of ["vitest", "jest"] as const) if (names[runner] !== undefined) return runner;
  }
  return "node";
}

function isCommonJs(path: string, examPath: string): boolean {
  const [, kind = ""] = /\.([cm]?)[jt]s$/.exec(path) ?? [];
  if (kind !== "") return kind === "c";
  const [nearest] = manifestsAbove(path);
  if (nearest?.type !== undefined) return nearest.type !== "module";
  // Node then tells by the syntax, and so does this, because the exam file has just been loaded.
  return !/^[ \t]*(?:export|import)\b/m.test(readFileSync(examPath, "utf8"));
}

/** The package.json of each folder above a file, the nearest first. One that cannot be read says nothing. */
function* manifestsAbove(path: string): Generator<z.infer<typeof manifest>> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = manifest.safeParse(jsonIn(join(folder, "package.json")));
    if (found.success) yield found.data;
    if (folder === dirname(folder)) return;
  }
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function commandFor(runner: TestRunner, file: string): string {
  if (runner === "vitest") return `npx vitest run ${file}`;
  return runner === "jest" ? `NODE_OPTIONS=--experimental-vm-modules npx jest ${file}` : `node --test ${file}`;
}
