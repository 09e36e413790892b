import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportedShake } from "../../src/report/reported-shake.ts";

const repository = join(import.meta.dirname, "../..");
const suite = ["node", "--test", "test/shake/suites/hasty-shop.ts"];
const some = ["--only", "lost-answers,events-twice,forged-events", "--max-runs", "4"];

/** Returns what the command prints to standard output. */
function shaken(...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ["src/cli/main.ts", "shake", "--json", ...words, "--", ...suite], {
    cwd: repository,
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (out += part));
  return new Promise((resolve) => child.once("close", () => resolve(out)));
}

const first = shaken(...some);

test("two shakes of a suite print the same bytes, also where several runs are made at the same time", async () => {
  const { findings, runs } = JSON.parse(await first) as ReportedShake;
  expect(runs).toBe(4);
  expect(findings.length).toBeGreaterThan(1);
  expect(await shaken(...some)).toBe(await first);
  expect(await shaken(...some, "--jobs", "2")).toBe(await first);
});

test("the token of each finding replays to the same finding", async () => {
  const { findings } = JSON.parse(await first) as ReportedShake;
  for (const { kind, law, also, sentence, tests } of findings) {
    const [{ token, what, test: title } = { token: "", what: [], test: "" }] = tests;
    const replayed = JSON.parse(await shaken("--replay", token)) as ReportedShake;
    expect(replayed.findings).toMatchObject([{ kind, law, tests: [{ token, what, test: title }] }]);
    expect([sentence, ...also]).toContain(replayed.findings[0]?.sentence);
  }
});
