import { once } from "node:events";
import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { byNight } from "../by-night.ts";
import { centavoIn, centavoUntil } from "./commands.ts";
import {
  BOOKS_WITH_STOCK,
  examIn as exam,
  folderOf,
  inSecondThread,
  paceless,
  resultsIn,
  writeExam,
} from "./exam-folder.ts";

describe("centavo exam with threads", () => {
  test("plays the same stories in threads, in shards, and alone", async () => {
    const folder = folderOf({ mistake: "fulfils each time", more: BOOKS_WITH_STOCK });
    const search = ["shop.exam.ts", "--stories", "40", "--coverage"];
    const [alone, threads] = await Promise.all([
      exam(folder, ...search, "--jobs", "1", "--report", "alone.json"),
      exam(folder, ...search, "--jobs", "2", "--report", "threads.json"),
      exam(folder, ...search, "--jobs", "1", "--shard", "1/2", "--report", "1.json"),
      exam(folder, ...search, "--jobs", "2", "--shard", "2/2", "--report", "2.json"),
    ]);
    expect(paceless(threads.text)).toBe(paceless(alone.text));
    const verdictIn = (name: string) => resultsIn(folder, name).exams[0]?.verdict;
    expect(verdictIn("threads.json")).toEqual(verdictIn("alone.json"));
    expect(resultsIn(folder, "threads.json").exams[0]?.pace.seconds).toBeGreaterThan(0);
    const parts = ["1.json", "2.json"].map((name) => resultsIn(folder, name).exams[0]?.verdict.stories ?? 0);
    expect(parts.every((stories) => stories > 0)).toBe(true);
    expect(parts.reduce((sum, stories) => sum + stories, 0)).toBe(40);
    // In the order of the shards, or in any other.
    for (const reports of [
      ["1.json", "2.json"],
      ["2.json", "1.json"],
    ]) {
      const merged = await centavoIn(folder, "exam", "merge", "--coverage", ...reports);
      expect(paceless(alone.text)).toBe(`${paceless(merged.text)}\n0 of 1 exam passed; failed: shop.exam.ts`);
      expect(merged.code).toBe(1);
    }
  });

  test("threads share what they learn: each flow is played once", async () => {
    const folder = folderOf();
    const openings = join(folder, "openings");
    const noteOpening = `appendFileSync(${JSON.stringify(openings)}, ".")`;
    writeExam(folder, { first: 'import { appendFileSync } from "node:fs";', open: noteOpening });
    const flows = 8;
    const { text } = await exam(folder, "shop.exam.ts", "--stories", String(flows), "--jobs", "2");
    expect(text).toContain(`${flows} stories were played`);
    expect(readFileSync(openings, "utf8")).toHaveLength(flows);
  });

  test("threads to which no flow falls search as well", async () => {
    const folder = folderOf();
    const [alone] = await Promise.all([
      exam(folder, "shop.exam.ts", "--stories", "2", "--jobs", "1", "--report", "alone.json"),
      exam(folder, "shop.exam.ts", "--stories", "2", "--jobs", "3", "--report", "threads.json"),
    ]);
    expect(alone.text).toContain("2 stories were played");
    expect(resultsIn(folder, "threads.json").exams[0]?.verdict).toEqual(
      resultsIn(folder, "alone.json").exams[0]?.verdict,
    );
  });

  test("ends all threads once they broke as many laws as the budget of the file allows", async () => {
    const law = (thread: number): string =>
      `{ sentence: "None.", remedy: "None.", holds: "always", breaches: () => (workerData.index === ${thread} ? [{ what: "broken" }] : []) }`;
    const folder = folderOf({
      first: 'import { workerData } from "node:worker_threads";',
      more: `laws: { first: ${law(0)}, second: ${law(1)} }, budget: { stories: 400, failures: 2 }`,
    });
    await exam(folder, "shop.exam.ts", "--jobs", "2", "--report", "report.json");
    const [examined] = resultsIn(folder, "report.json").exams;
    expect(examined?.verdict.failures.map(({ law: name }) => name).toSorted()).toEqual(["first", "second"]);
    expect(examined?.verdict.stories).toBeLessThan(200);
  });

  test("says once that books throws, with several threads", async () => {
    const folder = folderOf({ more: 'books: () => { throw new Error("the books are closed") }' });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2", "--failures", "1");
    expect(
      text.match(/books threw in the first story, in which nothing goes wrong: the books are closed/g),
    ).toHaveLength(1);
    expect(code).toBe(2);
  });

  test("says the same of books that throw when another thread comes before the first story", async () => {
    const folder = folderOf();
    const over = JSON.stringify(join(folder, "over"));
    writeExam(folder, {
      first: `
        import { existsSync, writeFileSync } from "node:fs";
        import { workerData } from "node:worker_threads";
        if (workerData?.index === 1) process.once("exit", () => writeFileSync(${over}, ""));
        while (workerData?.index === 0 && !existsSync(${over})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);`,
      more: 'books: () => { throw new Error("the books are closed") }',
    });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2", "--failures", "1");
    expect(text).toContain("books threw in the first story, in which nothing goes wrong: the books are closed");
    expect(code).toBe(2);
  });

  test("says that open never returns", async () => {
    const folder = folderOf({ open: "await new Promise(() => undefined)", more: "longestWait: 0.5" });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("The call open did not end within 0.5 seconds of real time.");
    expect(code).toBe(3);
  });

  test("says that the shop of a thread leaves a rejection", async () => {
    const open = 'void Promise.reject(new Error("nobody listens"))';
    const { code, text } = await exam(folderOf({ open }), "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("nobody listens");
    expect(code).toBe(2);
  });

  test.for([
    ["ended", "process.exit(0)", "process.exit(0) was called before the exam was over"],
    ["broke off", 'throw new Error("the database is gone")', "could not be examined:\n  Error: the database is gone"],
  ] as const)("says that a thread %s while others wait for what it learns", async ([, what, says]) => {
    const { code, text } = await exam(folderOf(inSecondThread(what)), "shop.exam.ts", "--jobs", "2");
    expect(text).toContain(says);
    expect(code).toBe(2);
  });

  test("believes no verdict that the shop of a thread sends", async () => {
    const forged = `parentPort?.postMessage({ kind: "verdict", facts: { failures: [], warnings: [], stories: 9 }, pace: {} });
      workerData.port?.postMessage({ kind: "verdict", facts: { failures: [], warnings: [], stories: 9 }, pace: {} });`;
    const first = `import { parentPort, workerData } from "node:worker_threads"; ${forged}`;
    const folder = folderOf({ first, open: forged, mistake: "fulfils each time" });
    const { code, text } = await exam(folder, "shop.exam.ts", "--stories", "90", "--failures", "1", "--jobs", "2");
    expect(text).toContain("✗ fulfilled-once: An order is fulfilled once.");
    expect(code).toBe(1);
  });

  test("ends threads that never yield, and tells the act and the place of a loop", async () => {
    const folder = folderOf({ open: "return () => { for (;;); }", more: "longestWait: 1," });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2", "--report", "report.json");
    expect(text).toContain("✗ nothing-waits-for-ever: Every request to the merchant gets an answer.");
    expect(text).toMatch(
      /The merchant's program did not yield for 1 seconds of real time, while it answered POST \/orders \(the act order of order-1\)\. A loop in it never ends\./,
    );
    expect(code).toBe(1);
    const [examined] = resultsIn(folder, "report.json").exams;
    const again = await exam(folder, "shop.exam.ts", "--replay", examined?.verdict.failures[0]?.token ?? "");
    expect(again.text).toContain("The story still breaks nothing-waits-for-ever.");
  });

  test("keeps the law whose story a thread was shortening when it ran into a loop", async () => {
    const breaches = "({ seen }) => { broken ||= seen.told.length > 1; return broken ? [{ what: 'broken' }] : []; }";
    const folder = folderOf({
      first: "let broken = false;",
      open: "if (broken) for (;;)",
      more: `laws: { mine: { sentence: "None.", remedy: "None.", holds: "always", breaches: ${breaches} } }, longestWait: 1,`,
    });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("✗ mine");
    expect(code).toBe(1);
  });

  test("is not green where a thread did not yield in a story that ends when it is played once more", async () => {
    const folder = folderOf({
      first: 'import { isMainThread } from "node:worker_threads"; let opened = 0;',
      open: "opened += 1; while (!isMainThread && opened === 3);",
      more: "longestWait: 1,",
    });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("A thread did not yield for 1 seconds, as in a loop without an end, and was ended.");
    expect(code).toBe(3);
  });

  test("does not judge a merchant whose events go elsewhere, whatever other threads found", async () => {
    const more =
      'laws: { mine: { sentence: "None.", remedy: "None.", holds: "always", breaches: () => [{ what: "broken" }] } }';
    const folder = folderOf({
      first: 'import { workerData } from "node:worker_threads"; let opened = 0;',
      open: 'opened += 1; if (workerData.index === 1) opening = { ...opening, url: "https://else.example" };',
      more,
    });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("exam: the merchant sends events to");
    expect(text).not.toContain("✗ mine");
    expect(code).toBe(2);
  });

  const HANGS =
    "store: { open: () => new Map(), isWrite: () => false, rollBack: () => new Promise(() => undefined) }, jobs: [],";

  test.for(["2", ...byNight(["1"])])(
    "ends soon after its seconds, though the database hangs, with --jobs %s",
    async (jobs) => {
      const { code, text } = await exam(folderOf({ more: HANGS }), "shop.exam.ts", "--seconds", "0.5", "--jobs", jobs);
      expect(text).toContain("The budget was spent while the call store.rollBack took place.");
      expect(code).toBe(3);
    },
  );

  test.for(["2", ...byNight(["1"])])(
    "prints what it found once it is interrupted, though the database hangs, with --jobs %s",
    async (jobs) => {
      const folder = folderOf();
      const hanging = `writeFileSync(${JSON.stringify(join(folder, "hangs"))}, ""); return new Promise(() => undefined);`;
      writeExam(folder, {
        first: 'import { writeFileSync } from "node:fs";',
        more: `store: { open: () => new Map(), isWrite: () => false, rollBack: () => { ${hanging} } }, jobs: [],`,
      });
      const changes = watch(folder);
      const hangs = (async () => {
        await once(changes, "change");
        changes.close();
      })();
      const { code, text } = await centavoUntil(hangs, folder, "exam", "shop.exam.ts", "--jobs", jobs);
      expect(text).toContain("The search was interrupted.");
      expect(text).toContain("0 of 1 exam passed; unfinished: shop.exam.ts");
      expect(code).toBe(3);
    },
  );

  test("keeps what it found when a thread ends before the others", async () => {
    const folder = folderOf({
      mistake: "fulfils each time",
      first: 'import { workerData } from "node:worker_threads"; let opened = 0;',
      open: "opened += 1; if (workerData.index === 1 && opened === 90) process.exit(0);",
    });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("✗ fulfilled-once: An order is fulfilled once.");
    expect(text).toContain("The search was not finished: exam: process.exit(0) was called before the exam was over");
    expect(code).toBe(1);
  });
});
