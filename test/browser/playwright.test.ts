import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { examplesForPlaywright } from "../docs/examples.ts";
import { freePort } from "../free-port.ts";
import { installSpecs, runSpecs } from "./playwright-run.ts";
import type { Attempt, Modules, PlaywrightRun } from "./playwright-run.ts";

let folders: Readonly<Record<Modules, string>>;

beforeAll(() => {
  folders = installSpecs();
});

const ATTACHED = ["centavo-causes.txt", "centavo-report.html", "centavo-timeline.txt"];

describe("in specs as ES modules", () => {
  test("every verb of a customer drives the pages", async () => {
    const run = await runSpecs(folders["ES modules"], ["verbs"]);
    expect(run.code, run.output).toBe(0);
    expect(everyAttempt(run).flatMap(ofCentavo)).toEqual([]);
    const [paid] = run.tests["a session is paid by gcash, in the wallet"] ?? [];
    expect(paid?.steps).toEqual(expect.arrayContaining(['checkoutPage.pay("gcash")', "challengePage.authenticate()"]));
    // The number of a card stands nowhere.
    const [card] = run.tests["a session is paid by a card in full"] ?? [];
    expect(card?.steps).toContain("checkoutPage.pay(…)");
  });

  test("a timeline is compared with the snapshot that Playwright keeps", async () => {
    const first = await runSpecs(folders["ES modules"], ["timeline", "--update-snapshots"]);
    expect(first.code, first.output).toBe(0);
    const second = await runSpecs(folders["ES modules"], ["timeline"]);
    expect(second.code, second.output).toBe(0);
    const third = await runSpecs(folders["ES modules"], ["timeline", "--repeat-each=2"]);
    expect(third.code, third.output).toBe(0);
  });
});

describe("in specs that Playwright makes CommonJS of", () => {
  test("fixtures, options and matchers work", async () => {
    const run = await runSpecs(folders.CommonJS, ["fixtures"]);
    expect(run.code, run.output).toBe(0);
    expect(everyAttempt(run).flatMap(ofCentavo)).toEqual([]);
  });
});

describe("of failing tests", () => {
  let run: PlaywrightRun;

  beforeAll(async () => {
    const listening = createServer().listen(0, "127.0.0.1");
    await once(listening, "listening");
    const { port } = listening.address() as AddressInfo;
    run = await runSpecs(folders["ES modules"], ["failing"], { TAKEN_PORT: String(port) });
    listening.close();
  });

  test("the run ends with 1, and passing tests attach nothing", () => {
    expect(run.code).toBe(1);
    for (const title of ["a test passes", "a test closes its world, and passes"])
      expect(run.tests[title], title).toMatchObject([
        { status: "passed", errors: [], attachments: {}, annotations: {} },
      ]);
    expect(run.tests["a test that is expected to fail"]?.flatMap(ofCentavo)).toEqual([]);
  });

  test.for<[title: string, status: string, error: string, causes: RegExp]>([
    [
      "an assertion fails after a payment that was not settled",
      "failed",
      "The simulator should have delivered checkout.completed. It has done so 0 times.",
      /^Likely cause: 1 delivery is still waiting: call `await sim\.clock\.settle\(\)`/,
    ],
    ["Playwright's own assertion fails", "failed", 'Expected: "Paid"', /Look at: which statuses and types/],
    [
      "a status is expected in another word",
      "failed",
      'Expected: "succeeded"',
      /^Likely cause: cs_\w+ is "completed", which is the service's word for what the test calls "succeeded"/,
    ],
    [
      "a verb finds no such method",
      "failed",
      'the payment method is "pm_card_aproved"; the nearest is "pm_card_approved"',
      /the test's own error says what is wrong/,
    ],
    ["a text is thrown", "failed", "out of stock", /Look at: the error itself, which is not an assertion/],
    ["a test times out", "timedOut", "Test timeout of 3000ms exceeded", /The last status is "pending"/],
    ["a test closes its world, and fails", "failed", "the true error", /The last status is "pending"/],
    ["a world expires, and the test fails", "failed", "the true error", /The last status is "pending"/],
    ["a call hangs when the test fails", "failed", "the call hangs", /request\.hang/],
  ])(
    "%s: its own error comes first, with the causes, the report and the timeline",
    ([title, status, error, causes]) => {
      const [attempt, ...others] = run.tests[title] ?? [];
      expect(others).toEqual([]);
      expect(attempt?.status).toBe(status);
      expect(attempt?.errors[0]).toContain(error);
      expect(ofCentavo(attempt)).toEqual(ATTACHED);
      expect(attempt?.attachments["centavo-causes.txt"]).toMatch(causes);
      expect(attempt?.attachments["centavo-report.html"]).toMatch(/^<!doctype html>/);
      expect(attempt?.attachments["centavo-report.html"]).toContain(title.replaceAll("'", "&#39;").slice(0, 15));
      expect(attempt?.attachments["centavo-timeline.txt"]).toContain("POST /oauth");
      expect(attempt?.annotations).toEqual({});
    },
  );

  test.for<[title: string, message: string]>([
    ["a clock that does not exist", 'createSimulator: the option clock is "fast". It takes "manual"'],
    ["an option that does not exist", 'test.use({ simulator }) has no option "sed". The nearest is "seed".'],
    ["options that are a number", "test.use({ simulator }) takes its options as an object with seed, now"],
    ["a fault that does not exist", 'faults.add: kind is "processor.declin"; the nearest is "processor.decline"'],
    ["options that hold themselves", "test.use({ simulator }): the options cannot be written as JSON"],
    ["a name that no address can have", "The name of a world has 1 to 64 letters"],
    ["a port that does not exist", "test.use: the option simulatorPort is -1. It takes the port of the first worker"],
    ["a port that is taken", "The simulator of this worker cannot listen on port"],
  ])("%s is refused by its name", ([title, message]) => {
    const [attempt] = run.tests[title] ?? [];
    expect(attempt?.status).toBe("failed");
    expect(attempt?.errors[0]).toContain(message);
    expect(ofCentavo(attempt)).toEqual([]);
  });

  test("the line of the spec stands beside the error of a verb", () => {
    expect(run.output).toMatch(
      /> +\d+ \| +await checkoutPage\.pay\(await shop\.checkOut\("order-1"\), "pm_card_aproved"\)/,
    );
  });
});

test("workers run at the same time, each with a server and worlds of its own", async () => {
  const waiting: { readonly at: string; readonly response: ServerResponse }[] = [];
  const meeting = createServer((request, response) => {
    waiting.push({ at: new URL(request.url ?? "", "http://localhost").searchParams.get("at") ?? "", response });
    if (waiting.length < 2) return;
    const all = waiting.map(({ at }) => at).join(" ");
    for (const each of waiting.splice(0)) each.response.end(all);
  });
  meeting.listen(0, "127.0.0.1");
  await once(meeting, "listening");
  onTestFinished(() => void meeting.close());
  const { port } = meeting.address() as AddressInfo;
  const run = await runSpecs(folders["ES modules"], ["workers"], {
    MEETING: `http://127.0.0.1:${port}/`,
    CENTAVO_INSPECT: "1",
  });
  expect(run.code, run.output).toBe(0);
  expect(run.output.match(/Centavo inspector: http/g), "one inspector shows the worlds of all").toHaveLength(1);
  expect(everyAttempt(run)).toHaveLength(2);
});

test("a retry plays in a new world of the same name and the same ids, and so does each test of a serial suite", async () => {
  const run = await runSpecs(folders.CommonJS, ["retries", "--retries=1"]);
  expect(run.code, run.output).toBe(0);
  const [first, second, ...others] = run.tests["a retry has a new world with the same ids"] ?? [];
  expect(others).toEqual([]);
  expect([first, second].map((attempt) => attempt?.status)).toEqual(["failed", "passed"]);
  expect([first, second].map(ofCentavo)).toEqual([ATTACHED, []]);
  expect(second?.annotations["world"]).toBe(first?.annotations["world"]);
  expect(second?.annotations["session"]).toBe(first?.annotations["session"]);
});

test("a shop that Playwright starts once reaches the world of each test, also after a failure", async () => {
  const [simulatorPort, shopPort] = [await freePort(), await freePort()];
  const run = await runSpecs(folders["ES modules"], ["--config", "web-server"], {
    SIMULATOR_PORT: String(simulatorPort),
    SHOP_PORT: String(shopPort),
  });
  const outcomes = Object.values(run.tests).map((attempts) => attempts.map(({ status }) => status));
  expect(outcomes, run.output).toEqual([["passed"], ["failed"], ["passed"]]);
  for (const port of [simulatorPort, shopPort])
    await expect(fetch(`http://127.0.0.1:${port}`), "nothing listens any more").rejects.toThrow("fetch failed");
});

test("the blocks of the guide are a suite that passes", async () => {
  const cwd = folders["ES modules"];
  for (const { file, code } of examplesForPlaywright)
    writeFileSync(join(cwd, code.includes("\ntest(") ? file.replace(/ts$/, "spec.ts") : file), code);
  const run = await runSpecs(cwd, ["docs-guide-playwright"]);
  expect(run.code, run.output).toBe(0);
  expect(Object.keys(run.tests)).toEqual(["a book is paid by GCash"]);
});

function everyAttempt({ tests }: PlaywrightRun): readonly Attempt[] {
  return Object.values(tests).flat();
}

/** Returns the names of what Centavo attached. */
function ofCentavo(attempt: Attempt | undefined): readonly string[] {
  return Object.keys(attempt?.attachments ?? {}).filter((name) => name.startsWith("centavo"));
}
