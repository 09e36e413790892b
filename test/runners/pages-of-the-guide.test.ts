import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { programOf, readJestReport, readMochaReport, run, runVitest, type RunnerRun } from "./runner.ts";

const root = join(import.meta.dirname, "../..");
const title = "an order is paid once, and the shop hears of it";

/** Writes the files of a page, each a block that begins with its name, as a reader would. */
function writeFilesOf(page: string): string {
  const folder = `guide/${page}`;
  const text = readFileSync(join(root, `docs/guide/${page}.md`), "utf8");
  for (const [, name = "", code = ""] of text.matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    const file = join(root, ".cache/runners", folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return folder;
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
  const folder = writeFilesOf("jest");
  const program = programOf("installs/runners/jest", "jest");
  await expectOnePassed(
    run({
      folder,
      arguments: (report) => [program, "--json", "--outputFile", report, "--no-watchman"],
      read: readJestReport,
    }),
  );
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
