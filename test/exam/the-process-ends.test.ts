import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const exam = join(import.meta.dirname, "../../src/exam.ts");
const smallShop = join(import.meta.dirname, "small-shop.ts");

/** Runs `node --test` on a file with an exam, in a process of its own. */
function nodeTest(open: string, examined: string): Promise<{ readonly code: number; readonly text: string }> {
  const file = join(mkdtempSync(join(tmpdir(), "centavo-")), "shop.test.ts");
  writeFileSync(
    file,
    `import test from "node:test"; import assert from "node:assert";
    import { exam } from ${JSON.stringify(exam)}; import { openSmallShop } from ${JSON.stringify(smallShop)};
    const examine = () => exam({
      open: (opening) => { ${open}; return openSmallShop(opening); },
      acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
      books: ({ store }) => ({ orders: [...store.values()] }),
      budget: { stories: 3 },
    });
    test("the exam", async () => { ${examined} });`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--test", file], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

const PASSES = "assert.equal((await examine()).outcome, 'unfinished');";

test.concurrent("an exam that ends leaves the exit code to the runner", async () => {
  expect(await nodeTest("", PASSES)).toMatchObject({ code: 0 });
});

test.concurrent.for([
  [
    "the merchant calls process.exit(0)",
    "process.exit(0)",
    PASSES,
    "process.exit(0) was called before the exam was over, while the merchant's program started.",
  ],
  [
    "an exit handler asks for 0",
    "process.on('exit', () => { process.exitCode = 0; process.exit(0); }); process.exit(0)",
    PASSES,
    "process.exit(0) was called",
  ],
  [
    "nobody awaits it and the process ends",
    "process.exit()",
    "void examine(); await Promise.resolve();",
    "process.exit(0) was called",
  ],
] as const)("a test file is red where %s during an exam", async ([, open, examined, says]) => {
  const { code, text } = await nodeTest(open, examined);
  expect(text).toContain(`exam: ${says}`);
  expect(code).toBe(1);
});
