import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { printable } from "../kit/base/errors/printable.ts";
import type { Failure, Verdict } from "./verdict.ts";

/** The runners for which a test can be written. */
export const testRunners = ["vitest", "jest", "node"] as const;
export type TestRunner = (typeof testRunners)[number];

/** How a test of a story is written. */
export interface TestOptions {
  /** How the test imports the exam file, whose default export is the options of the exam: `"./shop.exam.ts"`. */
  readonly exam: string;
  /** `node` stands for `node:test`; `vitest` by default. */
  readonly runner?: TestRunner;
  /** Whether a test for `node:test` is CommonJS; false by default. One for Jest works as both. */
  readonly commonjs?: boolean;
}

/** How long a test may take, in milliseconds: a story takes a second, and its program may start slowly. */
const TIMEOUT = "120_000";
/** Whatever ends a line ends a comment, too. */
const LINE_ENDS = /[\n\r\u2028\u2029]+/;

/** What differs between the runners: where the time limit stands, and how an assertion reads. */
const forRunner: Readonly<Record<TestRunner, { takesLast: boolean; isUndefined: (value: string) => string }>> = {
  vitest: { takesLast: false, isUndefined: (value) => `expect(${value}).toBeUndefined();` },
  jest: { takesLast: true, isUndefined: (value) => `expect(${value}).toBeUndefined();` },
  node: { takesLast: false, isUndefined: (value) => `assert.equal(${value}, undefined);` },
};

/**
 * Writes a test file with a test for each failure. A test plays its story with the merchant's own options, and tells its steps as comments:
 * the exam alone can place a trouble at the second write of an order, so other code would play another story.
 * @throws {CentavoError} `INVALID_OPTION` naming the option
 */
export function testFile(
  verdict: Pick<Verdict, "seed" | "warnings">,
  failures: readonly Failure[],
  options: TestOptions,
): string {
  const { exam, runner = "vitest", commonjs = false } = options;
  const refuse = (name: string, value: unknown, takes: string): never => {
    throw new CentavoError(
      "INVALID_OPTION",
      `verdict.testOf: the option ${name} is ${inWords(value)}. It takes ${takes}.`,
    );
  };
  if (typeof exam !== "string" || exam === "")
    refuse("exam", exam, 'how the test imports the exam file, such as "./shop.exam.ts"');
  if (!testRunners.includes(runner)) refuse("runner", runner, `one of ${testRunners.join(", ")}`);
  const loadsInside = runner === "jest" || (runner === "node" && commonjs);
  return [
    "// Written by Centavo from stories that broke a law. Each test fails until its story passes.",
    ...header(runner, exam, loadsInside),
    ...failures.flatMap((failure) => ["", ...testInLines(verdict, failure, { exam, runner, loadsInside })]),
    "",
  ].join("\n");
}

function header(runner: TestRunner, exam: string, loadsInside: boolean): readonly string[] {
  // Jest puts its functions into every file.
  if (runner === "jest") return ["// Jest loads the exam with NODE_OPTIONS=--experimental-vm-modules."];
  if (loadsInside) return ['const assert = require("node:assert/strict");', 'const { test } = require("node:test");'];
  return [
    'import { exam } from "centavo/exam";',
    ...(runner === "node"
      ? ['import assert from "node:assert/strict";', 'import { test } from "node:test";']
      : ['import { expect, test } from "vitest";']),
    `import options from ${JSON.stringify(exam)};`,
  ];
}

function testInLines(
  { seed, warnings }: Pick<Verdict, "seed" | "warnings">,
  failure: Failure,
  { exam, runner, loadsInside }: { readonly exam: string; readonly runner: TestRunner; readonly loadsInside: boolean },
): readonly string[] {
  const { law, sentence, token } = failure;
  const { takesLast, isUndefined } = forRunner[runner];
  const title = JSON.stringify(`${law}: ${sentence}`);
  // A law that only warns is not among the failures.
  const list = warnings.some((each) => each.law === law) ? "warnings" : "failures";
  return [
    `test(${title}, ${takesLast ? "" : `{ timeout: ${TIMEOUT} }, `}async () => {`,
    ...storyInLines(failure).flatMap((text) =>
      text.split(LINE_ENDS).map((line) => `  // ${printable(line)}`.trimEnd()),
    ),
    ...(loadsInside
      ? [
          '  const { exam } = await import("centavo/exam");',
          `  const { default: options } = await import(${JSON.stringify(exam)});`,
        ]
      : []),
    "  const verdict = await exam({",
    "    ...options,",
    `    seed: ${JSON.stringify(seed)},`,
    `    replay: ${JSON.stringify(token)},`,
    "  });",
    `  const broken = verdict.${list}.find(({ law }) => law === ${JSON.stringify(law)});`,
    `  ${isUndefined("broken?.what")}`,
    `  ${isUndefined("verdict.unfinished")}`,
    takesLast ? `}, ${TIMEOUT});` : "});",
  ];
}

function storyInLines({ story, what, misunderstanding, remedy, docs }: Failure): readonly string[] {
  return [
    ...story.map((sentence, index) => `${index + 1}. ${sentence}`),
    `→ ${what}`,
    "",
    ...(misunderstanding === undefined ? [] : [`Likely misunderstanding: ${misunderstanding}`]),
    `Remedy: ${remedy}`,
    ...(docs === undefined ? [] : [`See node_modules/centavo/${docs}`]),
  ];
}
