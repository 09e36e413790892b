import { writeFileSync } from "node:fs";
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
  const { out, errors } = await shake(["--only", "tokens", "--max-runs", "1", "--json", "--", ...vitest]);
  expect(errors).toBe("");
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
  ["--replay", "e30", "not a token of this version"],
  ["--baseline", "nowhere.json", "cannot be read"],
] as const)("%s %s is refused", async ([option, value, message]) => {
  const ended = await shake([option, value, "--", ...suite]);
  expect(ended.text).toContain(message);
  expect(ended.code).toBe(2);
});
