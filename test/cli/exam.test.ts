import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Mistake } from "../exam/small-shop.ts";
import { centavoIn } from "./commands.ts";
import type { Ran } from "./commands.ts";
import { runsIn } from "../report/read-report.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const smallShop = join(import.meta.dirname, "../exam/small-shop.ts");

/** Notes in a file how often the shop is opened. */
const NOTES_OPENINGS = {
  first: 'import { appendFileSync } from "node:fs";',
  open: 'appendFileSync("openings", ".")',
};
/** Lets the shop do something when the second of the threads opens it for the second time. */
const inSecondThread = (what: string): { readonly first: string; readonly open: string } => ({
  first: 'import { threadId } from "node:worker_threads"; let opened = 0;',
  open: `opened += 1; if (threadId === 2 && opened === 2) { ${what} }`,
});

/** Makes a folder with the exam of a small shop, in the file `shop.exam.ts`. */
function folderOf(...files: readonly Parameters<typeof writeExam>[1][]): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  for (const file of files.length === 0 ? [{}] : files) writeExam(folder, file);
  return folder;
}

function writeExam(
  folder: string,
  {
    name = "shop.exam.ts",
    mistake,
    first = "",
    open = "",
    more = "",
  }: {
    readonly name?: string;
    readonly mistake?: Mistake;
    readonly first?: string;
    readonly open?: string;
    readonly more?: string;
  },
): void {
  writeFileSync(
    join(folder, name),
    `import { openSmallShop } from ${JSON.stringify(smallShop)}; ${first}
    export default {
      open: async (opening) => { ${open}; return openSmallShop(opening, ${JSON.stringify(mistake)}); },
      acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
      books: ({ store }) => ({ orders: [...store.values()] }),
      jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
      ${more}
    };`,
  );
}

/** Runs `centavo exam` in a process of its own. */
function exam(folder: string, ...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "exam", ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/** Without the pace, which differs from run to run. */
const paceless = (text: string): string => text.replaceAll(/^.* stories a second: .*$/gm, "");

interface WrittenReport {
  readonly centavo: string;
  readonly exams: readonly {
    readonly shard: { index: number; of: number };
    readonly pace: { readonly seconds: number };
    readonly verdict: WrittenVerdict;
  }[];
}

interface WrittenVerdict {
  readonly stories: number;
  readonly seed: number;
  readonly failures: readonly { readonly law: string; readonly token: string; readonly digest: string }[];
}

const reportIn = (folder: string, name: string): WrittenReport =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as WrittenReport;

describe("centavo exam", { timeout: 120_000 }, () => {
  test.concurrent("passes a right shop with exit code 0, and says how much it tried", async () => {
    const { code, text } = await exam(folderOf(), "shop.exam.ts", "--stories", "40", "--jobs", "1", "--coverage");
    expect(text).toMatch(/\n\d+(\.\d)? stories a second: \d+ % of the time was the merchant's program/);
    expect(text).toMatch(/\n {2}payment-intent\.create( +[·–\d]+)+\n/);
    expect(text).toMatch(/^shop\.exam\.ts: The exam passed: no story broke a law\. 40 stories were played/);
    expect(text).toContain("1 of 1 exam passed");
    expect(code).toBe(0);
  });

  test.concurrent("fails a wrong shop with exit code 1, and the printed command plays the story again in another process, also when the shop is mended", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    const failed = await exam(folder, "shop.exam.ts", "--stories", "100", "--jobs", "1", "--report", "report.json");
    expect(failed.text).toContain("✗ fulfilled-once: An order is fulfilled once.");
    expect(failed.text).toContain("0 of 1 exam passed; failed: shop.exam.ts");
    expect(failed.code).toBe(1);

    const [, command = ""] = /Replay it: npx centavo exam (.*)/.exec(failed.text) ?? [];
    const again = await exam(folder, ...command.split(" "));
    const [failure] = reportIn(folder, "report.json").exams[0]?.verdict.failures ?? [];
    expect(again.text).toContain(`Digest: ${failure?.digest}`);
    expect(again.text).toContain(`Replay it: npx centavo exam ${command}`);
    expect(again.text).toContain("The story still breaks fulfilled-once.");
    expect(again.code).toBe(1);

    writeExam(folder, {});
    const mended = await exam(folder, ...command.split(" "));
    expect(mended.text).toContain("The story passes now: it breaks no law.");
    expect(mended.code).toBe(0);
  });

  test.concurrent("writes the failing stories as an HTML report, each played again, where the file ends in .html", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    const { code, text } = await exam(
      folder,
      "shop.exam.ts",
      "--stories",
      "100",
      "--jobs",
      "1",
      "--report",
      "exam.html",
    );
    expect(text).toContain("Wrote the report exam.html.");
    expect(code).toBe(1);
    const [run] = runsIn(readFileSync(join(folder, "exam.html"), "utf8"));
    expect(run).toMatchObject({ outcome: "failed", notes: [], exam: { law: "fulfilled-once" } });
    expect(run?.replay).toMatch(/^npx centavo exam shop\.exam\.ts --replay /);
    expect(run?.exam?.story.length).toBeGreaterThan(1);
    expect(run?.exam?.misunderstanding).toMatch(/^[A-Z].*\.$/);
    const partsOf = (kind: string) => run?.rows.filter((row) => row.kind === kind).map(({ parts }) => parts) ?? [];
    expect(partsOf("request").length).toBeGreaterThan(3);
    for (const [request, answer] of partsOf("request")) {
      expect([request?.title, answer?.title]).toEqual(["Request", "Answer"]);
      expect(answer?.headers?.length).toBeGreaterThan(0);
    }
    expect(partsOf("delivery").length).toBeGreaterThan(1);
    for (const [delivery] of partsOf("delivery")) {
      expect(delivery?.headers?.map(([name]) => name)).toContainEqual(expect.stringMatching(/signature$/));
      expect(delivery?.body).toContain('"type": "payment_intent.');
    }
    expect(run?.asides).toContainEqual({ after: 0, kind: "note", text: "merchant: POST /orders" });
    expect(run?.asides.map((aside) => aside.text)).toContain("merchant: answers 200");
    const carried = JSON.stringify(run?.rows);
    expect(carried).toContain('["authorization","[redacted]"]');
    expect(carried).not.toContain("Bearer ");
  });

  test.concurrent("shows of a story whose books have stock that story, and of a law that only warns no failure", async () => {
    const folder = folderOf({
      mistake: "fulfils each time",
      more: `books: ({ store }) => ({ orders: [...store.values()], stock: { books: 5 } }), laws: { "fulfilled-once": "warn" },`,
    });
    const { code } = await exam(folder, "shop.exam.ts", "--stories", "100", "--jobs", "1", "--report", "exam.html");
    expect(code).toBe(0);
    const [run] = runsIn(readFileSync(join(folder, "exam.html"), "utf8"));
    expect(run).not.toHaveProperty("outcome");
    expect(run?.exam?.law).toBe("fulfilled-once");
    // Only the story of the break has a delivery that was tried again.
    expect(run?.rows.some(({ kind, text }) => kind === "delivery" && text.includes("attempt 2"))).toBe(true);
  });

  test.concurrent("plays the same stories in threads, in shards, and alone", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    const search = ["shop.exam.ts", "--stories", "70"];
    const [alone] = await Promise.all([
      exam(folder, ...search, "--jobs", "1", "--report", "alone.json"),
      exam(folder, ...search, "--jobs", "3", "--report", "threads.json"),
      exam(folder, ...search, "--jobs", "1", "--shard", "1/2", "--report", "1.json"),
      exam(folder, ...search, "--jobs", "2", "--shard", "2/2", "--report", "2.json"),
    ]);
    const verdictIn = (name: string) => reportIn(folder, name).exams[0]?.verdict;
    expect(verdictIn("threads.json")).toEqual(verdictIn("alone.json"));
    expect(reportIn(folder, "threads.json").exams[0]?.pace.seconds).toBeGreaterThan(0);
    const parts = ["1.json", "2.json"].map((name) => reportIn(folder, name).exams[0]?.verdict.stories ?? 0);
    expect(parts.every((stories) => stories > 0)).toBe(true);
    expect(parts.reduce((sum, stories) => sum + stories, 0)).toBe(70);
    // In the order of the shards, or in any other.
    for (const reports of [
      ["1.json", "2.json"],
      ["2.json", "1.json"],
    ]) {
      const merged = await centavoIn(folder, "exam", "merge", ...reports);
      expect(paceless(alone.text)).toBe(`${paceless(merged.text)}\n0 of 1 exam passed; failed: shop.exam.ts\n`);
      expect(merged.code).toBe(1);
    }
  });

  test.concurrent("threads share what they learn: each flow is played once", async () => {
    const folder = folderOf(NOTES_OPENINGS);
    const flows = 8;
    const { text } = await exam(folder, "shop.exam.ts", "--stories", String(flows), "--jobs", "3");
    expect(text).toContain(`${flows} stories were played`);
    expect(readFileSync(join(folder, "openings"), "utf8")).toHaveLength(flows);
  });

  test.concurrent("threads to which no flow falls search as well", async () => {
    const folder = folderOf();
    const [alone] = await Promise.all([
      exam(folder, "shop.exam.ts", "--stories", "2", "--jobs", "1", "--report", "alone.json"),
      exam(folder, "shop.exam.ts", "--stories", "2", "--jobs", "4", "--report", "threads.json"),
    ]);
    expect(alone.text).toContain("2 stories were played");
    expect(reportIn(folder, "threads.json").exams[0]?.verdict).toEqual(
      reportIn(folder, "alone.json").exams[0]?.verdict,
    );
  });

  test.concurrent("prints the same with any number of threads, also of stock", async () => {
    const books =
      "({ store }) => ({ orders: [...store.values()], stock: { books: 9 - [...store.values()].filter(({ fulfilments }) => fulfilments > 0).length } })";
    const folder = folderOf({ mistake: "fulfils each time", more: `books: ${books}` });
    const [alone, two, five] = await Promise.all(
      ["1", "2", "5"].map(async (jobs) =>
        exam(folder, "shop.exam.ts", "--stories", "60", "--jobs", jobs, "--coverage"),
      ),
    );
    expect(alone?.text).toContain("60 stories were played");
    expect(paceless(two?.text ?? "")).toBe(paceless(alone?.text ?? ""));
    expect(paceless(five?.text ?? "")).toBe(paceless(alone?.text ?? ""));
  });

  test.concurrent("examines each file of a folder, and --quiet prints those that failed", async () => {
    const folder = folderOf({ name: "right.exam.ts" }, { name: "wrong.exam.ts", mistake: "trusts the way back" });
    const { code, text } = await exam(folder, ".", "--stories", "90", "--failures", "1", "--quiet", "--jobs", "1");
    expect(text).toMatch(/^wrong\.exam\.ts: The exam failed/);
    expect(text).toContain("paid-before-fulfilled");
    expect(text).toContain("1 of 2 exams passed; failed: wrong.exam.ts");
    expect(code).toBe(1);
  });

  test.concurrent.for(["1", "2"])(
    "tells no more failures than --failures, with --jobs %s, and names the others",
    async (jobs) => {
      const folder = folderOf({ mistake: "trusts the way back" });
      const limits = ["--stories", "90", "--failures", "1", "--jobs", jobs, "--report", "report.json"];
      const { text } = await exam(folder, "shop.exam.ts", ...limits);
      expect(reportIn(folder, "report.json").exams[0]?.verdict.failures).toHaveLength(1);
      expect(text).toMatch(/Also broken, and left out because of --failures: [a-z-]+/);
    },
  );

  test.concurrent("ends all threads once they broke as many laws as the budget of the file allows", async () => {
    const law = (thread: number): string =>
      `{ sentence: "None.", remedy: "None.", holds: "always", breaches: () => (threadId === ${thread} ? [{ what: "broken" }] : []) }`;
    const folder = folderOf({
      first: 'import { threadId } from "node:worker_threads";',
      more: `laws: { first: ${law(1)}, second: ${law(2)} }, budget: { stories: 400, failures: 2 }`,
    });
    await exam(folder, "shop.exam.ts", "--jobs", "2", "--report", "report.json");
    const [examined] = reportIn(folder, "report.json").exams;
    expect(examined?.verdict.failures.map(({ law: name }) => name).toSorted()).toEqual(["first", "second"]);
    expect(examined?.verdict.stories).toBeLessThan(200);
  });

  test.concurrent("replaces the seed and the budget of the file", async () => {
    const folder = folderOf({ more: "seed: 5, budget: { stories: 100000 }" });
    const { code, text } = await exam(folder, "shop.exam.ts", "--seed", "7", "--stories", "10", "--jobs", "1");
    expect(text).toContain("10 stories were played with the seed 7.");
    expect(code).toBe(0);
  });

  test.concurrent("ends when it is interrupted, and prints what it found until then", async () => {
    const open =
      'globalThis.opened = (globalThis.opened ?? 0) + 1; if (globalThis.opened === 5) process.kill(process.pid, "SIGINT")';
    const folder = folderOf({ open, more: "budget: { stories: 100000 }" });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toMatch(/The exam passed: no story broke a law\. \d+ stor(y was|ies were) played/);
    expect(text).toContain("The search was ended early.");
    expect(code).toBe(0);
  });

  test.concurrent("ends when it is interrupted while a thread waits for what another learns", async () => {
    const folder = folderOf({
      ...inSecondThread('process.kill(process.pid, "SIGINT")'),
      more: "budget: { stories: 100000 }",
    });
    // The third thread has learned its flow long before.
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "4");
    expect(text).toMatch(/The exam passed: no story broke a law\. \d+ stories were played/);
    expect(text).toContain("The search was ended early.");
    expect(code).toBe(0);
  });

  test.concurrent("plays the first story although it is interrupted before, and says that it cannot be examined", async () => {
    const first = `await new Promise((resolve) => {
      const alive = setInterval(() => undefined, 1000);
      process.once("SIGINT", () => resolve(clearInterval(alive)));
      process.kill(process.pid, "SIGINT");
    });`;
    const books = '() => { throw new Error("the books are closed") }';
    const { code, text } = await exam(folderOf({ first, more: `books: ${books}` }), "shop.exam.ts", "--jobs", "1");
    expect(text).toContain("books threw in the first story, in which nothing goes wrong: the books are closed");
    expect(code).toBe(2);
  });

  test.concurrent("says once that books throws, with several threads", async () => {
    const folder = folderOf({ more: 'books: () => { throw new Error("the books are closed") }' });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "3", "--failures", "1");
    expect(
      text.match(/books threw in the first story, in which nothing goes wrong: the books are closed/g),
    ).toHaveLength(1);
    expect(code).toBe(2);
  });

  test.concurrent.for(["1", "2"])("says what open throws, and exits with 2, with --jobs %s", async (jobs) => {
    const folder = folderOf({ open: 'throw new Error("the database is not there")' });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", jobs);
    expect(text).toMatch(
      /^shop\.exam\.ts could not be examined:\n {2}Error: the database is not there\n {2} +at .*open .*shop\.exam\.ts/,
    );
    expect(text).toContain("0 of 1 exam passed; not examined: shop.exam.ts");
    expect(code).toBe(2);
  });

  test.concurrent("says that open never returns", async () => {
    const folder = folderOf({ open: "await new Promise(() => undefined)" });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
    expect(text).toContain("open did not return the app");
    expect(code).toBe(2);
  });

  test.concurrent("says that a thread died, or what nothing caught", async () => {
    const dies = await exam(folderOf({ open: "process.exit(7)" }), "shop.exam.ts", "--jobs", "2");
    expect(dies.text).toContain("A thread of the search ended with the exit code 7 before it was done.");
    expect(dies.code).toBe(2);
    const rejects = folderOf({ open: 'void Promise.reject(new Error("nobody listens"))' });
    const rejected = await exam(rejects, "shop.exam.ts", "--jobs", "2");
    expect(rejected.text).toContain("nobody listens");
    expect(rejected.code).toBe(2);
  });

  test.concurrent("says that a thread died or broke off while others wait for what it learns", async () => {
    const dies = await exam(folderOf(inSecondThread("process.exit(7)")), "shop.exam.ts", "--jobs", "3");
    expect(dies.text).toContain("A thread of the search ended with the exit code 7 before it was done.");
    expect(dies.code).toBe(2);
    const throwing = folderOf(inSecondThread('throw new Error("the database is gone")'));
    const threw = await exam(throwing, "shop.exam.ts", "--jobs", "3");
    expect(threw.text).toMatch(/could not be examined:\n {2}Error: the database is gone/);
    expect(threw.code).toBe(2);
  });

  test.concurrent("ends although the shop left a timer behind", async () => {
    const folder = folderOf({ open: "setInterval(() => undefined, 1000)" });
    expect(await exam(folder, "shop.exam.ts", "--stories", "2", "--jobs", "1")).toMatchObject({ code: 0 });
  });

  test.concurrent("refuses a shard that is none, before it searches", async () => {
    const { code, text } = await exam(folderOf(), "shop.exam.ts", "--shard", "3/2");
    expect(text).toContain("A shard is its number, counted from 1, and the number of shards, such as 3/20.");
    expect(code).toBe(1);
  });

  test.concurrent("refuses a token that was cut, and a story that needs another act", async () => {
    const folder = folderOf();
    const cut = await exam(folder, "shop.exam.ts", "--replay", "eyJmbG93Ijoib3JkZXIs");
    expect(cut.text).toContain("which is not a token of this version of Centavo. Copy the whole token");
    expect(cut.code).toBe(2);
    const token = btoa(JSON.stringify({ flow: "checkout, approved" })).replaceAll("=", "");
    const other = await exam(folder, "shop.exam.ts", "--replay", token);
    expect(other.text).toContain(
      'exam: the story of the option replay has the flow "checkout, approved", which needs an act that is not given.',
    );
    expect(other.code).toBe(2);
  });

  test.concurrent("says which acts there are when an exam has none", async () => {
    const { code, text } = await exam(folderOf({ more: "acts: {}" }), "shop.exam.ts", "--jobs", "1");
    expect(text).toContain("exam: the option acts is {}. It takes at least one act");
    expect(code).toBe(2);
  });
});
