import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { warnProcess } from "../../kit/base/runtime/process-warning.ts";
import { isThere, readTextFile, relativePath, writeTextFile } from "../../kit/base/runtime/files.ts";
import { version } from "../../kit/base/runtime/version.ts";
import { sha256Of } from "../../kit/base/runtime/sha256.ts";
import type { AssumptionOverrides } from "../../service/assumption-table.ts";
import type { PlannedFault } from "../../troubles/trouble.ts";
import type { TestRecord } from "./test-record.ts";

/** Tells the processes of a suite that they are shaken, and where to read what goes wrong and to write what they passed. */
export const FOLDER_VARIABLE = "CENTAVO_SHAKE_FOLDER";
/** Tells a suite which run of a shake it is: 0 for the first one, in which nothing goes wrong. */
export const RUN_VARIABLE = "CENTAVO_SHAKE_RUN";
/** Tells them the working directory of the shake. */
export const DIRECTORY_VARIABLE = "CENTAVO_SHAKE_DIRECTORY";

/** What goes wrong in one test of a run. */
export interface PlannedTrouble {
  /** Each of them belongs to the same trouble. */
  readonly faults: readonly PlannedFault[];
  readonly assumptions?: AssumptionOverrides;
  /** Whether only the outcome of the test counts, so that nothing is played after its end. */
  readonly endsWithTest?: true;
}

/** What goes wrong in a run, by the key of each test. */
export type RunPlan = Readonly<Record<string, PlannedTrouble>>;

/** Which world of which tests it is, where tests create their simulators themselves. */
export interface WorldOfTests {
  /**
   * Worlds that share it have a trouble in different runs: if their test fails, nobody could tell whose trouble it was. By
   * default each has a group of its own.
   */
  readonly group?: string;
  /** Whether several tests of the file share the world, and so count as one. */
  readonly isShared?: true;
}

/** What tells a test from all others of its suite. */
export interface TestInSuite {
  readonly title: string;
  /** Its path, where the runner tells it. */
  readonly file?: string | undefined;
  /** Its project, where the runner has several. */
  readonly project?: string | undefined;
  /** What else tells it from others of its title, such as its source where its runner tells no title. */
  readonly source?: string;
  /** Which of the tests that are equal in all of this it is, from 1; 1 by default. */
  readonly ordinal?: number;
}

/** Identifies a test in every run of its suite. */
export interface ShakenTest extends WorldOfTests {
  /** Relative to the working directory of the shake; absent where the runner does not tell it. */
  readonly file?: string;
  readonly title: string;
  /** Which of the tests with the same file, title and source it is, from 1. */
  readonly ordinal: number;
  readonly key: string;
}

const LONGEST_KEY = 16;

export function shakenTest({ title, file: path, project, source, ordinal = 1 }: TestInSuite): ShakenTest {
  const file = path === undefined ? undefined : fileInShake(path);
  const key = sha256Of(JSON.stringify([file, project, title, source, ordinal])).slice(0, LONGEST_KEY);
  return {
    ...(file === undefined ? {} : { file }),
    title: titleIn(project, title),
    ordinal,
    key,
  };
}

/** Returns a title that tells the projects of a runner apart. */
export function titleIn(project: string | undefined, title: string): string {
  return project === undefined ? title : `${title} (${project})`;
}

/** Names a file as every process of the suite does, and every machine: they may have other working directories. */
export function fileInShake(path: string): string {
  return relativePath(path, globalThis.process.env[DIRECTORY_VARIABLE]);
}

/** One run of a suite that is shaken, as its processes see it. */
export interface ShakenRun {
  readonly folder: string;
  /** 0 for the run in which nothing goes wrong. */
  readonly number: number;
  readonly plan: RunPlan;
}

/** A process may begin many tests, and its plan does not change. */
let known: ShakenRun | undefined;

/** Returns the run of a shake that this process belongs to. */
export function runOfProcess(): ShakenRun | undefined {
  const { [FOLDER_VARIABLE]: folder = "", [RUN_VARIABLE]: number = "0" } = globalThis.process?.env ?? {};
  if (folder === "") return undefined;
  if (known?.folder === folder && known.number === Number(number)) return known;
  const path = planPath(folder, Number(number));
  const plan = isThere(path) ? (JSON.parse(readTextFile(path) ?? "{}") as RunPlan) : {};
  return (known = { folder, number: Number(number), plan });
}

export function planPath(folder: string, run: number): string {
  return `${folder}/plan-${run}.json`;
}

/** Returns the folder with a file for each test that a run has ended. */
export function recordsFolder(folder: string, run: number): string {
  return `${folder}/run-${run}`;
}

/** Returns the folder for the recordings of every run. It is there if the shake wants them. */
export function recordingsFolder(folder: string): string {
  return `${folder}/recordings`;
}

/**
 * Writes what a test passed. A test that its runner repeats replaces its earlier record. The test's own result matters more than a record
 * that cannot be written: the command says that the test was not recorded.
 */
export function writeRecord({ folder, number }: ShakenRun, record: TestRecord): void {
  // A process that outlives its shake leaves nothing behind.
  if (!isThere(folder)) return;
  try {
    writeTextFile(
      `${recordsFolder(folder, number)}/${record.test.key}.json`,
      JSON.stringify({ centavo: version(), ...record }),
    );
  } catch (failure) {
    warnUnrecorded(record.test, failure);
  }
}

/** Warns on standard error that what a test passed is not, or not wholly, recorded. */
export function warnUnrecorded({ title }: ShakenTest, failure: unknown): void {
  warnProcess(`Centavo could not record what the test "${title}" passed: ${messageOf(failure)}`);
}
