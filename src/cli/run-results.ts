import { stripVTControlCharacters } from "node:util";
import type { RunningMerchant } from "../scenario/running-merchant.ts";
import { version } from "../kit/base/runtime/version.ts";
import { exitCodes } from "./exit-codes.ts";
import type { PlayedStory, PlayResult } from "./play-files.ts";
import { neverCalled } from "./merchant-contact.ts";

/** What an exit code adds to the number of the signal that ended the command, as in shells. */
const BY_SIGNAL = 128;

/** What became of the files of a run. */
export class RunResults {
  readonly stories: PlayedStory[] = [];
  readonly notLoaded: { readonly path: string; readonly reason: string }[] = [];
  /** Files without a story that were meant as one, relative to the working directory. */
  readonly skipped: string[] = [];
  /** Files without a story that the command names. */
  readonly withoutStory: string[] = [];
  /** What the interruption left out: names of stories, and files that were not loaded. */
  readonly notPlayed: string[] = [];
  /** Which files could not be written, and why. */
  readonly notWritten: string[] = [];
  /** Why nothing was played, or not what the command names. */
  problem: string | undefined;
  /** The merchant in another process that the stories were played against. */
  merchant: RunningMerchant | undefined;
  /** The number of the signal that interrupted the run. */
  signal: number | undefined;

  add(result: PlayResult): void {
    if (result.kind === "story") this.stories.push(result.story);
    else if (result.kind === "file-failed") this.notLoaded.push({ path: result.path, reason: result.reason });
    else if (result.kind === "not-played") this.notPlayed.push(...result.what);
    else if (result.file.isNamed) this.withoutStory.push(result.file.path);
    else if (result.looksLikeStory) this.skipped.push(result.file.path);
  }

  /** Says that the merchant never called, if it did not. */
  get uncalled(): string | undefined {
    const { merchant, stories, signal } = this;
    if (merchant === undefined || stories.length === 0 || signal !== undefined) return undefined;
    return stories.some(({ contact }) => (contact?.calls ?? 0) > 0) ? undefined : neverCalled(merchant);
  }

  get exitCode(): number {
    if (this.signal !== undefined) return BY_SIGNAL + this.signal;
    if (this.#named("failed").length + this.notLoaded.length > 0 || this.uncalled !== undefined)
      return exitCodes.failed;
    return this.problem === undefined && this.notWritten.length === 0 ? exitCodes.passed : exitCodes.couldNotRun;
  }

  /** One line that sums up. */
  toString(): string {
    const count = this.stories.length;
    const passed = this.#named("passed").length;
    const parts = {
      failed: this.#named("failed"),
      interrupted: this.#named("interrupted"),
      "not loaded": this.notLoaded.map(({ path }) => path),
      "not played": this.notPlayed,
    };
    return [
      `${passed} of ${count} ${count === 1 ? "story" : "stories"} passed`,
      ...Object.entries(parts).flatMap(([what, names]) => (names.length === 0 ? [] : [`${what}: ${names.join(", ")}`])),
    ].join("; ");
  }

  /** The results as one document for other programs. It is the same for the same run. */
  toJSON(): object {
    const { exitCode, merchant, skipped, notLoaded, notPlayed, notWritten } = this;
    return {
      centavo: version(),
      passed: exitCode === exitCodes.passed,
      exitCode,
      problem: this.#problemOfAll,
      service: merchant && { baseUrl: merchant.baseUrl, credentials: merchant.credentials },
      stories: this.stories.map((story) => ({
        name: story.name,
        path: story.path,
        title: story.title,
        outcome: story.outcome,
        problem: story.problem,
        digest: story.digest,
        timeline: story.timeline,
        stdout: story.stdout === "" ? undefined : story.stdout,
        stderr: story.stderr === "" ? undefined : story.stderr,
      })),
      notLoaded,
      notPlayed,
      notWritten,
      skipped,
    };
  }

  /** The results in the XML of JUnit, which CI servers read: a suite for each file. */
  toJUnit(): string {
    const problem = this.#problemOfAll;
    const files = Map.groupBy(this.stories, ({ path }) => path);
    const suites = [
      ...[...files].map(([path, stories]) => suite(path, stories.map(testCase))),
      ...this.notLoaded.map(({ path, reason }) =>
        suite(path, [element("testcase", { name: path, classname: path }, [failure("error", reason)])]),
      ),
      ...(problem === undefined
        ? []
        : [
            suite("centavo run", [
              element("testcase", { name: "centavo run", classname: "centavo run" }, [failure("error", problem)]),
            ]),
          ]),
      ...(this.notPlayed.length === 0
        ? []
        : [
            suite(
              "not played",
              this.notPlayed.map((name) => element("testcase", { name, classname: name }, [element("skipped", {})])),
            ),
          ]),
    ];
    return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: "centavo run" }, suites)}\n`;
  }

  /** What is wrong beside the stories. */
  get #problemOfAll(): string | undefined {
    return this.problem ?? this.uncalled;
  }

  #named(outcome: PlayedStory["outcome"]): string[] {
    return this.stories.filter((story) => story.outcome === outcome).map(({ name }) => name);
  }
}

function suite(name: string, cases: readonly string[]): string {
  const count = (kind: string): string => String(cases.filter((each) => each.includes(`<${kind}`)).length);
  const counts = { failures: count("failure"), errors: count("error"), skipped: count("skipped") };
  return element("testsuite", { name, tests: String(cases.length), ...counts }, cases);
}

function testCase({ path, name, title, seconds = 0, outcome, problem = "", stdout, stderr }: PlayedStory): string {
  return element("testcase", { name: `${name}: ${title}`, classname: path, time: seconds.toFixed(3) }, [
    ...(outcome === "passed" ? [] : [failure(outcome === "failed" ? "failure" : "error", problem)]),
    ...(stdout === "" ? [] : [element("system-out", {}, [escaped(stdout)])]),
    ...(stderr === "" ? [] : [element("system-err", {}, [escaped(stderr)])]),
  ]);
}

function failure(kind: "failure" | "error", problem: string): string {
  return element(kind, { message: problem.split("\n")[0] ?? "" }, [escaped(problem)]);
}

function element(name: string, attributes: Readonly<Record<string, string>>, content: readonly string[] = []): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join("")}>${content.join("")}</${name}>`;
}

/** Writes text that no XML parser takes for markup, without the characters that XML forbids. */
function escaped(text: string): string {
  return stripVTControlCharacters(text)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, (character) => (/[\t\n\r]/.test(character) ? character : "\uFFFD"))
    .replaceAll(/[<>&"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
}
