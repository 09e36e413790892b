import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { connectSimulator, createClient } from "centavo/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { writeExam } from "../cli/exam-folder.ts";
import { refusedCall, story } from "../cli/story-folder.ts";
import { freePort } from "../free-port.ts";
import { installPacked } from "../packed.ts";

let folder = "";
let installed = "";
/** A webhook handler that never answers. */
const silent = createServer(() => undefined);
let silentUrl = "";
/** A webhook handler that refuses everything, or takes everything. */
const handler = createServer((request, response) => {
  request.resume();
  response.statusCode = request.url === "/accept" ? 200 : 500;
  response.end();
});
let handlerUrl = "";

beforeAll(async () => {
  ({ folder, installed } = installPacked("commands"));
  const sim = createSimulator();
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  for (let payments = 0; payments < 20; payments += 1) await client.paymentIntents.create({ amount: 10_000 });
  const { digest, ...recording } = sim.recording();
  const files: Readonly<Record<string, string>> = {
    "passes.mjs": story(""),
    "visits.mjs": story('await stage.sim.visit("/accept", { method: "POST" });'),
    "fails.mjs": story('throw new Error("no");'),
    "run.json": JSON.stringify({ digest, ...recording }),
    "other.json": JSON.stringify({ digest: "0".repeat(64), ...recording }),
    "broken.exam.mjs": "export default 1;",
    "shaken.mjs": SHAKEN,
    "calls.json": JSON.stringify([refusedCall]),
    "wrong.assumptions.json": '{ "http.error-status": { "UNAUTHORIZED": 403 } }',
    "seen/all.coverage.jsonl": `${JSON.stringify({ centavo: manifest.version })}\n["states","payment_intent: succeeded"]\n`,
    "healthy/package.json": '{ "name": "healthy", "devDependencies": { "centavo": "*" } }',
    "empty/package.json": '{ "name": "empty" }',
    "empty/node_modules/centavo/package.json": '{ "name": "centavo", "version": "0.0.1" }',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeExam(folder, {});
  writeExam(folder, { name: "wrong.exam.ts", mistake: "fulfils each time" });
  for (const server of [silent, handler]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const urlOf = (server: typeof silent): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [silentUrl, handlerUrl] = [urlOf(silent), urlOf(handler)];
});
afterAll(() => {
  for (const server of [silent, handler]) server.close().closeAllConnections();
});

interface Ran {
  readonly code: number | null;
  readonly printed: string;
  readonly errors: string;
}

interface How {
  readonly env?: NodeJS.ProcessEnv;
  /** Interrupts the process, as Ctrl+C does, at the first turn after it listens to that. */
  readonly isInterrupted?: boolean;
}

/** A suite of one test, whose merchant counts each event as another parcel. */
const SHAKEN = `import { simulated } from "centavo/testing";
const url = "https://shop.example";
await simulated({ network: "fetch", name: "sells" }, async ({ sim, client }) => {
  let parcels = 0;
  sim.connect(url, async (request) => {
    const { status } = await request.json();
    if (status === "completed") parcels += 1;
    return new Response();
  });
  const contact = { name: "Ana Cruz", email: "ana@customer.example" };
  const pages = { returnUrl: url + "/thanks", webhookUrl: url + "/hooks" };
  const { checkoutUrl } = await client.checkout.create({ externalId: "order-1", amount: 10000, description: "Shoes", contact, ...pages });
  await sim.customer.pay(checkoutUrl, "pm_card_approved");
  await sim.clock.settle();
  if (parcels !== 1) throw new Error(parcels + " parcels");
})();
`;

const INTERRUPT = `process.on("newListener",(n)=>n==="SIGINT"&&setImmediate(()=>process.kill(process.pid,"SIGINT")))`;

/** Runs the program of the packed tarball. */
async function centavo(args: readonly string[], { env = {}, isInterrupted = false }: How = {}): Promise<Ran> {
  const before = isInterrupted ? ["--import", `data:text/javascript,${INTERRUPT}`] : [];
  const { NO_COLOR: _, FORCE_COLOR: __, ...own } = process.env;
  const child = spawn(process.execPath, [...before, program(), ...args], { cwd: folder, env: { ...own, ...env } });
  let [printed, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed, errors };
}

function program(): string {
  return join(installed, "dist/esm/cli/main.js");
}

/** The token of a story of an exam, in which nothing goes wrong. */
const STORY = btoa(JSON.stringify({ flow: "order approved" })).replaceAll("=", "");
const events = ["--only", "events-twice", "--max-runs", "4"] as const;
const secret = ["--secret", "whsec_c2VjcmV0"] as const;

/** Each exit code of each command that the documents name, and what leads there. */
const rows: readonly (readonly [command: string, code: number, args: () => readonly string[], how?: How])[] = [
  ["run", 0, () => ["run", "passes.mjs", "--way", "memory"]],
  ["run", 1, () => ["run", "fails.mjs"]],
  ["run", 2, () => ["run", "nothing"]],
  ["run", 130, () => ["run", "passes.mjs"], { isInterrupted: true }],
  ["exam", 0, () => ["exam", "shop.exam.ts", "--replay", STORY]],
  ["exam", 1, () => ["exam", "wrong.exam.ts", "--stories", "150", "--failures", "1"]],
  ["exam", 2, () => ["exam", "broken.exam.mjs"]],
  ["exam", 3, () => ["exam", "shop.exam.ts", "--stories", "1", "--report", "shards/3.json"]],
  ["exam merge", 0, () => ["exam", "merge", verdict("0.json", {})]],
  ["exam merge", 1, () => ["exam", "merge", verdict("1.json", { failures: [FAILURE] })]],
  ["exam merge", 2, () => ["exam", "merge", "run.json"]],
  ["exam merge", 3, () => ["exam", "merge", verdict("3.json", { endedEarly: ["The search was interrupted."] })]],
  ["shake", 0, () => ["shake", ...events, "--fail-on", "money", "--", process.execPath, "shaken.mjs"]],
  ["shake", 1, () => ["shake", ...events, "--", process.execPath, "shaken.mjs"]],
  ["shake", 2, () => ["shake", "--", process.execPath, "--version"]],
  [
    "shake",
    130,
    () => ["shake", "--", process.execPath, "-e", "setInterval(() => undefined, 1000)"],
    { isInterrupted: true },
  ],
  ["replay", 0, () => ["replay", "run.json"]],
  ["replay", 1, () => ["replay", "other.json"]],
  ["replay", 2, () => ["replay", "none.json"]],
  ["replay", 130, () => ["replay", "run.json"], { isInterrupted: true }],
  ["report", 0, () => ["report", "run.json"]],
  ["report", 1, () => ["report", "other.json"]],
  ["report", 2, () => ["report", "run.json", "--out", "run.json/report.html"]],
  ["report", 130, () => ["report", "run.json"], { isInterrupted: true }],
  ["coverage", 0, () => ["coverage", "seen"]],
  ["coverage", 1, () => ["coverage", "seen", "--threshold", "states=90"]],
  ["coverage", 2, () => ["coverage", "nowhere"]],
  ["record", 2, () => ["record", "--to", "nowhere"]],
  ["calibrate", 0, () => ["calibrate", "calls.json"]],
  ["calibrate", 1, () => ["calibrate", "calls.json", "--check", "--out", "wrong.assumptions.json"]],
  ["calibrate", 2, () => ["calibrate", "none.har"]],
  ["trigger", 0, () => ["trigger", "checkout.completed", ...secret, "--to", `${handlerUrl}/accept`]],
  ["trigger", 1, () => ["trigger", "checkout.completed", ...secret, "--to", `${handlerUrl}/refuse`]],
  ["trigger", 2, () => ["trigger", "checkout.completed", ...secret, "--to", "nowhere"]],
  ["trigger", 130, () => ["trigger", "checkout.completed", ...secret, "--to", silentUrl], { isInterrupted: true }],
  ["doctor", 0, () => ["doctor", "--directory", "healthy", "--port", "0"]],
  ["doctor", 1, () => ["doctor", "--directory", "empty", "--port", "0"]],
  ["doctor", 2, () => ["doctor", "--port", "0", "--", "no-such-command"]],
  [
    "doctor",
    130,
    () => ["doctor", "--port", "0", "--", process.execPath, "-e", "setInterval(() => undefined, 1000)"],
    { isInterrupted: true },
  ],
];

test.for(rows)("%s exits with %i, and its JSON says so", async ([, code, args, how]) => {
  const words = args();
  const end = words.indexOf("--");
  const ran = await centavo(words.toSpliced(end === -1 ? words.length : end, 0, "--json"), how);
  expect(ran.code, ran.errors).toBe(code);
  if (code === 130 && ran.printed === "") return;
  const document = JSON.parse(ran.printed) as Readonly<Record<string, unknown>>;
  expect(document).toMatchObject({ centavo: manifest.version, exitCode: code, passed: code === 0 });
  expect(ran.printed).not.toContain("\u001B");
});

test.for<[code: number, what: string, merchant: () => string]>([
  [1, "never calls", () => handlerUrl],
  [2, "does not listen", () => "http://127.0.0.1:1"],
])("run --merchant exits with %i for a shop that %s, and its JSON says so", async ([code, , merchant]) => {
  const ran = await centavo([
    "run",
    "visits.mjs",
    "--merchant",
    merchant(),
    "--port",
    String(await freePort()),
    "--json",
  ]);
  expect(ran.code, ran.errors).toBe(code);
  expect(JSON.parse(ran.printed)).toMatchObject({ exitCode: code, passed: false });
});

describe("centavo completion", () => {
  test.for(["bash", "zsh", "fish"])("exits with 0 and prints a script for %s", async (shell) => {
    const { code, printed } = await centavo(["completion", shell]);
    expect(code).toBe(0);
    expect(printed).toContain("centavo complete -- ");
  });

  test("exits with 2 for another shell", async () => {
    const { code, errors } = await centavo(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(errors).toContain("Allowed choices are bash, zsh, fish.");
  });

  test.for([
    [["re"], ["replay", "report", "record"]],
    [
      ["run", "--way", ""],
      ["intercept", "memory", "socket"],
    ],
    [["exam", "mer"], ["merge"]],
    [["trigger", "subscription.p"], ["subscription.past_due"]],
    [["replay", "r"], ["run.json"]],
    [["run", "pas"], ["passes.mjs"]],
  ] as const)("completes %j", async ([words, expected]) => {
    const { printed } = await centavo(["complete", "--", ...words]);
    const offered = printed.split("\n").filter((line) => line.includes("\t"));
    expect(offered.map((line) => line.split("\t")[0])).toEqual(expected);
  });
});

describe("centavo serve", () => {
  test("exits with 0 when it is stopped", async () => {
    const { child } = await serving();
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test("exits with 1 when its story fails", async () => {
    expect((await centavo(["serve", "--port", "0", "--story", "fails.mjs"])).code).toBe(1);
  });

  test("exits with 2 for a wrong option, and its JSON says so", async () => {
    const { code, printed } = await centavo(["serve", "--json", "--port", "many"]);
    expect(code).toBe(2);
    expect(JSON.parse(printed)).toMatchObject({ exitCode: 2, code: "commander.invalidArgument" });
  });

  test.for([
    [3, 1],
    [130, 2],
  ] as const)("exits with %i when something is left after %i signals", async ([code, signals]) => {
    const { child, greeting } = await serving();
    const fault = await connectSimulator(greeting.url, { token: greeting.controlToken }).faults.add({
      kind: "request.hang",
    });
    const broken = expect(
      createClient({ ...greeting.credentials, baseUrl: greeting.url }).plans.list(),
    ).rejects.toThrow();
    await fault.struck();
    child.kill("SIGINT");
    if (signals === 2) {
      // It refuses new requests once it has heard the first one.
      while ((await fetch(`${greeting.url}/_centavo/ready`).catch(() => undefined))?.status === 200);
      child.kill("SIGINT");
    }
    expect(await once(child, "close")).toEqual([code, null]);
    await broken;
  });
});

interface Greeting {
  readonly url: string;
  readonly controlToken: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
}

/** Starts a server, which ends with the test. */
async function serving(...options: string[]) {
  const child = spawn(process.execPath, [program(), "serve", "--port", "0", "--json", ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, greeting: JSON.parse(line.toString()) as Greeting };
}

describe("the documents", () => {
  test("name no exit code that was not provoked here", () => {
    const page = readFileSync(join(installed, "docs/reference/commands.md"), "utf8");
    const documented = Array.from(
      page.matchAll(/^\| `centavo ([a-z ]+)` \| (\d+)(?: \+ signal)? \|/gm),
      ([, name = "", code = ""]) => `${name} ${code === "128" ? 130 : code}`,
    );
    const here = rows.map(([name, code]) => `${name} ${code}`);
    const above = ["completion 0", "completion 2", ...[0, 1, 2, 3, 130].map((code) => `serve ${code}`)];
    // test/traffic/record-process.test.ts
    above.push(...[0, 3, 130].map((code) => `record ${code}`));
    expect(documented.length).toBeGreaterThan(30);
    expect(documented.toSorted()).toEqual([...here, ...above].toSorted());
  });

  test("of the package have every page that a help names", async () => {
    const names = [...new Set(rows.map(([name]) => name)), "serve", "completion"];
    for (const name of names) {
      const { code, printed } = await centavo([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      for (const part of ["Usage: ", "\nExamples:\n", "\nExit codes:\n", "\nRead on: "])
        expect(printed, name).toContain(part);
      const pages = Array.from(printed.matchAll(/docs\/[\w/-]+\.md/g), ([page]) => page);
      expect(pages.filter((page) => !existsSync(join(installed, page)))).toEqual([]);
      expect(pages, name).not.toEqual([]);
    }
  });
});

test.for([
  [["rum"], "error: unknown command 'rum'\n(Did you mean run?)\n"],
  [["run", "--jsn"], "error: unknown option '--jsn'\n(Did you mean --json?)\n"],
  [["replay"], "error: missing required argument 'recording'\n"],
  [["run", "--way", "pigeon"], "Allowed choices are intercept, memory, socket.\n"],
] as const)("%j exits with 2 and says what was probably meant", async ([args, message]) => {
  const { code, printed, errors } = await centavo(args);
  expect({ code, printed }).toEqual({ code: 2, printed: "" });
  expect(errors).toContain(message);
});

describe("colours", () => {
  test.for<[env: NodeJS.ProcessEnv, isColoured: boolean]>([
    [{}, false],
    [{ FORCE_COLOR: "1" }, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    [{ FORCE_COLOR: "0" }, false],
  ])("of a pipe with %j: %s", async ([env, isColoured]) => {
    for (const args of [
      ["coverage", "nowhere"],
      ["run", "--help"],
      ["doctor", "--directory", "empty", "--port", "0"],
    ])
      expect((await centavo(args, { env })).printed.includes("\u001B"), args.join(" ")).toBe(isColoured);
  });
});

test("a reader that ends early gets what it wants, and no error is printed", () => {
  const { stdout, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${program()}" serve --help | head -n 1`], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "Usage: centavo serve [options]\n", stderr: "" });
});

const FAILURE = {
  law: "paid-once",
  sentence: "An order is paid once.",
  story: ["Ana orders."],
  what: "It was paid twice.",
  remedy: "Pay it once.",
  token: STORY,
  digest: "0".repeat(64),
  timeline: "",
  number: 1,
  others: [],
  count: 1,
};

/** Writes the report of an exam that has one shard, and returns its name. */
function verdict(name: string, changed: object): string {
  const lists = {
    failures: [],
    warnings: [],
    endedEarly: [],
    neverReached: [],
    off: [],
    onlyWarn: [],
    missingActs: [],
  };
  const tables = { flows: {}, flowsNotPlayed: [], troubles: {}, neverStruck: {}, notTried: {}, moves: {}, events: {} };
  const exam = {
    file: "shop.exam.ts",
    shard: { index: 1, of: 1 },
    pace: { storiesPerSecond: 1, seconds: 1, merchantShare: 0.5 },
    verdict: {
      ...lists,
      stories: 1,
      left: { flows: 0, stories: 0 },
      seed: 1,
      unjudged: {},
      leftOut: {},
      coverage: { ...tables, eventsWithoutAddress: 0, errors: {} },
      digest: "0".repeat(64),
      ...changed,
    },
  };
  const report = { centavo: manifest.version, exams: [exam], notExamined: [] };
  writeFileSync(join(folder, name), JSON.stringify(report));
  return name;
}
