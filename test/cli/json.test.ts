import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { Merchant } from "../merchant.ts";
import { folderWith, refusedCall, story } from "./story-folder.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

let folder = "";
beforeAll(async () => {
  folder = folderWith({
    "passes.mjs": story(""),
    "fails.mjs": story('throw new Error("no");'),
    "broken.exam.mjs": "export default 1;",
  });
  const merchant = await Merchant.open();
  await merchant.pay();
  const recording = JSON.stringify(merchant.sim.recording());
  writeFileSync(join(folder, "run.json"), recording);
  writeFileSync(join(folder, "other.json"), recording.replace(/"digest":"[0-9a-f]{8}/, '"digest":"00000000'));
  writeFileSync(join(folder, "calls.json"), JSON.stringify([refusedCall]));
  writeFileSync(join(folder, "wrong.json"), JSON.stringify({ "http.error-status": { UNAUTHORIZED: 403 } }));
  mkdirSync(join(folder, "seen"));
  writeFileSync(
    join(folder, "seen/all.coverage.jsonl"),
    `${JSON.stringify({ centavo: manifest.version })}\n["states","payment_intent: succeeded"]\n`,
  );
});

function centavo(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

test.for([
  [["run", "passes.mjs", "--way", "memory"], 0, { stories: [{ outcome: "passed" }] }],
  [["run", "fails.mjs", "--way", "memory"], 1, { stories: [{ outcome: "failed" }] }],
  [["run", "nothing"], 2, { problem: expect.stringContaining("nothing") as string }],
  [["replay", "run.json"], 0, { digest: expect.any(String) as string, timeline: /payment_intent/ }],
  [["replay", "other.json"], 1, { problem: expect.stringContaining("digest") as string }],
  [["replay", "none.json"], 2, { problem: /^none.json cannot be replayed: there is no such file/, code: "NOT_FOUND" }],
  [["replay", "passes.mjs"], 2, { code: "INVALID_RECORDING" }],
  [["report", "run.json"], 0, { report: "run.html" }],
  [["report", "other.json"], 1, { report: "other.html" }],
  [["report", "run.json", "--out", "run.json/x"], 2, { recording: "run.json" }],
  [["coverage", "seen"], 0, { states: { seen: ["payment_intent: succeeded"] }, belowThresholds: [] }],
  [["coverage", "seen", "--threshold", "states=90"], 1, { belowThresholds: [/states/] }],
  [["coverage", "nowhere"], 2, { code: "NOT_FOUND" }],
  [["calibrate", "calls.json"], 0, { drift: [], acts: [], disagreements: [], played: 1 }],
  [["calibrate", "calls.json", "--check", "--out", "wrong.json"], 1, { rows: expect.any(Array) as unknown }],
  [["calibrate", "none.har"], 2, { code: "INVALID_OPTION", problem: /none\.har cannot be read/ }],
  [["record", "--to", "nowhere"], 2, { code: "INVALID_URL" }],
  [["exam", "broken.exam.mjs"], 2, { exams: [], notExamined: [{ file: "broken.exam.mjs" }] }],
  [["exam", "none.exam.mjs"], 2, { code: "NOT_FOUND" }],
  [["exam", "broken.exam.mjs", "--prove", "x"], 2, { code: "INVALID_OPTION" }],
  [["exam", "merge", "run.json"], 2, { code: "INVALID_OPTION" }],
  [["serve", "--faults", "none.json"], 2, { code: "INVALID_OPTION" }],
  [["serve", "--port", "many"], 2, { code: "commander.invalidArgument" }],
  [
    ["run", "--qiet"],
    2,
    { code: "commander.unknownOption", problem: /unknown option '--qiet'\n\(Did you mean --quiet\?/ },
  ],
  [["rum"], 2, { code: "commander.unknownCommand", problem: /Did you mean run/ }],
] as const)("%j with --json prints one document and exits with %i", ([args, code, expected]) => {
  const [what, ...others] = args;
  const { status, stdout } = centavo(what, ...others, "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    centavo: manifest.version,
    passed: code === 0,
    exitCode: code,
    ...patterns(expected),
  });
  expect(status).toBe(code);
});

test("messages go to standard error beside a document", () => {
  const { stdout, stderr } = centavo("report", "run.json", "--json");
  expect(stderr).toBe("Wrote the report run.html.\n");
  expect(JSON.parse(stdout)).not.toHaveProperty("problem");
});

test("a wrong option is told on standard error as well", () => {
  expect(centavo("run", "--wat", "--json").stderr).toContain("error: unknown option '--wat'");
});

test("--json behind -- is an argument of another program", () => {
  expect(centavo("run", "--wat", "--", "--json").stdout).toBe("");
});

test("a replay that is interrupted ends with 130, and leaves nothing behind", () => {
  // The process interrupts itself at its first turn after it listens to signals.
  const interrupt = `process.on("newListener",(n)=>n==="SIGINT"&&setImmediate(()=>process.kill(process.pid,"SIGINT")))`;
  const run = (...args: string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, ["--import", `data:text/javascript,${interrupt}`, main, ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  const before = execFileSync("ls", { cwd: folder, encoding: "utf8" });
  expect(run("replay", "run.json", "--report", "interrupted.html")).toMatchObject({ status: 130, stdout: "" });
  expect(run("report", "run.json", "--out", "interrupted.html")).toMatchObject({ status: 130, stdout: "" });
  expect(execFileSync("ls", { cwd: folder, encoding: "utf8" })).toBe(before);
});

/** Texts that patterns match, at any depth. */
function patterns(expected: object): object {
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]: [string, unknown]) => [
      key,
      value instanceof RegExp
        ? (expect.stringMatching(value) as unknown)
        : Array.isArray(value)
          ? value.map((each: unknown) => (each instanceof RegExp ? (expect.stringMatching(each) as unknown) : each))
          : value,
    ]),
  );
}
