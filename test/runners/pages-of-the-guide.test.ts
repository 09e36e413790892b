import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { programOf, readJestReport, readMochaReport, run, runVitest, type RunnerRun } from "./runner.ts";

const root = join(import.meta.dirname, "../..");
const title = "an order is paid once, and the shop hears of it";

/** The pages whose files are run here. */
const pages = new Set<string>();

/** Writes the files of a page, each a block that begins with its name, as a reader would. Returns their folder. */
function writeFilesOf(
  page: string,
  isWanted: (name: string) => boolean = () => true,
  folder = `guide/${page}`,
): string {
  pages.add(`docs/guide/${page}.md`);
  const text = readFileSync(join(root, `docs/guide/${page}.md`), "utf8");
  for (const [, name = "", code = ""] of text.matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    if (!isWanted(name)) continue;
    const file = join(root, ".cache/runners", folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return folder;
}

const isTest = (name: string): boolean => name.includes(".test.");
const isJest = (name: string): boolean => name.startsWith("jest.");

function runJest(folder: string): Promise<RunnerRun> {
  const program = programOf("installs/runners/jest", "jest");
  return run({
    folder,
    arguments: (report) => [program, "--json", "--outputFile", report, "--no-watchman"],
    read: readJestReport,
  });
}

async function expectOnePassed(running: Promise<RunnerRun>): Promise<void> {
  const { outcomes, output, code } = await running;
  expect(outcomes, output).toEqual({ [title]: "passed" });
  expect(code).toBe(0);
}

test("the files of the page on vitest run", async () => {
  await expectOnePassed(runVitest(".", writeFilesOf("vitest")));
});

test("the files of the page on Jest run", async () => {
  await expectOnePassed(runJest(writeFilesOf("jest")));
});

test("the configuration of Jest on the page of the matchers registers them", async () => {
  const folder = writeFilesOf("matchers");
  await expectOnePassed(runJest(writeFilesOf("jest", isTest, folder)));
});

test("the configurations on the page of the coverage hold a suite to their thresholds", async () => {
  const ofVitest = writeFilesOf("coverage", (name) => !isJest(name), "guide/coverage-vitest");
  const ofJest = writeFilesOf("coverage", isJest, "guide/coverage-jest");
  writeFilesOf("vitest", isTest, ofVitest);
  writeFilesOf("jest", isTest, ofJest);
  const runs = [
    await run({ folder: ofVitest, arguments: () => [programOf(".", "vitest"), "run"] }),
    await run({
      folder: ofJest,
      arguments: () => [
        programOf("installs/runners/jest", "jest"),
        "--no-watchman",
        "--setupFilesAfterEnv",
        "centavo/jest",
      ],
    }),
  ];
  for (const { output, code } of runs) {
    expect(output).toMatch(/Coverage of states is \d+ %, and the threshold is 50 %\./);
    expect(output).toMatch(/Tests:? +1 passed/);
    expect(code).toBe(1);
  }
});

test("the files of the page on node:test run", async () => {
  const folder = writeFilesOf("node-test");
  writeFileSync(join(root, ".cache/runners", folder, "package.json"), JSON.stringify({ type: "module" }));
  const { output, code } = await run({ folder, arguments: () => ["--test", "--test-reporter=tap"] });
  expect(output).toContain(`ok 1 - ${title}`);
  expect(code).toBe(0);
});

test("the files of the page on Mocha run", async () => {
  const folder = writeFilesOf("mocha");
  const program = programOf("installs/runners/mocha", "mocha");
  await expectOnePassed(
    run({
      folder,
      arguments: (report) => [program, "--reporter", "json", "--reporter-option", `output=${report}`],
      read: readMochaReport,
    }),
  );
});

test("every page with a block of JavaScript is run here", () => {
  const withJavaScript = globSync("{README.md,CONTRIBUTING.md,docs/**/*.md}", { cwd: root }).filter((page) =>
    /^```(?:js|jsx|mjs|cjs)$/m.test(readFileSync(join(root, page), "utf8")),
  );
  expect(withJavaScript.filter((page) => !pages.has(page))).toEqual([]);
  for (const page of withJavaScript) {
    const blocks = readFileSync(join(root, page), "utf8").match(/^```js\n.*/gm) ?? [];
    expect(blocks.filter((block) => !/\n\/\/ \S+$/.test(block))).toEqual([]);
  }
});
