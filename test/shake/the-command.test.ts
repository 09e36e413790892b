import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportedShake } from "../../src/report/reported-shake.ts";
import { foldersOfShakes, newFolder, shake } from "./in-own-process.ts";

const suite = ["node", "--test", "test/shake/suites/small-shop.ts"];
const MISTAKEN = { MISTAKE: "fulfils each time" };

test("a suite of node:test is shaken, a finding can be run alone, and a baseline accepts it", async () => {
  const own = newFolder();
  const found = await shake(["--only", "events-twice", "--max-runs", "3", "--", ...suite], {
    env: MISTAKEN,
    own,
  });
  expect(found.text).toContain("✗ The event payment_intent.succeeded is delivered twice.");
  expect(found.text).toContain(
    "test/shake/suites/small-shop.ts > the small shop > sells to a customer who pays by card",
  );
  expect(found.text).toContain("1 of 1 test: it fails");
  expect(found.text).toContain("docs/guide/laws.md#fulfilled-once");
  expect(found.code).toBe(1);

  const [, token = ""] = /--replay (\S+)/.exec(found.text) ?? [];
  const replayed = await shake(["--replay", token, "--json", "--", ...suite], { env: MISTAKEN, own });
  expect(replayed.text).toContain("✖");
  expect(replayed.code).toBe(1);

  // Tools of repositories with several packages run each suite in the folder of its package.
  const elsewhere = ["sh", "-c", "cd test/shake && node --test suites/small-shop.ts"];
  const fromThere = await shake(["--replay", token, "--", ...elsewhere], { env: MISTAKEN, own });
  expect(fromThere.out).toContain("test/shake/suites/small-shop.ts > the small shop");
  expect(fromThere.code).toBe(1);

  const json = await shake(["--replay", token, "--json", "--fail-on", "money", "--", ...suite], {
    env: MISTAKEN,
    own,
  });
  expect(json.code).toBe(0);
  const baseline = join(own, "shake.json");
  writeFileSync(baseline, json.out);
  const accepted = await shake(["--replay", token, "--baseline", baseline, "--", ...suite], {
    env: MISTAKEN,
    own,
  });
  expect(accepted.text).toContain("Accepted by the baseline");
  expect(accepted.code).toBe(0);

  expect(foldersOfShakes(own)).toEqual([]);
});

test("tests of the same name in several packages and projects of vitest are told apart", async () => {
  const packages = "test/shake/suites/packages";
  const vitest = [
    process.execPath,
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    `${packages}/vitest.config.ts`,
  ];
  const { out, errors } = await shake(["--only", "lost-answers", "--max-runs", "1", "--json", "--", ...vitest]);
  expect(errors).toMatch(/^1 run of your suite follows, of about [\d.]+ s\.\n$/);
  const { tests, leftOut, failedAlready } = JSON.parse(out) as ReportedShake;
  expect([tests, leftOut, failedAlready]).toEqual([12, [], []]);
});

test("blind spots are listed with what closes them, replayed, accepted by a baseline, and fail only on request", async () => {
  const own = newFolder();
  const words = ["--only", "blind-spots"];
  const told = await shake([...words, "--json", "--", ...suite], { own });
  const { blindSpots } = JSON.parse(told.out) as ReportedShake;
  expect(blindSpots?.closed).toBe(4);
  expect(blindSpots?.open.map(({ trouble }) => trouble)).toEqual([
    "The event payment_intent.succeeded says one centavo more.",
    "The answer to the call payment-intent.create says one centavo more.",
  ]);
  expect(told.code).toBe(0);
  const baseline = join(own, "shake.json");
  writeFileSync(baseline, told.out);

  const token = blindSpots?.open[0]?.tests[0]?.token ?? "";
  const replayed = await shake(["--replay", token, "--fail-on", "blind-spots", "--", ...suite], { own });
  expect(replayed.out).toContain(
    "? No test would notice that the event payment_intent.succeeded says one centavo more",
  );
  expect(replayed.out).toContain(
    '    sim.faults.add({ kind: "webhook.other-value", field: "amount", by: 1, event: "payment_intent.succeeded", nth: 1 });',
  );
  expect(replayed.code).toBe(1);

  const accepted = await shake(
    ["--replay", token, "--fail-on", "blind-spots", "--baseline", baseline, "--", ...suite],
    { own },
  );
  expect(accepted.out).toContain("Accepted by the baseline");
  expect(accepted.code).toBe(0);
});

test("a suite without a simulator cannot be shaken, and the command says what it printed", async () => {
  const ended = await shake(["--", "node", "-e", "console.log('nothing here')"]);
  expect(ended.text).toContain("nothing here");
  expect(ended.code).toBe(2);
});

test.for([
  ["--only", "lost-answer", 'the nearest is "lost-answers"'],
  ["--replay", "e30", "--replay e30: this is not a token of this version"],
  ["--replay", `W"é${"y".repeat(100)}`, `--replay W"é${"y".repeat(77)}…: this is not a token`],
  ["--baseline", "nowhere.json", "cannot be read"],
] as const)("%s %s is refused", async ([option, value, message]) => {
  const ended = await shake([option, value, "--", ...suite]);
  expect(ended.text).toContain(message);
  expect(ended.code).toBe(2);
});

test("a command without dashes before it keeps its own options", async () => {
  const { text, code } = await shake(["--only", "events-twice", "--max-runs", "1", ...suite]);
  expect(text).toContain("1 trouble in 1 test was borne");
  expect(code).toBe(0);
  const own = await shake(["node", "-e", "console.log(process.argv.slice(1).join())", "x", "--json", "--only", "y"]);
  expect(own.text).toContain("x,--json,--only,y");
});

test("no command at all is refused with an example", async () => {
  const { errors, code } = await shake([]);
  expect(errors).toBe("error: missing required argument 'command', such as npx centavo shake -- npx vitest run\n");
  expect(code).toBe(2);
});

test("a comma at the end of --only means no kind, and a kind behind a space is told to move", async () => {
  const trailing = await shake(["--only", "events-twice,", "--baseline", "nowhere.json", "--", ...suite]);
  expect(trailing.errors).toContain("nowhere.json");
  for (const dashes of [["--"], []]) {
    const { errors, code } = await shake(["--only", "lost-answers,", "events-twice", ...dashes, ...suite]);
    expect(errors).toBe(
      "centavo shake: events-twice is a kind of trouble, and no command. Write it behind --only without a space, such as --only lost-answers,events-twice.\n",
    );
    expect(code).toBe(2);
  }
});

test.for([
  ["vitest", ["sh", "-c", "true", "vitest"]],
  ["Jest", ["sh", "-c", "true", "node_modules/jest/bin/jest.js"]],
  ["Mocha", ["sh", "-c", "true", "npx mocha test"]],
  ["node:test", ["node", "--test", "test/shake/no-finding.ts"]],
] as const)("a suite of %s without a simulator is told the setting that the guide has", async ([runner, words]) => {
  const { errors, code } = await shake(["--", ...words]);
  const guide = readFileSync("docs/guide/shake.md", "utf8");
  const [, setting = "none"] = new RegExp(String.raw`^\| ${runner} +\| \x60(.*?)\x60`, "m").exec(guide) ?? [];
  expect(errors).toContain(`if ${runner} is given ${setting}`);
  expect(errors).toContain("node_modules/centavo/docs/guide/shake.md#tests-that-create-their-simulators");
  expect(code).toBe(2);
});
