import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { programOf, run } from "./runner.ts";

const bin = join(import.meta.dirname, "../../.cache/runners/node_modules/centavo/dist/esm/cli/main.js");
const mocha = programOf("installs/runners/mocha", "mocha");
const mochaWith = (...words: readonly string[]): readonly string[] => [
  mocha,
  "--timeout",
  "60000",
  ...words,
  "own.cjs",
  "shared.cjs",
];

/** The runners, each with the folder of its suite, its command, and the names of the four tests in its own words. */
const runners = [
  ["vitest", "vitest", [programOf(".", "vitest"), "run"], "own.test.mjs > ", " > ", "shared.test.mjs"],
  [
    "vitest 1",
    "vitest",
    [programOf("installs/runners/vitest-1", "vitest"), "run"],
    "own.test.mjs > ",
    " > ",
    "shared.test.mjs",
  ],
  ["Jest in CommonJS", "jest", [programOf("installs/runners/jest", "jest")], "", " ", "shared.test.js"],
  ["node:test", "node-test", ["--import", "centavo/shake", "--test"], "", " > ", "shared.test.cjs"],
  ["Mocha", "mocha", mochaWith("--require", "./hooks.cjs"), "", " ", "shared.cjs"],
  ["Mocha with a set-up file", "mocha", mochaWith("--require", "./set-up.cjs"), "", " ", "shared.cjs"],
  ["Mocha with --import", "mocha", mochaWith("--import=./set-up.mjs"), "", " ", "shared.cjs"],
] as const;

const told = z.object({
  findings: z.array(
    z.object({
      sentence: z.string(),
      law: z.string(),
      tests: z.array(z.object({ test: z.string(), token: z.string() })),
    }),
  ),
  failedAlready: z.array(z.unknown()),
  leftOut: z.array(z.unknown()),
});

interface Shaking {
  readonly folder: string;
  readonly command: readonly string[];
  readonly bug?: string;
}

/** Shakes a suite by the packed command. */
function shake({ folder, command, bug = "" }: Shaking, ...options: readonly string[]) {
  return run({
    folder: `shop/shaken/${folder}`,
    env: { BUG: bug },
    arguments: () => [
      bin,
      "shake",
      "--only",
      "events-twice",
      "--max-runs",
      "4",
      ...options,
      "--",
      process.execPath,
      ...command,
    ],
  });
}

test.for(runners)("%s: shake finds a bug that no test looks for, whoever makes the simulator", async (row) => {
  const [, folder, command, before, between, shared] = row;
  const suite = { folder, command };
  const found = await shake({ ...suite, bug: "ships-each-time" }, "--json");
  expect(found.code, found.output).toBe(1);
  const { findings, failedAlready, leftOut } = told.parse(JSON.parse(found.output));
  expect([failedAlready, leftOut]).toEqual([[], []]);
  expect(findings).toMatchObject([
    { sentence: "The event checkout.completed is delivered twice.", law: "fulfilled-once" },
  ]);
  const tests = findings[0]?.tests ?? [];
  expect(new Set(tests.map((each) => each.test))).toEqual(
    new Set([
      `${before}a simulated test sells`.replace(/^own.* > /, ""),
      `${before}a test sells that makes its simulator`,
      `${before}with hooks${between}a test sells whose hook makes its simulator`,
      shared,
    ]),
  );

  const replayed = await shake({ ...suite, bug: "ships-each-time" }, "--replay", tests[0]?.token ?? "");
  expect(replayed.output).toContain("✗ The event checkout.completed is delivered twice.");
  expect(replayed.output).toMatch(/(?:✓|✔|×|✗|✖|✕|[12]\)) .*sells/);
  expect(replayed.code).toBe(1);

  const honest = await shake(suite);
  expect(honest.output).not.toContain("✗");
  expect(honest.code, honest.output).toBe(0);
});
