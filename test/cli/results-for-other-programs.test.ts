import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import { folderWith, PASSES, story } from "./story-folder.ts";

const HOSTILE = 'throw new Error("</failure>]]> \\u0000\\u001b[31m\\ud800 & \\"no\\"")';
const folder = folderWith({
  "fails.mjs": story(HOSTILE),
  "is-broken.mjs": "throw new Error('misspelt');",
  "passes.mjs": story('console.log("said"); console.error("complained")'),
  "shared.mjs": "export default 1;",
});

test("--json prints one document, which is the same in every run", async () => {
  const { code, text, errors } = await centavoIn(folder, "run", ".", "--json", "--way", "memory");
  expect(code).toBe(1);
  expect(errors).toBe("complained");
  expect(JSON.parse(text)).toEqual({
    centavo: expect.any(String) as string,
    passed: false,
    exitCode: 1,
    stories: [
      {
        name: "fails",
        path: "fails.mjs",
        title: "A story",
        outcome: "failed",
        problem: expect.stringContaining("</failure>") as string,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        timeline: expect.any(String) as string,
      },
      expect.objectContaining({
        name: "passes",
        outcome: "passed",
        stdout: "said\n",
        stderr: "complained\n",
      }) as object,
    ],
    notLoaded: [{ path: "is-broken.mjs", reason: expect.stringContaining("misspelt") as string }],
    notPlayed: [],
    notWritten: [],
    skipped: ["shared.mjs"],
  });
  expect((await centavoIn(folder, "run", ".", "--json", "--way", "memory")).text).toBe(text);
});

test("--json says why nothing could be played", async () => {
  const { code, text } = await centavoIn(folder, "run", "nothing-here", "--json");
  expect(JSON.parse(text)).toMatchObject({
    passed: false,
    exitCode: 2,
    problem: expect.stringContaining('There is no file, folder or story "nothing-here"') as string,
    stories: [],
  });
  expect(code).toBe(2);
});

test("--junit writes XML, whatever the texts of a story hold", async () => {
  await centavoIn(folder, "run", ".", "--junit", "results/junit.xml", "--way", "memory");
  const xml = readFileSync(join(folder, "results/junit.xml"), "utf8").replaceAll(/ time="[\d.]+"/g, "");
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="centavo run">/);
  expect(xml).toContain('<testsuite name="fails.mjs" tests="1" failures="1" errors="0" skipped="0">');
  expect(xml).toContain(
    '<testcase name="fails: A story" classname="fails.mjs"><failure message="Error: &#60;/failure&#62;]]&#62; ',
  );
  expect(xml).toContain(
    '<testcase name="passes: A story" classname="passes.mjs"><system-out>said\n</system-out><system-err>complained\n</system-err></testcase>',
  );
  expect(xml).toContain('<testsuite name="is-broken.mjs" tests="1" failures="0" errors="1" skipped="0">');
  // What XML 1.0 forbids.
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
});

test.for([
  ["its results", ["--junit", "passes.mjs/junit.xml"], "The results passes.mjs/junit.xml cannot be written: "],
  ["a report", ["--report", "passes.mjs/report.html"], "The report passes.mjs/report.html cannot be written: "],
  ["a recording", ["--record", "recordings"], "The recording recordings/passes.json cannot be written: "],
] as const)("a run that cannot write %s says so, and still sums up", async ([, options, told]) => {
  const files = folderWith({ "passes.mjs": PASSES });
  mkdirSync(join(files, "recordings/passes.json"), { recursive: true });
  const shown = await centavoIn(files, "run", ".", "--way", "memory", ...options);
  expect(shown.text).toContain(told);
  expect(shown.text).toMatch(/1 of 1 story passed$/);
  expect(shown.code).toBe(2);
  const { text, code } = await centavoIn(files, "run", ".", "--way", "memory", "--json", ...options);
  expect(JSON.parse(text)).toMatchObject({
    passed: false,
    exitCode: 2,
    stories: [{ name: "passes", outcome: "passed" }],
    notWritten: [expect.stringContaining(told)],
  });
  expect(code).toBe(2);
  expect(readdirSync(files, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "passes.mjs",
    "recordings",
    "recordings/passes.json",
  ]);
});

test("a failed run whose results cannot be written has failed", async () => {
  const files = folderWith({ "fails.mjs": story('throw new Error("no")') });
  const { code, text } = await centavoIn(files, "run", ".", "--junit", "fails.mjs/junit.xml", "--way", "memory");
  expect(text).toContain("The results fails.mjs/junit.xml cannot be written: ");
  expect(text).toMatch(/0 of 1 story passed; failed: fails$/);
  expect(code).toBe(1);
});

test("--junit says why what the command names could not be played", async () => {
  const files = folderWith({ "passes.mjs": PASSES, "none.mjs": "export const amount = 1;" });
  const { code } = await centavoIn(files, "run", "none.mjs", "passes.mjs", "--junit", "junit.xml", "--way", "memory");
  expect(readFileSync(join(files, "junit.xml"), "utf8")).toContain('<error message="There is no story in none.mjs: ');
  expect(code).toBe(2);
});
