import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programOf, readJestReport, readNodeReport, run, runVitest, withModules } from "./runner.ts";
import type { RunnerRun } from "./runner.ts";
import { byNight } from "../by-night.ts";

const runners = join(import.meta.dirname, "../../.cache/runners");
const smallShop = readFileSync(join(import.meta.dirname, "../exam/small-shop.ts"), "utf8");

/** A project whose tests are written, and then run. */
interface Project {
  readonly folder: string;
  readonly manifest: object;
  readonly exam: string;
  /** Further words of the command. */
  readonly words?: readonly string[];
  /** The test file that is written. */
  readonly written: string;
  readonly run: (folder: string, file: string) => Promise<RunnerRun>;
}

const node = (folder: string, file: string): Promise<RunnerRun> =>
  run({
    folder,
    arguments: (report) => [
      "--test",
      `--test-reporter=${join(runners, "shop/node-test/reporter.cjs")}`,
      `--test-reporter-destination=${report}`,
      file,
    ],
    read: readNodeReport,
  });
const jest = (folder: string, file: string): Promise<RunnerRun> =>
  run({
    folder,
    nodeOptions: withModules,
    arguments: (report) => [
      programOf("installs/runners/jest", "jest"),
      "--json",
      "--outputFile",
      report,
      "--no-watchman",
      file,
    ],
    read: readJestReport,
  });
const vitest = (folder: string, file: string): Promise<RunnerRun> => runVitest(".", folder, file);

/** The repository, which lies above these projects, names vitest. */
const forNode = ["--write-test", "--runner", "node"];

const projects: readonly Project[] = [
  {
    folder: "written/vitest",
    manifest: { type: "module", devDependencies: { vitest: "*" } },
    exam: "shop.exam.ts",
    written: "shop.exam.test.ts",
    run: vitest,
  },
  {
    folder: "written/jest",
    manifest: { devDependencies: { jest: "*" } },
    exam: "shop.exam.js",
    words: ["--write-test", "test/stories/shop.test.js"],
    written: "test/stories/shop.test.js",
    run: jest,
  },
  {
    folder: "written/node",
    manifest: {},
    exam: "shop.exam.mts",
    words: forNode,
    written: "shop.exam.test.mts",
    run: node,
  },
  ...byNight<Project>([
    {
      folder: "written/vitest-of-commonjs",
      manifest: { type: "commonjs", devDependencies: { vitest: "*" } },
      exam: "shop.exam.cjs",
      written: "shop.exam.test.mjs",
      run: vitest,
    },
    {
      folder: "written/jest-modules",
      manifest: { type: "module", devDependencies: { jest: "*" } },
      exam: "shop.exam.js",
      written: "shop.exam.test.js",
      run: jest,
    },
    {
      folder: "written/node-untyped",
      manifest: {},
      exam: "shop.exam.ts",
      words: forNode,
      written: "shop.exam.test.ts",
      run: node,
    },
    {
      folder: "written/node-commonjs",
      manifest: { devDependencies: { vitest: "*" } },
      exam: "shop.exam.cjs",
      words: forNode,
      written: "shop.exam.test.cjs",
      run: node,
    },
  ]),
];

test.for(projects.map((each) => [each.folder, each] as const))(
  "%s: the written test is red with the bug, and green once it is mended",
  async ([, { folder, manifest, exam, words = ["--write-test"], written, run: runTests }]) => {
    const path = join(runners, folder);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "package.json"), JSON.stringify(manifest));
    const isCommonJs = exam.endsWith(".cjs") || (exam.endsWith(".js") && !("type" in manifest));
    writeShop(path, exam, isCommonJs, "fulfils each time");
    const { code, text } = await command(path, exam, "--stories", "100", "--failures", "1", "--jobs", "1", ...words);
    expect(text).toContain(`Wrote ${written} with a test, which fails until the story passes. Run it: `);
    expect(code).toBe(1);

    const red = await runTests(folder, written);
    const [[title, failure] = []] = Object.entries(red.outcomes);
    expect(title, red.output).toBe("fulfilled-once: An order is fulfilled once.");
    expect(failure).toMatch(/order-1 was fulfilled \d times/);
    expect(red.code).toBe(1);

    writeShop(path, exam, isCommonJs, undefined);
    const green = await runTests(folder, written);
    expect(green.outcomes, green.output).toEqual({ "fulfilled-once: An order is fulfilled once.": "passed" });
    expect(green.code).toBe(0);
  },
);

/** Writes the small shop and its exam, in the language of the exam file. */
function writeShop(path: string, exam: string, isCommonJs: boolean, mistake: string | undefined): void {
  const isTypeScript = exam.endsWith("ts");
  const extension = exam.slice("shop.exam.".length);
  const code = isTypeScript ? smallShop : stripTypeScriptTypes(smallShop);
  const options = `{
    open: (opening) => openSmallShop(opening, ${JSON.stringify(mistake)}),
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
  }`;
  writeFileSync(join(path, `small-shop.${extension}`), isCommonJs ? asCommonJs(code) : code);
  writeFileSync(
    join(path, exam),
    isCommonJs
      ? `const { openSmallShop } = require("./small-shop.${extension}");\nmodule.exports = ${options};\n`
      : `import { openSmallShop } from "./small-shop.${extension}";\nexport default ${options};\n`,
  );
}

function asCommonJs(code: string): string {
  return `${code
    .replace('import { createHmac } from "node:crypto";', 'const { createHmac } = require("node:crypto");')
    .replaceAll("export function", "function")}\nmodule.exports = { openSmallShop };\n`;
}

/** Runs the installed command. */
function command(
  folder: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly text: string }> {
  const program = join(runners, "node_modules/centavo/dist/esm/cli/main.js");
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "exam", ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}
