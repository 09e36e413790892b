import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byNight } from "../by-night.ts";
import { centavoIn, centavoUntil } from "./commands.ts";
import type { Ran } from "./commands.ts";
import { folderOf, resultsIn, writeExam } from "./exam-folder.ts";
import { runsIn } from "../report/read-report.ts";

/** Runs `centavo exam` in this process. */
function exam(folder: string, ...args: readonly string[]): Promise<Ran> {
  return centavoIn(folder, "exam", ...args);
}

describe("centavo exam", () => {
  test.for([
    ["--stories", "40"],
    ["--seconds", "0.001"],
  ])("ends unfinished with exit code 3 where %s %s is not enough, and says how much is left", async (limit) => {
    const { code, text } = await exam(folderOf(), "shop.exam.ts", ...limit, "--jobs", "1");
    expect(text).toMatch(/^shop\.exam\.ts: The exam is unfinished: \d+ .* were not played/);
    expect(text).toContain("0 of 1 exam passed; unfinished: shop.exam.ts");
    expect(code).toBe(3);
  });

  test("does not pass a story whose trouble never happens", async () => {
    const folder = folderOf();
    const token = btoa(
      JSON.stringify({
        flow: "order approved",
        troubles: [["call", "payment-intent.create", 99, "request.status 503"]],
      }),
    );
    const { code, text } = await exam(folder, "shop.exam.ts", "--replay", token);
    expect(text).toContain(
      "The story breaks no law, but proves nothing: The trouble request.status 503 did not happen, because the merchant does not come to its place, call payment-intent.create 99.",
    );
    expect(code).toBe(3);
  });

  test("fails a wrong shop with exit code 1, and the printed command plays the story again", async () => {
    const folder = folderOf({ mistake: "fulfils each time" });
    const failed = await exam(folder, "shop.exam.ts", "--stories", "100", "--jobs", "1", "--report", "report.json");
    expect(failed.text).toContain("✗ fulfilled-once: An order is fulfilled once.");
    expect(failed.text).toContain("0 of 1 exam passed; failed: shop.exam.ts");
    expect(failed.code).toBe(1);

    const [, command = ""] = /Replay it: npx centavo exam (.*)/.exec(failed.text) ?? [];
    const again = await exam(folder, ...command.split(" "));
    const [failure] = resultsIn(folder, "report.json").exams[0]?.verdict.failures ?? [];
    expect(again.text).toContain(`Digest: ${failure?.digest}`);
    expect(again.text).toContain(`Replay it: npx centavo exam ${command}`);
    expect(again.text).toContain("The story still breaks fulfilled-once.");
    expect(again.code).toBe(1);

    writeExam(folder, { name: "mended.exam.ts" });
    const mended = await exam(folder, "mended.exam.ts", ...command.split(" ").slice(1));
    expect(mended.text).toContain("The story passes now: it breaks no law.");
    expect(mended.code).toBe(0);
  });

  test("writes the failing stories as an HTML report, each played again, where the file ends in .html", async () => {
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

  test("shows a story whose books have stock, and no failure of a law that only warns", async () => {
    const folder = folderOf({
      mistake: "fulfils each time",
      more: `books: ({ store }) => ({ orders: [...store.values()], stock: { books: 5 } }), laws: { "fulfilled-once": "warn" },`,
    });
    const { code } = await exam(folder, "shop.exam.ts", "--stories", "100", "--jobs", "1", "--report", "exam.html");
    expect(code).toBe(3);
    const [run] = runsIn(readFileSync(join(folder, "exam.html"), "utf8"));
    expect(run).not.toHaveProperty("outcome");
    expect(run?.exam?.law).toBe("fulfilled-once");
    // Only the story of the break has a delivery that was tried again.
    expect(run?.rows.some(({ kind, text }) => kind === "delivery" && text.includes("attempt 2"))).toBe(true);
  });

  test("examines each file of a folder, and --quiet prints those that failed", async () => {
    const folder = folderOf({ name: "right.exam.ts" }, { name: "wrong.exam.ts", mistake: "trusts the way back" });
    const { code, text } = await exam(folder, ".", "--failures", "1", "--quiet", "--jobs", "2");
    expect(text).toMatch(/^wrong\.exam\.ts: The exam failed/);
    expect(text).toContain("paid-before-fulfilled");
    expect(text).toContain("1 of 2 exams passed; failed: wrong.exam.ts");
    expect(code).toBe(1);
  });

  test.for(["2", ...byNight(["1"])])(
    "tells no more failures than --failures, with --jobs %s, and names the others",
    async (jobs) => {
      const folder = folderOf({ mistake: "trusts the way back" });
      const limits = ["--stories", "250", "--failures", "1", "--jobs", jobs, "--report", "report.json"];
      const { text } = await exam(folder, "shop.exam.ts", ...limits);
      expect(resultsIn(folder, "report.json").exams[0]?.verdict.failures).toHaveLength(1);
      expect(text).toMatch(/Also broken, and left out because of --failures: [a-z-]+/);
    },
  );

  test("replaces the seed and the budget of the file", async () => {
    const folder = folderOf({ more: "seed: 5, budget: { stories: 100000 }" });
    const { text } = await exam(folder, "shop.exam.ts", "--seed", "7", "--stories", "10", "--jobs", "1");
    expect(text).toContain("10 stories were played with the seed 7.");
  });

  test.for(["1", "2"])("ends when it is interrupted, and is not green, with --jobs %s", async (jobs) => {
    const folder = folderOf({ more: "budget: { stories: 100000 }" });
    writeExam(folder, { name: "untried.exam.ts" });
    const stop = Promise.withResolvers<void>();
    const exams = ["shop.exam.ts", "untried.exam.ts"];
    const running = centavoUntil(stop.promise, folder, "exam", ...exams, "--jobs", jobs, "--report", "report.json");
    stop.resolve();
    const { code, text } = await running;
    expect(text).toMatch(/The exam is unfinished: The search was interrupted\. .* \d+ stor(y was|ies were) played/);
    expect(text).toContain("0 of 2 exams passed; unfinished: shop.exam.ts; not examined: untried.exam.ts");
    expect(code).toBe(3);
    const merged = await centavoIn(folder, "exam", "merge", "report.json");
    expect(merged.text).toContain("shop.exam.ts: The exam is unfinished: The search was interrupted.");
    expect(merged.text).toContain("In report.json, untried.exam.ts could not be examined: The command was interrupted");
    expect(merged.code).toBe(3);
  });

  test("plays the first story although it is interrupted before, and says that it cannot be examined", async () => {
    const books = '() => { throw new Error("the books are closed") }';
    const folder = folderOf({ more: `books: ${books}` });
    const { code, text } = await centavoUntil(Promise.resolve(), folder, "exam", "shop.exam.ts", "--jobs", "1");
    expect(text).toContain("books threw in the first story, in which nothing goes wrong: the books are closed");
    expect(code).toBe(2);
  });

  test.for(["1", "2"])("says what open throws, and exits with 2, with --jobs %s", async (jobs) => {
    const folder = folderOf({ open: 'throw new Error("the database is not there")' });
    const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", jobs);
    expect(text).toMatch(
      /^shop\.exam\.ts could not be examined:\n {2}Error: the database is not there\n {2} +at .*open .*shop\.exam\.ts/,
    );
    expect(text).toContain("0 of 1 exam passed; not examined: shop.exam.ts");
    expect(code).toBe(2);
  });

  test("refuses a token that was cut, and a story that needs another act", async () => {
    const folder = folderOf();
    const cut = await exam(folder, "shop.exam.ts", "--replay", "eyJmbG93Ijoib3JkZXIs");
    expect(cut.text).toContain("which is not a token of this version of Centavo. Copy the whole token");
    expect(cut.code).toBe(2);
    const token = btoa(JSON.stringify({ flow: "checkout approved" })).replaceAll("=", "");
    const other = await exam(folder, "shop.exam.ts", "--replay", token);
    expect(other.text).toContain(
      'exam: the story of the option replay has the flow "checkout approved", which needs an act that is not given.',
    );
    expect(other.code).toBe(2);
  });

  test.for([
    ["a wrong shard", ["shop.exam.ts", "--shard", "3/2"], "counted from 1, and the number of shards, such as 3/20."],
    ["no file", [], "missing required argument 'what'"],
    ["no report to merge", ["merge"], "missing required argument 'reports'"],
  ] as const)("refuses %s", async ([, words, message]) => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => printed.mockRestore());
    await expect(exam(folderOf(), ...words)).rejects.toThrow(message);
    expect(printed.mock.calls.join("").split(message)).toHaveLength(2);
  });

  test("says which acts there are when an exam has none", async () => {
    const { code, text } = await exam(folderOf({ more: "acts: {}" }), "shop.exam.ts", "--jobs", "1");
    expect(text).toContain("exam: the option acts is {}. It takes at least one act");
    expect(code).toBe(2);
  });
});
