import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { subjects } from "../../src/report/causes/causes.ts";
import { expectCleanEnd } from "./expectations.ts";
import { programOf, run, withModules } from "./runner.ts";
import { byNight } from "../by-night.ts";

const root = join(import.meta.dirname, "../..");
const installed = join(root, ".cache/runners");

/** A test of `shop/failing/examples.cjs`. */
interface Example {
  readonly title: string;
  /** The name of the cause that its runner has to print; undefined if the test passes. */
  readonly cause?: string;
  /** Words of its own message. */
  readonly message?: readonly (string | RegExp)[];
  /** Why nobody can make the mistake where nothing is intercepted. */
  readonly unlessIntercepted?: string;
}

const { examplesWith } = createRequire(import.meta.url)(join(installed, "shop/failing/examples.cjs")) as {
  readonly examplesWith: (runner: object) => readonly Example[];
};
const examples = examplesWith({});

/** How vitest and Jest print what failed. */
const vitest = {
  folder: "vitest",
  heading: (title: string) => ` FAIL  failing.test.mjs > ${title}`,
  counts: (failed: number, passed: number) => `Tests  ${failed} failed | ${passed} passed (${failed + passed})`,
} satisfies Partial<Runner>;
const jest = {
  program: [programOf("installs/runners/jest", "jest")],
  heading: (title: string) => `  ● ${title}`,
  counts: (failed: number, passed: number) =>
    `Tests:       ${failed} failed, ${passed} passed, ${failed + passed} total`,
} satisfies Partial<Runner>;

const runners: Readonly<Record<string, Runner>> = {
  "vitest 5": { ...vitest, program: [programOf(".", "vitest"), "run"] },
  "Jest in CommonJS": { ...jest, folder: "jest", interceptsNothing: true },
  Mocha: {
    folder: "mocha",
    program: [programOf("installs/runners/mocha", "mocha"), "failing.cjs"],
    heading: (title, place) => `  ${place}) ${title}:`,
    counts: (failed) => `  ${failed} failing`,
  },
  "node:test": {
    folder: "node-test",
    program: ["--test", "--test-reporter=spec", "failing.test.mjs"],
    heading: (title) => `✖ ${title} (`,
    counts: (failed) => `ℹ fail ${failed}`,
  },
};
const others: Readonly<Record<string, Runner>> = {
  "vitest 4": { ...vitest, copy: "vitest-4", program: [programOf("installs/runners/vitest-4", "vitest"), "run"] },
  "Jest in CommonJS with --experimental-vm-modules": {
    ...jest,
    folder: "jest-with-modules",
    nodeOptions: withModules,
  },
  "Jest in ES modules": { ...jest, folder: "jest-modules", nodeOptions: withModules },
};

interface Runner {
  /** Below `shop/failing`. */
  readonly folder: string;
  /** Where another copy of the shop and of the package is. */
  readonly copy?: string;
  readonly program: readonly string[];
  readonly nodeOptions?: string;
  readonly interceptsNothing?: boolean;
  /** How the line begins under which the runner prints a failure. */
  heading(title: string, place: number): string;
  counts(failed: number, passed: number): string;
}

describe("the examples", () => {
  test("name causes that there are, and every kind of them", () => {
    const wanted = new Set(examples.flatMap(({ cause }) => cause ?? []));
    const names = subjects.map(({ causes }) => causes.map(({ name }) => name));
    expect(names.flat()).toEqual(expect.arrayContaining([...wanted]));
    expect(wanted.size).toBeGreaterThan(20);
    for (const subject of names) expect(subject.some((name) => wanted.has(name))).toBe(true);
  });

  test("can be made everywhere, but for two that need interception", () => {
    const leftOut = examples.filter(({ unlessIntercepted }) => unlessIntercepted !== undefined);
    expect(leftOut.map(({ cause }) => cause)).toEqual(["second-interceptors", "real-network"]);
  });
});

test.concurrent.for([...Object.entries(runners), ...byNight(Object.entries(others))])(
  "%s prints the cause of each failing test",
  async ([, runner]) => {
    const folder = join(runner.copy ?? "", "shop/failing", runner.folder);
    const ran = await run({ folder, nodeOptions: runner.nodeOptions ?? "", arguments: () => runner.program });
    const made = examples.filter(
      ({ unlessIntercepted }) => runner.interceptsNothing !== true || unlessIntercepted === undefined,
    );
    const failing = made.filter(({ cause }) => cause !== undefined);
    expect(ran.output).toContain(runner.counts(failing.length, made.length - failing.length));
    expectCleanEnd(ran);

    const sections = sectionsOf(
      ran.output,
      failing.map(({ title }, index) => runner.heading(title, index + 1)),
    );
    for (const [index, { title, cause = "", message = [] }] of failing.entries()) {
      const lines = sections[index] ?? [];
      const report = reportIn(lines);
      const own = lines.slice(0, lines.indexOf(report[0] ?? "")).join("\n");
      expect(lines.filter((line) => /^(Likely cause|No likely cause found): /.test(line), title)).toHaveLength(1);
      expect(report[1], title).toContain(`(node_modules/centavo/docs/guide/causes.md#${cause}).`);
      if (runner.interceptsNothing === true && cause === "real-network")
        expect(report[1], title).toContain(
          "run Node with NODE_OPTIONS=--experimental-vm-modules, or hand network.fetch",
        );
      expect(report.length, title).toBeLessThanOrEqual(30);
      // An empty line would part it from what the runner put between.
      expect(report, title).not.toContain("");
      for (const words of message) expect(own, title).toMatch(words);
      const [recording = "", replay] = report.slice(-2);
      expect(recording, title).toMatch(/^Recording: \.centavo\/\S+\.json$/);
      const path = recording.slice("Recording: ".length);
      expect(replay, title).toBe(`Replay: npx centavo replay ${path}`);
      expect(existsSync(join(installed, folder, path)), title).toBe(true);
    }

    const [, words = ""] = /^Replay: npx centavo (.*)$/.exec(reportIn(sections[0] ?? []).at(-1) ?? "") ?? [];
    const replayed = await run({
      folder,
      arguments: () => [programOf(".cache/runners", "centavo"), ...words.split(" ")],
    });
    expect(replayed.output).toMatch(/^the same run/m);
    expect(replayed.code).toBe(0);
  },
);

/** From the likely cause to the command that replays the test. */
function reportIn(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith("Likely cause: "));
  return lines.slice(start, lines.findIndex((line) => line.startsWith("Replay: ")) + 1);
}

/** What was printed below each heading, without what the runner indents it by. */
function sectionsOf(printed: string, headings: readonly string[]): string[][] {
  const lines = printed.split("\n");
  // Some runners list the tests first and print their failures later.
  const starts = headings.map((heading) => lines.findLastIndex((line) => line.startsWith(heading)));
  return starts.map((start, index) => {
    if (start === -1) return [];
    return lines.slice(start + 1, starts[index + 1]).map((line) => line.trimStart());
  });
}
