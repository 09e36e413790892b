import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { programOf, run } from "./runner.ts";

const bin = join(import.meta.dirname, "../../.cache/runners/node_modules/centavo/dist/esm/cli/main.js");
const ofVitest = programOf(".", "vitest");
const ofVitest1 = programOf("installs/runners/vitest-1", "vitest");
const ofJest = programOf("installs/runners/jest", "jest");
const ofMocha = [programOf("installs/runners/mocha", "mocha"), "--timeout", "60000", "own.cjs", "shared.cjs"];

/** A suite of the small merchant, and how its runner names the tests. */
interface Suite {
  /** The folder below `.cache/runners`. */
  readonly folder: string;
  /** The arguments of Node. */
  readonly command: readonly string[];
  /** What stands between the titles of a group and of a test in it. */
  readonly between: string;
  /** The tests that share a simulator are named after their file. */
  readonly shared: string;
  /** More tests than those that every runner has. */
  readonly more?: readonly string[];
}

const inVitest = {
  folder: "shop/shaken/vitest",
  between: " > ",
  shared: "shared.test.mjs",
  more: ["a test of withSimulator sells"],
};
const inJest = { folder: "shop/shaken/jest", between: " ", shared: "shared.test.js" };
const inNode = { folder: "shop/shaken/node-test", between: " > ", shared: "shared.test.cjs" };
const inMocha = { folder: "shop/shaken/mocha", between: " ", shared: "shared.cjs" };

const runners: readonly (readonly [name: string, suite: Suite])[] = [
  ["vitest", { ...inVitest, command: [ofVitest, "run"] }],
  ["vitest 1", { ...inVitest, folder: "vitest-1/shop/shaken/vitest", command: [ofVitest1, "run"] }],
  ["Jest in CommonJS", { ...inJest, command: [ofJest] }],
  ["node:test", { ...inNode, command: ["--import", "centavo/shake", "--test"] }],
  ["Mocha", { ...inMocha, command: [...ofMocha, "--require", "./hooks.cjs"] }],
];

/** The same runners, which load the set-up file or run their files in another way. */
const otherWays: typeof runners = [
  ["vitest in one thread", { ...inVitest, command: [ofVitest, "run", "--pool=threads", "--no-isolate"] }],
  ["Jest in one process", { ...inJest, command: [ofJest, "--runInBand"] }],
  [
    "node:test in one process",
    { ...inNode, command: ["--import", "centavo/shake", "--test", "--test-isolation=none"] },
  ],
  ["Mocha with a set-up file", { ...inMocha, command: [...ofMocha, "--require", "./set-up.cjs"] }],
  ["Mocha with --import", { ...inMocha, command: [...ofMocha, "--import=./set-up.mjs"] }],
  ["Mocha in several processes", { ...inMocha, command: [...ofMocha, "--parallel", "--require", "./hooks.cjs"] }],
];

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

/** Shakes a suite by the packed command. With a bug, the merchant ships at each event of a payment. */
function shake({ folder, command }: Suite, bug: "ships-each-time" | "", ...options: readonly string[]) {
  const kinds = ["--only", "events-twice", "--max-runs", "4"];
  return run({
    folder,
    env: { BUG: bug },
    arguments: () => [bin, "shake", ...kinds, ...options, "--", process.execPath, ...command],
  });
}

/**
 * Shakes the suite of a merchant with the bug, and expects it to be found in every test.
 * @returns the token of a finding
 */
async function findTheBug(suite: Suite): Promise<string> {
  const { between, shared, more = [] } = suite;
  const found = await shake(suite, "ships-each-time", "--json");
  expect(found.code, found.output).toBe(1);
  const { findings, failedAlready, leftOut } = told.parse(JSON.parse(found.stdout));
  expect([failedAlready, leftOut]).toEqual([[], []]);
  expect(findings).toMatchObject([
    { sentence: "The event checkout.completed is delivered twice.", law: "fulfilled-once" },
  ]);
  const tests = findings[0]?.tests ?? [];
  // vitest names a test after its file, too, and vitest 1 after a group without a name. A test is listed once for each event.
  expect(new Set(tests.map((each) => each.test.replace(/^\w+\.test\.mjs > (?: > )?/, "")))).toEqual(
    new Set([
      "a simulated test sells",
      "a test sells that makes its simulator",
      `with hooks${between}a test sells whose hook makes its simulator`,
      shared,
      ...more,
    ]),
  );
  return tests[0]?.token ?? "";
}

test.for(runners)("%s: shake finds a bug that no test looks for, whoever makes the simulator", async ([, suite]) => {
  const token = await findTheBug(suite);

  const replayed = await shake(suite, "ships-each-time", "--replay", token);
  expect(replayed.output).toContain("✗ The event checkout.completed is delivered twice.");
  // The runner's own words of a test that fails.
  expect(replayed.output).toMatch(/(?:×|✗|✖|✕|●|❯|1\)) .*sells/);
  expect(replayed.code).toBe(1);

  const honest = await shake(suite, "");
  expect(honest.output).toMatch(/^No finding\.$[^]*, \d+ troubles in [45] tests were borne/m);
  expect(honest.output).not.toContain("✗");
  expect(honest.code, honest.output).toBe(0);
});

test.for(otherWays)("%s: shake finds the same bug", async ([, suite]) => {
  await findTheBug(suite);
});
