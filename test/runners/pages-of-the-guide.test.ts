import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { programOf, readJestReport, readMochaReport, run, runVitest, type RunnerRun } from "./runner.ts";

const root = join(import.meta.dirname, "../..");
const title = "an order is paid once, and the shop hears of it";

/** The pages whose files are run here. */
const pages = new Set<string>();

/** Writes the files of a page or one of its sections, each a block that begins with its name, as a reader would. Returns their folder. */
function writeFilesOf(
  place: string,
  isWanted: (name: string) => boolean = () => true,
  folder = `guide/${place.replaceAll(/\W/g, "-")}`,
): string {
  const [page = "", section] = place.split("#");
  pages.add(`docs/guide/${page}.md`);
  const whole = readFileSync(join(root, `docs/guide/${page}.md`), "utf8");
  const text = section === undefined ? whole : sectionOf(whole, section);
  for (const [, name = "", code = ""] of text.matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    if (!isWanted(name)) continue;
    const file = join(root, ".cache/runners", folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return folder;
}

function sectionOf(page: string, heading: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The page has no section "${heading}".`);
  return section;
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

test("the files of the guide for vitest run", async () => {
  await expectOnePassed(runVitest(".", writeFilesOf("runners#vitest")));
});

test("the files of the guide for Jest run", async () => {
  await expectOnePassed(runJest(writeFilesOf("runners#Jest")));
});

test("the configurations on the page of the coverage hold a suite to their thresholds", async () => {
  const ofVitest = writeFilesOf("coverage", (name) => !isJest(name), "guide/coverage-vitest");
  const ofJest = writeFilesOf("coverage", isJest, "guide/coverage-jest");
  writeFilesOf("runners#vitest", isTest, ofVitest);
  writeFilesOf("runners#Jest", isTest, ofJest);
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

test("the files of the guide for node:test run", async () => {
  const folder = writeFilesOf("runners#node:test");
  writeFileSync(join(root, ".cache/runners", folder, "package.json"), JSON.stringify({ type: "module" }));
  const { output, code } = await run({ folder, arguments: () => ["--test", "--test-reporter=tap"] });
  expect(output).toContain(`ok 1 - ${title}`);
  expect(code).toBe(0);
});

test("the files of the guide for Mocha run", async () => {
  const folder = writeFilesOf("runners#Mocha");
  const program = programOf("installs/runners/mocha", "mocha");
  await expectOnePassed(
    run({
      folder,
      arguments: (report) => [program, "--reporter", "json", "--reporter-option", `output=${report}`],
      read: readMochaReport,
    }),
  );
});

test("the file of the guide that blocks the network refuses what it does not allow", async () => {
  const folder = writeFilesOf("ways-in#No network for the whole suite");
  const call = 'fetch("https://other.example").catch(() => {})';
  const { output, code } = await run({ folder, arguments: () => ["--import", "./no-network.mjs", "--eval", call] });
  expect(output).toContain("Centavo refused a connection to other.example:443, because centavo/no-network blocks");
  expect(code).toBe(1);
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
