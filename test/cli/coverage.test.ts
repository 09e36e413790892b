import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { resources } from "../../src/report/coverage/scope.ts";
import { universe } from "../../src/report/coverage/universe.ts";
import { givenTo } from "../report/read-report.ts";
import { centavoIn } from "./commands.ts";

const paid = ["states", "payment_intent: succeeded"];
const cancelled = ["states", "checkout: cancelled"];
/** How much one state is of all, in percent, as far as a message tells it. */
const share = Math.floor(1000 / universe.states.length) / 10;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "centavo-coverage-"));
});

/** The row of the states, when so many of all were seen. */
function statesSeen(count: number): RegExp {
  const all = universe.states.length;
  return new RegExp(`States +${count} of ${all} +${Math.floor((100 * count) / all)} %`);
}

function write(path: string, header: object, ...seen: readonly (readonly string[])[]): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  const lines = [{ centavo: manifest.version, ...header }, ...seen].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, path), lines.join(""));
}

describe("centavo coverage", () => {
  test("joins the files of .centavo/coverage", async () => {
    write(".centavo/coverage/1-0.coverage.jsonl", {}, paid);
    write(".centavo/coverage/2-0.coverage.jsonl", {}, cancelled, paid);
    const { code, text } = await centavoIn(folder, "coverage");
    expect(text).toMatch(statesSeen(2));
    expect(text).toContain("You never tested:");
    expect(code).toBe(0);
  });

  test("joins the folders of several shards", async () => {
    write("one/all.coverage.jsonl", { run: "1", ended: true }, paid);
    write("two/all.coverage.jsonl", { run: "2", ended: true }, cancelled);
    const { text } = await centavoIn(folder, "coverage", "one", "two/all.coverage.jsonl");
    expect(text).toMatch(statesSeen(2));
    expect(text).not.toContain("end");
  });

  test("writes JSON", async () => {
    write("one/all.coverage.jsonl", {}, paid, ["states", "subscription: active"]);
    await centavoIn(folder, "coverage", "one", "--json", "coverage.json");
    const { states, neverTested } = JSON.parse(readFileSync(join(folder, "coverage.json"), "utf8")) as {
      readonly states: object;
      readonly neverTested: readonly object[];
    };
    expect(states).toMatchObject({ seen: ["payment_intent: succeeded", "subscription: active"], percent: 8 });
    expect(neverTested).toContainEqual({
      part: "states",
      name: "subscription: past_due",
      what: "a subscription that is past_due",
      lines: 'await make.subscription({ status: "past_due" });',
    });
  });

  test.for([
    ["--json", "one"],
    ["one", "--json"],
    ["--json", "one/all.coverage.jsonl"],
  ])("prints JSON in place of the table with %j", async (words) => {
    write("one/all.coverage.jsonl", {}, paid);
    const { code, text } = await centavoIn(folder, "coverage", ...words);
    expect(JSON.parse(text)).toMatchObject({
      passed: true,
      exitCode: 0,
      states: { seen: ["payment_intent: succeeded"] },
    });
    expect(code).toBe(0);
  });

  test("writes a page with what was seen, what never was, and what the reader has to know about it", async () => {
    write("one/all.coverage.jsonl", {}, paid, ["moves", "payment_intent: processing → succeeded (decide)"]);
    write("one/1.coverage.jsonl", { run: "1" }, paid);
    await centavoIn(folder, "coverage", "one", "--html", "coverage.html", "--threshold", "states=80");
    const { service, runs } = givenTo(readFileSync(join(folder, "coverage.html"), "utf8"));
    const [{ title, notes, rows, coverage } = {}] = runs;
    expect([title, rows]).toEqual(["Coverage of the payment service", []]);
    expect(coverage?.parts.states).toMatchObject({
      seen: ["payment_intent: succeeded"],
      percent: Math.floor(100 / universe.states.length),
    });
    expect(coverage?.parts.states.neverTested).toContain("payment_intent: failed");
    expect(coverage?.notUsed).toEqual(resources.filter((name) => name !== "payment_intent"));
    expect(coverage?.visited["payment_intent"]).toEqual([
      "succeeded",
      "processing-succeeded",
      "processing-decide-succeeded",
    ]);
    expect(service.map(({ part }) => part)).toEqual(Object.keys(coverage?.parts ?? {}));
    expect(service.flatMap(({ all }) => all)).toContainEqual({
      part: "faults",
      name: "webhook.duplicate",
      what: "an event that arrives twice",
      lines: expect.stringContaining("webhook.duplicate") as string,
    });
    expect(notes).toEqual([
      `Coverage of states is ${share} %, and the threshold is 80 %.`,
      expect.stringContaining("did not finish"),
    ]);
  });

  test("counts with --only what is about these kinds of resource, and compares that with thresholds", async () => {
    write("one/all.coverage.jsonl", {}, paid, ["states", "subscription: active"]);
    const options = ["--only", "subscription,invoice", "--threshold", "states=10", "--html", "coverage.html"];
    const { code, text } = await centavoIn(folder, "coverage", "one", ...options);
    expect(text).toMatch(/States +1 of 10 +10 %/);
    expect(code).toBe(0);
    const { service, runs } = givenTo(readFileSync(join(folder, "coverage.html"), "utf8"));
    expect(service.find(({ part }) => part === "states")?.all).toHaveLength(10);
    expect(Object.keys(runs[0]?.coverage?.visited ?? {})).toEqual(["subscription", "invoice"]);
  });

  test("fails below a threshold", async () => {
    write("one/all.coverage.jsonl", {}, paid);
    const { code, text } = await centavoIn(
      folder,
      "coverage",
      "one",
      "--threshold",
      `states=${share}`,
      "--threshold",
      "moves=1",
    );
    expect(text).toContain("Coverage of moves is 0 %, and the threshold is 1 %.");
    expect(text).not.toContain("Coverage of states is");
    expect(code).toBe(1);
  });

  test("compares the exact share with a threshold that is a fraction", async () => {
    write("one/all.coverage.jsonl", {}, paid);
    const reached = await centavoIn(folder, "coverage", "one", "--threshold", `states=${share}`);
    expect(reached.code).toBe(0);
    const { code, text } = await centavoIn(folder, "coverage", "one", "--threshold", `states=${share + 0.2}`);
    expect(text).toContain(`Coverage of states is ${share} %, and the threshold is ${share + 0.2} %.`);
    expect(code).toBe(1);
  });

  test("tells everything that was never tested with --all", async () => {
    write("one/all.coverage.jsonl", {}, paid);
    const { text } = await centavoIn(folder, "coverage", "one", "--all");
    expect(text).toContain("- an event that arrives twice\n");
    expect(text.match(/^- /gm)?.length).toBeGreaterThan(100);
    expect(text).toContain("\nNot used: checkout, subscription, invoice");
  });

  test.for([
    [["coverage"], "There is no coverage in .centavo/coverage. Run your suite with the reporter"],
    [["coverage", "nowhere"], "There is no coverage in nowhere."],
    [["coverage", "one", "--threshold", "stats=80"], '"stats". The nearest is "states".'],
    [["coverage", "one", "--only", "subscripton"], 'is "subscripton"; the nearest is "subscription".'],
    [["coverage", "one", "--threshold", "states=101"], "It takes a percentage from 0 to 100."],
    [
      ["coverage", "other.coverage.jsonl"],
      `other.coverage.jsonl was written by Centavo 0.0.1, and this is Centavo ${manifest.version}.`,
    ],
    [["coverage", "one", "broken.coverage.jsonl"], "broken.coverage.jsonl is not a coverage file."],
    [["coverage", "one", "--json", "broken.coverage.jsonl/x"], "--json broken.coverage.jsonl/x cannot be written"],
  ] as const)("refuses %s", async ([args, message]) => {
    write("one/all.coverage.jsonl", {}, paid);
    write("other.coverage.jsonl", { centavo: "0.0.1" }, paid);
    writeFileSync(join(folder, "broken.coverage.jsonl"), "[]\n{}\n");
    const { code, text } = await centavoIn(folder, ...args);
    expect(text).toContain(message);
    expect(code).toBe(2);
  });

  test("counts a run that was aborted, and says so", async () => {
    write("one/1-0.coverage.jsonl", { run: "1" }, paid);
    writeFileSync(join(folder, "one/1-0.coverage.jsonl"), '["states","checkout: cancel', { flag: "a" });
    const { code, text } = await centavoIn(folder, "coverage", "one");
    expect(text).toMatch(statesSeen(1));
    expect(text).toContain("The run did not finish, so this is what it saw until then.");
    expect(code).toBe(0);
  });

  test("names the files that an earlier run has left behind", async () => {
    write("one/1-0.coverage.jsonl", { run: "1" }, paid);
    write("one/all.coverage.jsonl", { run: "2", ended: true }, paid);
    const { text } = await centavoIn(folder, "coverage", "one");
    expect(text).toContain("Among these are files of a run that did not finish: ");
    expect(text).toContain("one/1-0.coverage.jsonl. Delete them if they belong to an earlier run.");
  });
});
