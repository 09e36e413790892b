import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import type { Ran } from "./commands.ts";
import { folderOf, resultsIn, writeExam } from "./exam-folder.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** Runs `centavo exam` in a process of its own. */
function exam(folder: string, ...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "exam", ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/** Ends the process at the first order. */
const EXITS_WHEN_ASKED = `return async (request) => {
  if (new URL(request.url).pathname === "/orders") process.exit(0);
  return new Response();
}`;
const BROKEN =
  'laws: { mine: { sentence: "None.", remedy: "None.", holds: "always", breaches: () => [{ what: "broken" }] } }';

describe("centavo exam in a process of its own", () => {
  test.concurrent("passes a right shop with exit code 0 and says how much it tried, although the shop left a timer behind", async () => {
    const folder = folderOf({ open: "setInterval(() => undefined, 86_400_000)" });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2", "--coverage");
    expect(text).toMatch(/^shop\.exam\.ts: The exam passed: no story broke a law\. \d+ stories were played/);
    expect(text).toMatch(/\n\d+(\.\d)? stories a second: \d+ % of the time was the merchant's program/);
    expect(text).toMatch(/\n {2}payment-intent\.create( +[·–\d]+)+\n/);
    expect(text).toMatch(/1 of 1 exam passed\n$/);
    expect(code).toBe(0);
  });

  test.concurrent("prints the verdict and ends, although the shop has replaced how the process prints", async () => {
    const first = `process.stdout.write = process.stderr.write = () => true; globalThis.console = {}; setInterval(() => {}, 1000);
      process.exit = () => undefined; process.prependListener("exit", () => { throw new Error("no"); });`;
    const { code, text } = await exam(folderOf({ first }), "shop.exam.ts", "--stories", "1", "--jobs", "1");
    expect(text).toMatch(/0 of 1 exam passed; unfinished: shop\.exam\.ts\n$/);
    expect(code).toBe(3);
  });

  test.concurrent("exits with 2 for an unknown option, and searches for nothing", async () => {
    const { code, text } = await exam(folderOf(), "shop.exam.ts", "--second", "10");
    expect(text.split("(Did you mean --seconds?)")).toHaveLength(2);
    expect(code).toBe(2);
  });

  test.concurrent("exits with 0 when asked for help", async () => {
    const { code, text } = await exam(folderOf(), "--help");
    expect(text).toContain("Usage: centavo exam");
    expect(code).toBe(0);
  });

  test.concurrent("ends when a signal interrupts it, also while a thread waits for what another learns", async () => {
    const open = 'opened += 1; if (workerData.index === 1 && opened === 2) process.kill(process.pid, "SIGINT")';
    const first = 'import { workerData } from "node:worker_threads"; let opened = 0;';
    const folder = folderOf({ first, open, more: "budget: { stories: 100000 }" });
    // The third thread has learned its flow long before.
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "4");
    expect(text).toMatch(/The exam is unfinished: The search was interrupted\. .* \d+ stories were played/);
    expect(code).toBe(3);
  });

  test.concurrent.for(["1", "2"])(
    "is unfinished when it is interrupted before it begins, with --jobs %s",
    async (jobs) => {
      // A second interrupt would end the process.
      const first = `import { workerData } from "node:worker_threads"; if (workerData?.index !== 1) process.kill(process.pid, "SIGINT");
        await new Promise((resolve) => setTimeout(resolve, 60_000));`;
      const folder = folderOf({ name: "a.exam.ts", first }, { name: "b.exam.ts" });
      const { code, text } = await exam(folder, ".", "--jobs", jobs, "--report", "report.json");
      expect(text).toContain("0 of 2 exams passed; not examined: a.exam.ts, b.exam.ts");
      expect(code).toBe(3);
      const merged = await centavoIn(folder, "exam", "merge", "report.json");
      expect(merged.text).toContain("b.exam.ts could not be examined: The command was interrupted before this exam.");
      expect(merged.code).toBe(3);
    },
  );

  test.concurrent.for([
    [
      "while its file is loaded",
      { first: "process.exit(0);" },
      "process.exit(0) was called while shop.exam.ts was loaded.",
    ],
    ["while it starts", { open: "process.exit(0)" }, "while the merchant's program started."],
    ["with another code", { open: "process.exit(1)" }, "process.exit(1) was called before the exam was over"],
    [
      "while it answers a customer",
      { open: EXITS_WHEN_ASKED },
      "while the merchant answered a customer. The story so far: Ana orders order-1",
    ],
    [
      "in an act of a customer",
      { more: "acts: { order: () => process.exit(0) }," },
      "process.exit(0) was called before the exam was over. The story so far: Ana orders order-1",
    ],
    [
      "in a law",
      {
        more: 'laws: { mine: { sentence: "None.", remedy: "None.", holds: "always", breaches: () => process.exit(0) } },',
      },
      "process.exit(0) was called before the exam was over.",
    ],
    [
      "in a timer of its own",
      { first: "setTimeout(() => process.exit(0), 1);", more: "budget: { stories: 100000 }," },
      "process.exit(0) was called before the exam was over.",
    ],
    ["by process.reallyExit", { open: "process.reallyExit(0)" }, "process.exit(0) was called before the exam was over"],
    [
      "by a microtask, with a handler that asks for 0",
      {
        first: `process.on("exit", () => { process.exitCode = 0; process.exit(0); });`,
        open: "queueMicrotask(() => process.exit(3))",
      },
      "process.exit(3) was called before the exam was over",
    ],
    [
      "by waiting for nothing",
      { first: "process.exitCode = 0; await new Promise(() => undefined);" },
      "the process ran out of work while shop.exam.ts was loaded.",
    ],
  ] as const)("exits with 2 and says so where the shop ends the process %s", async ([, file, says]) => {
    const { code, text } = await exam(folderOf(file), "shop.exam.ts", "--jobs", "1");
    expect(text).toContain("shop.exam.ts could not be examined:");
    expect(text).toContain(says);
    expect(text).toContain("0 of 1 exam passed; not examined: shop.exam.ts");
    expect(code).toBe(2);
  });

  test.concurrent("exits with 2 where the shop of a replayed story ends the process", async () => {
    const token = btoa(JSON.stringify({ flow: "order approved" })).replaceAll("=", "");
    const { code, text } = await exam(folderOf({ open: "process.exit(0)" }), "shop.exam.ts", "--replay", token);
    expect(text).toContain("process.exit(0) was called before the exam was over");
    expect(code).toBe(2);
  });

  test.concurrent("keeps the exit code of an exam that failed, whatever the shop's exit handlers do", async () => {
    const first = `
      const { exit, reallyExit } = process;
      process.exit = () => undefined;
      process.on("exit", () => { process.exitCode = 0; });
      process.on("exit", () => { exit.call(process, 0); });
      process.on("exit", () => { reallyExit.call(process, 0); });`;
    const { code, text } = await exam(
      folderOf({ first, more: BROKEN }),
      "shop.exam.ts",
      "--stories",
      "1",
      "--jobs",
      "1",
    );
    expect(text).toContain("0 of 1 exam passed; failed: shop.exam.ts");
    expect(code).toBe(1);
  });

  test.concurrent("names every exam that was not examined, and writes so for centavo exam merge", async () => {
    const folder = folderOf(
      { name: "a.exam.ts" },
      { name: "b.exam.ts", open: "process.exit(0)" },
      { name: "c.exam.ts" },
    );
    writeFileSync(join(folder, "report.json"), "the report of an earlier run");
    const { code, text } = await exam(folder, ".", "--stories", "1", "--jobs", "1", "--report", "report.json");
    expect(text).toContain("0 of 3 exams passed; unfinished: a.exam.ts; not examined: b.exam.ts, c.exam.ts");
    expect(code).toBe(2);
    expect(resultsIn(folder, "report.json").notExamined.map(({ file }) => file)).toEqual(["b.exam.ts", "c.exam.ts"]);
    const merged = await centavoIn(folder, "exam", "merge", "report.json");
    expect(merged.text).toMatch(
      /In report\.json, b\.exam\.ts could not be examined: exam: process\.exit\(0\) was called/,
    );
    expect(merged.code).toBe(2);
  });

  test.concurrent("leaves no report of an earlier run behind when it is killed", async () => {
    const folder = folderOf({ open: 'process.kill(process.pid, "SIGKILL")' });
    writeFileSync(join(folder, "report.json"), "the report of an earlier run");
    await exam(folder, "shop.exam.ts", "--jobs", "1", "--report", "report.json");
    const merged = await centavoIn(folder, "exam", "merge", "report.json");
    expect(merged.text).toContain("The report report.json cannot be read");
    expect(merged.code).toBe(2);
  });

  test.concurrent("plays a story again that another process found, also when the shop is mended", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    const failed = await exam(folder, "shop.exam.ts", "--stories", "100", "--jobs", "1", "--failures", "1");
    const [, command = ""] = /Replay it: npx centavo exam (.*)/.exec(failed.text) ?? [];
    const again = await exam(folder, ...command.split(" "));
    expect(again.text).toContain("The story still breaks fulfilled-once.");
    expect(again.code).toBe(1);
    writeExam(folder, {});
    expect(await exam(folder, ...command.split(" "))).toMatchObject({ code: 0 });
  });
});
