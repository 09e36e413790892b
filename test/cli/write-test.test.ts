import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examIn, folderOf, resultsIn, writeExam } from "./exam-folder.ts";

const enough = ["--stories", "60", "--failures", "1", "--jobs", "1"];
const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

describe("centavo exam --write-test", () => {
  test("writes the story, what came of it, and its remedy above the call that plays it", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    const { code, text } = await examIn(folder, "shop.exam.ts", ...enough, "--write-test");
    expect(text).toContain(
      "Wrote shop.exam.test.ts with a test, which fails until the story passes. Run it: node --test shop.exam.test.ts",
    );
    expect(code).toBe(1);
    const [, ...story] = /✗ (.*)\n((?: {2}\d\. .*\n)+) {2}(→ .*)/.exec(text) ?? [];
    const [steps = "", what = ""] = story.slice(1);
    const comments = `${steps.trimEnd().replaceAll(/^ {2}/gm, "  // ")}\n  // ${what}`;
    const written = textOf(folder, "shop.exam.test.ts");
    expect(written).toContain(`  ${comments.trim()}\n  //\n  // Likely misunderstanding: `);
    expect(written).toMatch(
      / {2}\/\/ Remedy: Mark .*\n {2}\/\/ See node_modules\/centavo\/docs\/guide\/laws\.md#fulfilled-once\n {2}const verdict/,
    );
    const [, token] = /--replay (\S+)/.exec(text) ?? [];
    expect(written).toContain(`    replay: "${token}",\n`);
  });

  test("writes a test of a story that is replayed, and one for each law that it breaks", async () => {
    const folder = folderOf({
      mistake: "fulfils each time",
      more: 'laws: { mine: { sentence: "It is\\u2028mine.", remedy: "None.", holds: "in the end", breaches: () => [{ what: "One line,\\nprocess.exit() on another." }] } }',
    });
    await examIn(folder, "shop.exam.ts", "--stories", "60", "--jobs", "1", "--report", "report.json");
    const { failures = [] } = resultsIn(folder, "report.json").exams[0]?.verdict ?? {};
    const token = failures.find(({ law }) => law === "fulfilled-once")?.token ?? "";
    const { text } = await examIn(folder, "shop.exam.ts", "--replay", token, "--write-test");
    expect(text).toContain("Wrote shop.exam.test.ts with 2 tests, which fail until their stories pass.");
    const written = textOf(folder, "shop.exam.test.ts");
    expect(written.match(/^test\("(\S+):/gm)).toEqual(['test("fulfilled-once:', 'test("mine:']);
    expect(written.match(new RegExp(`replay: "${token}"`, "g"))).toHaveLength(2);
    for (const line of written.split(/[\n\u2028]/)) expect(line).not.toMatch(/^process/);
  });

  test("overwrites nothing that holds something else, and says the way out", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    writeFileSync(join(folder, "mine.test.ts"), "mine");
    const refused = await examIn(folder, "shop.exam.ts", ...enough, "--write-test", "mine.test.ts");
    expect(refused.text).toContain(
      "mine.test.ts holds something else, so the test was not written. Remove that file, or name another: --write-test <file>.",
    );
    expect(refused.code).toBe(2);
    expect(textOf(folder, "mine.test.ts")).toBe("mine");
    await examIn(folder, "shop.exam.ts", ...enough, "--write-test");
    const again = await examIn(folder, "shop.exam.ts", ...enough, "--write-test");
    expect(again.text).toContain("There is already shop.exam.test.ts with a test");
    expect(again.code).toBe(1);
  });

  test("writes nothing for a shop that breaks no law", async () => {
    const folder = folderOf();
    const { code, text } = await examIn(folder, "shop.exam.ts", "--stories", "5", "--jobs", "1", "--write-test");
    expect(text).toContain("No law is broken, so there is no test to write.");
    expect(code).toBe(3);
    expect(existsSync(join(folder, "shop.exam.test.ts"))).toBe(false);
  });

  test.for([
    [{ devDependencies: { vitest: "5" }, dependencies: { jest: "30" } }, 'import { expect, test } from "vitest";'],
    [{ devDependencies: { jest: "30" } }, "// Jest loads the exam with NODE_OPTIONS=--experimental-vm-modules."],
    [{}, 'import { test } from "node:test";'],
    [{ type: "module" }, 'import options from "../shop.exam.ts";'],
  ] as const)("takes the runner that a package.json above the test names: %j", async ([manifest, line]) => {
    const folder = folderOf({ mistake: "fulfils each time" });
    mkdirSync(join(folder, "test"));
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    await examIn(folder, "shop.exam.ts", ...enough, "--write-test", "test/shop.test.ts");
    expect(textOf(folder, "test/shop.test.ts").split("\n")).toContain(line);
  });

  test.for([
    [
      ["--write-test", "shop.txt"],
      "--write-test takes the name of a source file, such as shop.exam.test.ts, and was given shop.txt.",
    ],
    [
      ["other.exam.ts", "--write-test", "a.test.ts"],
      "--write-test a.test.ts names one file, and 2 exam files were given.",
    ],
    [["--runner", "node"], "--runner says for which runner --write-test writes. Add --write-test."],
  ] as const)("refuses %j", async ([words, message]) => {
    const folder = folderOf({ mistake: "fulfils each time" });
    writeExam(folder, { name: "other.exam.ts" });
    const { code, text } = await examIn(folder, "shop.exam.ts", ...enough, ...words);
    expect(text).toContain(message);
    expect(code).toBe(2);
  });
});
