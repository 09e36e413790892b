import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foldersOfShakes, newFolder, shake } from "./in-own-process.ts";

const suite = [process.execPath, "test/shake/suites/ends.ts"];
/** What the command says once it knows how many runs there are. */
const LINE_OF_RUNS =
  /^2 runs of your suite follow, (?:2 at once, )?of about [\d.]+ s each, so about [\d.]+ \w+\. --seconds, --max-runs or --only shorten it\.\n$/;
const NO_RESULT =
  "is not a result of centavo shake --json. Write one with: npx centavo shake --json -- npx jest > shake.json";
const few = ["--only", "events-twice", "--max-runs", "2"];

/** What a suite does at its end, and in which runs. */
function ending(end: string, ...runs: readonly number[]) {
  const own = newFolder();
  const pids = join(own, "pids");
  return { own, pids, env: { END: end, WHEN: runs.join(), PIDS: pids, NO_COLOR: "1" } };
}

function pidsIn(path: string): readonly number[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean).map(Number) : [];
}

/** Whether a process runs. One that has ended, and that nobody has asked about, does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Calls back once so many processes have noted themselves in a file. */
function whenNoted(pids: string, count: number, callback: () => void): void {
  const timer = setInterval(() => {
    if (pidsIn(pids).length < count) return;
    clearInterval(timer);
    callback();
  }, 50);
}

function expectNothingLeft({ own, pids }: { readonly own: string; readonly pids: string }): void {
  expect(pidsIn(pids).filter(isRunning)).toEqual([]);
  expect(foldersOfShakes(own)).toEqual([]);
}

test.for([
  ["once, while a suite does not heed SIGTERM", "ignores SIGTERM", [0], 2, 1, []],
  ["once, in a later run", "never ends", [1], 1, 1, few],
  ["once, while several suites run", "ignores SIGTERM", [1, 2], 4, 1, [...few, "--jobs", "2"]],
  ["twice, while a suite does not heed SIGTERM", "ignores SIGTERM", [0], 2, 2, []],
] as const)("Ctrl+C %s ends the command, and leaves nothing behind", async ([, end, runs, noted, times, words]) => {
  const ends = ending(end, ...runs);
  const onStart = (command: ChildProcess): void =>
    whenNoted(ends.pids, noted, () => {
      for (let time = 0; time < times; time += 1) command.kill("SIGINT");
    });
  const ended = await shake([...words, "--", ...suite], { ...ends, onStart });
  expect([ended.code, ended.out]).toEqual([130, ""]);
  expect(ended.errors).toMatch(runs.includes(0 as never) ? /^$/ : LINE_OF_RUNS);
  expect(pidsIn(ends.pids)).toHaveLength(noted);
  expectNothingLeft(ends);
});

test("a terminal that closes ends the command, and leaves nothing behind", async () => {
  const ends = ending("ignores SIGTERM", 0);
  const onStart = (command: ChildProcess): void => whenNoted(ends.pids, 2, () => command.kill("SIGHUP"));
  const ended = await shake(["--", ...suite], { ...ends, onStart });
  expect([ended.code, ended.text]).toEqual([129, ""]);
  expectNothingLeft(ends);
});

test("what the command of a suite started may end by itself, although the command ends first", async () => {
  const ends = ending("tidies up", 0);
  const onStart = (command: ChildProcess): void => whenNoted(ends.pids, 1, () => command.kill("SIGINT"));
  const ended = await shake(["--", "sh", "-c", `'${suite.join("' '")}'; true`], { ...ends, onStart });
  expect(ended.code).toBe(130);
  expect(pidsIn(ends.pids)).toEqual([expect.any(Number), 0]);
  expectNothingLeft({ ...ends, pids: "" });
});

test("a first run that never ends is ended when --seconds are over, and the command says so", async () => {
  const ends = ending("ignores SIGTERM", 0);
  const ended = await shake(["--seconds", "3", "--", ...suite], ends);
  expect(ended.text).toContain("did not end within 3 seconds. Give more --seconds, or name fewer tests.");
  expect(ended.code).toBe(2);
  expectNothingLeft(ends);
});

test("a suite that prints megabytes is shaken in little memory, and a replay shows all of it", async () => {
  const ends = ending("exits", 1);
  // The runs print more than all the memory that the command gets.
  const env = { ...ends.env, MEGABYTES: "64" };
  const found = await shake([...few, "--json", "--", ...suite], {
    ...ends,
    env,
    nodeOptions: ["--max-old-space-size=96"],
  });
  expect([found.code, found.errors]).toEqual([1, expect.stringMatching(LINE_OF_RUNS)]);
  const [, token = ""] = /"token":\s*"(\w+)"/.exec(found.out) ?? [];
  const replayed = await shake(["--replay", token, "--", ...suite], { ...ends, env: { ...env, MEGABYTES: "4" } });
  expect(replayed.code, replayed.out).toBe(1);
  expect(replayed.errors.length).toBe(4 * 1024 * 1024);
});

test.for([
  ["throws", "The process of the test ended: Error: The shop is out of books."],
  ["exits", "The process of the test ended: test/shake/suites/ends.ts:"],
] as const)("a program that %s under a trouble is a finding", async ([end, what]) => {
  const ends = ending(end, 1);
  const { code, out } = await shake([...few, "--json", "--", ...suite], ends);
  const { findings } = JSON.parse(out) as { readonly findings: readonly object[] };
  expect(findings).toMatchObject([
    { kind: "conduct", law: "no-crash", tests: [{ isNoticed: true, what: [expect.stringContaining(what)] }] },
  ]);
  expect(code).toBe(1);
  expectNothingLeft(ends);
});

test("a process that ends after its test keeps what the test passed", async () => {
  const ends = ending("exits in its aftermath", 1);
  const { code, out } = await shake([...few, "--json", "--", ...suite], ends);
  expect(JSON.parse(out)).toMatchObject({ findings: [], borne: { count: 2 }, untried: [] });
  expect(code).toBe(0);
  expectNothingLeft(ends);
});

test("a suite that something kills under a trouble has not tried it", async () => {
  const ends = ending("kills itself", 1);
  const { code, text } = await shake([...few, "--", ...suite], ends);
  expect(text).toMatch(/the test did not end in its run/);
  expect(code).toBe(0);
  expectNothingLeft(ends);
});

test("a suite whose first run fails, although its tests of payments pass, is shaken, and told", async () => {
  const ends = ending("fails elsewhere", 0);
  const { code, text } = await shake([...few, "--", ...suite], ends);
  expect(text).toContain("its first run ended with exit code 1, and these tests passed.");
  expect(code).toBe(0);
  const json = await shake([...few, "--json", "--", ...suite], ends);
  expect(JSON.parse(json.out)).toMatchObject({ firstExit: 1, failedAlready: [] });
});

test("a first run that something kills is not shaken", async () => {
  const ends = ending("kills itself", 0);
  const { code, text } = await shake(["--", ...suite], ends);
  expect(text).toContain("the first run of the suite was ended by SIGKILL");
  expect(code).toBe(2);
  expectNothingLeft(ends);
});

test("what a suite leaves running is ended after each run", async () => {
  const ends = ending("leaves a worker", 0, 1, 2);
  const { code } = await shake([...few, "--", ...suite], ends);
  expect(code).toBe(0);
  expect(pidsIn(ends.pids)).toHaveLength(3);
  expectNothingLeft(ends);
});

test("what leaves the group of a suite, and outlives the shake, writes nothing", async () => {
  const ends = ending("leaves its group", 0);
  const { code } = await shake([...few, "--", ...suite], ends);
  expect(code).toBe(0);
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (pidsIn(ends.pids).some(isRunning)) return;
      clearInterval(timer);
      resolve();
    }, 50);
  });
  expect(pidsIn(ends.pids)).toHaveLength(1);
  expectNothingLeft(ends);
});

test("a runner that waits for changes is ended, and the command says how to run it once", async () => {
  const ends = ending("waits for changes", 0);
  const { code, text } = await shake(["--", ...suite], ends);
  expect(text).toContain("the suite waits for changes of its files, so a run never ends. Let it run once");
  expect(code).toBe(2);
  expectNothingLeft(ends);
});

test("vitest that is told to wait by its short option is ended, and the command says how to run it once", async () => {
  const ends = ending("");
  const project = join(ends.own, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.test.mjs"), 'globalThis.test("passes", () => undefined);');
  const vitest = ["node_modules/vitest/vitest.mjs", "-w", "--globals", "--root", project];
  const { code, text } = await shake(["--", process.execPath, ...vitest], ends);
  expect(text).toContain("the suite waits for changes of its files");
  expect(text).toContain("1 passed");
  expect(code).toBe(2);
  expectNothingLeft(ends);
});

test.for([
  [["nosuchcommand"], "no program nosuchcommand on the PATH; a program of a package is run as npx nosuchcommand"],
  [["./nosuchcommand"], "there is no program ./nosuchcommand."],
  [["npx", "vitest", "--watch"], '"--watch" makes'],
  [["npx", "vitest", "watch", "test"], '"watch" makes'],
  [["npx", "jest", "--watchAll"], '"--watchAll" makes'],
  [["node", "--test", "--watch"], '"--watch" makes'],
  [["no-such-runner"], "the command of the suite cannot be run"],
] as const)("%j is refused before anything runs", async ([words, message]) => {
  const ends = ending("");
  const { code, text } = await shake(["--", ...words], ends);
  expect(text).toContain(message);
  expect(code).toBe(2);
  expectNothingLeft(ends);
});

test.for([
  ["another object", '{ "private": true }', NO_RESULT],
  ["findings that are no list", '{ "findings": {} }', NO_RESULT],
  ["a test without a token", '{ "findings": [{ "tests": [{}] }] }', NO_RESULT],
  ["a token that is a number", '{ "findings": [{ "tests": [{ "token": 1 }] }] }', NO_RESULT],
  ["nothing", "null", NO_RESULT],
  ["half of a document", '{ "findings": [', "is not JSON"],
  ["lists in lists", "[".repeat(1_000_000) + "]".repeat(1_000_000), NO_RESULT],
] as const)("a baseline that holds %s is refused before anything runs", async ([, text, message]) => {
  const ends = ending("never ends", 0);
  const baseline = join(ends.own, "shake.json");
  writeFileSync(baseline, text);
  const { code, errors } = await shake(["--baseline", baseline, "--", ...suite], ends);
  expect(errors).toContain("--baseline: ");
  expect(errors).toContain("shake.json");
  expect(errors).toContain(message);
  expect(errors.length).toBeLessThan(1000);
  expect(code).toBe(2);
  expectNothingLeft(ends);
});

test("a token of another suite is refused, and a page of an earlier shake stays when nothing runs", async () => {
  const ends = ending("");
  const html = join(ends.own, "shake.html");
  writeFileSync(html, "earlier");
  const token = btoa(JSON.stringify(["another test", "event", "checkout.completed", 1, "webhook.duplicate"]));
  const { code, errors } = await shake(["--replay", token, "--", ...suite], ends);
  expect(errors).toContain("no test that passes in this suite has the trouble of this token");
  expect(code).toBe(2);
  const refused = await shake(["--html", html, "--", "npx", "vitest", "--watch"], ends);
  expect([refused.code, readFileSync(html, "utf8")]).toEqual([2, "earlier"]);
  expectNothingLeft(ends);
});

test("more runs may be asked for at once than there are", async () => {
  const ends = ending("");
  const { code, errors } = await shake([...few, "--jobs", String(Number.MAX_SAFE_INTEGER), "--", ...suite], ends);
  expect([code, errors]).toEqual([0, expect.stringMatching(/^2 runs of your suite follow, \d+ at once, of about /)]);
  expectNothingLeft(ends);
});

test("a suite without a test is refused", async () => {
  const ends = ending("has no test");
  const { code, text } = await shake(["--", ...suite], ends);
  expect(text).toContain("no test of this run got its simulator from");
  expect(code).toBe(2);
  expectNothingLeft(ends);
});

test.for(["head -n 1", "true"])("%s may read less than the command prints", async (reader) => {
  const ends = ending("");
  const words = ["src/cli/main.ts", "shake", ...few, "--", ...suite].map((word) => `'${word}'`).join(" ");
  const child = spawn("bash", ["-o", "pipefail", "-c", `'${process.execPath}' ${words} | ${reader}`], {
    env: { ...process.env, NODE_OPTIONS: "", TMPDIR: ends.own, ...ends.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, errors] = ["", ""];
  child.stdout.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (errors += part.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, errors]).toEqual([0, expect.stringMatching(LINE_OF_RUNS)]);
  expect(out.split("\n").length).toBeLessThanOrEqual(2);
  expectNothingLeft(ends);
});

test("a kind that strikes nowhere in the suite is refused, and no green is claimed", async () => {
  const ends = ending("");
  const { code, out, errors } = await shake(["--only", "tokens", "--", ...suite], ends);
  expect([code, out]).toEqual([2, ""]);
  expect(errors).toBe("centavo shake --only: no test of this suite passes a point where tokens can strike.\n");
  expectNothingLeft(ends);
});

test("a suite in which nothing can be struck is refused, and the command says what its tests pass", async () => {
  const ends = ending("has no shop");
  const { code, out, errors } = await shake(["--", ...suite], ends);
  expect([code, out]).toEqual([2, ""]);
  expect(errors).toMatch(
    /^centavo shake: nothing was tried, because no test makes a call or receives an event through a shop of its own\. The tests pass \d+ calls that they make themselves/,
  );
  expectNothingLeft(ends);
});

test("troubles of which none can be tried are no green, and each reason stands", async () => {
  const ends = ending("");
  const { code, out, errors } = await shake(["--only", "late-decisions", "--json", "--", ...suite], ends);
  expect([code, errors]).toEqual([2, ""]);
  expect(JSON.parse(out)).toMatchObject({
    code: "INVALID_OPTION",
    problem: expect.stringContaining(
      "nothing could be tried:\n- the test does not move its clock by 30 minutes after the payment",
    ) as string,
  });
  expectNothingLeft(ends);
});
