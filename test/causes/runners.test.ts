import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { simulated } from "centavo/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { entries } from "../../scripts/entries.ts";
import { centavo } from "../cli/commands.ts";
import { reportIn } from "./shop.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".cache/failing-tests");
const run = promisify(execFile);

/** A shop that refuses every webhook, in the test of some runner. */
const refuses = `
  sim.connect("https://shop.example", () => new Response(null, { status: 401 }));
  const { id } = await client.paymentIntents.create({ amount: 49900 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();`;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("in vitest", () => {
  let printed = "";

  beforeAll(async () => {
    const aliases = entries.map(
      ({ name, source }) => `{ find: /^${name.replace("/", "\\/")}$/, replacement: "${join(root, source)}" }`,
    );
    write(
      "vitest.config.mjs",
      `export default { resolve: { alias: [${aliases.join(", ")}] }, test: { include: ["*.test.mjs"] } };`,
    );
    write(
      "failing.test.mjs",
      `import { withSimulator } from "centavo/vitest";
import { simulated } from "centavo/testing";
import { expect, test as base } from "vitest";
const options = { webhookUrl: "https://shop.example/hooks" };
const test = withSimulator(base, options);
let tries = 0;
test("compares", async ({ sim, client }) => {${refuses}
  expect({ status: sim.intents.get(id).status }).toEqual({ status: "paid" });
});
test("polls", { timeout: 2000 }, async ({ sim, client }) => {
  const { id } = await client.paymentIntents.create({ amount: 49900 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  while ((await client.paymentIntents.status(id)).status !== "succeeded") await new Promise((r) => setTimeout(r, 20));
});
base("by function", { timeout: 2000 }, simulated(options, async ({ sim, client }) => {
  sim.faults.add({ kind: "request.hang" });
  await client.paymentIntents.create({ amount: 49900 });
}));
test("is tried again", { retry: 1 }, async ({ sim }) => {
  tries += 1;
  expect(sim.clock.now()).toBe("try " + tries);
});
test.fails("is meant to fail", async ({ sim }) => expect(sim.clock.now()).toBe("never"));
test("passes", async ({ sim }) => expect(sim.clock.now()).toBeDefined());
`,
    );
    printed = await outputOf(join(root, "node_modules/.bin/vitest"), ["run", "--root", folder, "--no-color"]);
  });

  test("the report stands once below the message of an assertion, and above its difference", () => {
    const failure = sectionOf(printed, "failing.test.mjs > compares");
    expect(failure).toMatch(
      /AssertionError: expected [^\n]*\n\nLikely cause: 2 webhooks were refused with 401: [^]*\nReplay: npx centavo replay \.centavo\/\S+\.json\n\n- Expected/,
    );
    expect(failure.split("Likely cause:")).toHaveLength(2);
  });

  test("a test that takes too long is explained", () => {
    expect(sectionOf(printed, "failing.test.mjs > polls")).toMatch(
      /Test timed out in 2000ms\.[^]*\n\nLikely cause: your code asked GET \/api\/payment-intent\/\S+\/status \d+ times at /,
    );
    expect(sectionOf(printed, "failing.test.mjs > by function")).toMatch(
      /The test did not end within 2000 ms\..*\n\nLikely cause: POST \/oauth hangs because of a fault/,
    );
  });

  test("each try of a test has a report of its own", () => {
    const tried = printed.split("No likely cause found").length - 1;
    expect(tried).toBe(2);
  });

  test("only tests that failed leave a report and a recording, which git ignores and the printed command replays", async () => {
    const files = readdirSync(join(folder, ".centavo")).toSorted();
    const names = ["by-function", "compares", "is-tried-again", "polls"];
    expect(files).toEqual([
      ".gitignore",
      ...names.flatMap((name) =>
        ["html", "json"].map(
          (extension) => expect.stringMatching(new RegExp(`${name}-[0-9a-f]{8}\\.${extension}$`)) as string,
        ),
      ),
    ]);
    expect(readFileSync(join(folder, ".centavo/.gitignore"), "utf8")).toBe("*\n");
    const commands = [...new Set([...printed.matchAll(/^Replay: npx centavo (.*)$/gm)].map(([, words = ""]) => words))];
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      const [verb = "", path = ""] = command.split(" ");
      const { code, text } = await centavo(verb, join(folder, path));
      expect([code, text.split("\n").at(-1)]).toEqual([0, expect.stringMatching(/^the same run/)]);
    }
  });
});

test("in node:test the report stands in the error that its reporters print", async () => {
  write(
    "failing.mjs",
    `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { simulated } from "${join(root, "src/testing.ts")}";
describe("orders", () => test("is paid", simulated({ webhookUrl: "https://shop.example/hooks" }, async ({ sim, client }) => {${refuses}
  assert.equal(sim.intents.get(id).status, "paid");
})));
`,
  );
  const printed = await outputOf(process.execPath, ["--test", "--test-reporter=spec", "failing.mjs"]);
  expect(printed).toMatch(
    /Likely cause: pi_\w+ is "succeeded", [^\n]*\n[^\n]*Way out: [^\n]*\n[^\n]*Also: 2 webhooks were refused with 401: /,
  );
  expect(readdirSync(join(folder, ".centavo"))).toContainEqual(expect.stringMatching(/is-paid-[0-9a-f]{8}\.json$/));
});

describe("a runner that tells its limit", () => {
  const hangs = simulated({ recordings: false }, async ({ sim }) => {
    sim.faults.add({ kind: "request.hang" });
    await sim.fetch("/api/transactions");
  });

  test("by the context of a Mocha test", async () => {
    const context = { timeout: () => 300, test: { fullTitle: () => "orders are paid" } };
    const error = await hangs.call(context).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: "TEST_TIMED_OUT" });
    expect(reportIn(error as Error)[0]).toMatch(/^Likely cause: GET \/api\/transactions hangs/);
  });

  test("by what Jest keeps on the global object", async () => {
    const state = Symbol("JEST_STATE_SYMBOL");
    const block = { name: "orders", parent: { name: "ROOT_DESCRIBE_BLOCK" } };
    Reflect.set(globalThis, state, { currentlyRunningTest: { name: "are paid", parent: block }, testTimeout: 300 });
    const error = await hangs().catch((thrown: unknown) => thrown as Error);
    Reflect.deleteProperty(globalThis, state);
    expect((error as Error).message).toMatch(/^The test did not end within 300 ms\..*\n\nLikely cause: /);
  });

  test("is asked in vain where it has none", async () => {
    const ends = simulated({ recordings: false }, () => undefined);
    await ends.call({ timeout: () => 0 });
    await ends.call({ timeout: () => Number.POSITIVE_INFINITY });
  });
});

describe("a recording", () => {
  test("goes to the folder that the test names", async () => {
    const recordings = join(folder, "elsewhere/");
    const failing = simulated({ name: "Ünïcode: an order/ is paid?", recordings }, ({ sim }) => {
      throw new Error(sim.seed);
    });
    const error = await failing().catch((thrown: unknown) => thrown as Error);
    const path = /^Recording: (.*)$/m.exec((error as Error).message)?.[1] ?? "";
    expect(path.startsWith(join(folder, "elsewhere"))).toBe(true);
    expect(existsSync(path)).toBe(true);
    expect(path).toMatch(/\/[\w-]+-[0-9a-f]{8}\.json$/);
  });

  test("leaves the .gitignore of a folder that was there", async () => {
    const recordings = join(folder, "of-the-shop");
    mkdirSync(recordings);
    writeFileSync(join(recordings, ".gitignore"), "node_modules\n");
    const failing = simulated({ name: "a folder of the shop", recordings }, ({ sim }) => {
      throw new Error(sim.seed);
    });
    await expect(failing()).rejects.toThrow("Recording: ");
    expect(readdirSync(recordings)).toHaveLength(3);
    expect(readFileSync(join(recordings, ".gitignore"), "utf8")).toBe("node_modules\n");
  });

  test("is not written when the option says so, nor when the simulator records nothing", async () => {
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    const failing = (options: object): Promise<Error> =>
      simulated(options, ({ sim }) => {
        throw new Error(sim.clock.now());
      })().catch((thrown: unknown) => thrown as Error) as Promise<Error>;
    expect((await failing({ recordings: false })).message).not.toContain("Recording:");
    expect((await failing({ recording: false, recordings: join(folder, "none") })).message).toContain(
      "Recording: none, because sim.recording(): this simulator records nothing",
    );
    vi.restoreAllMocks();
  });

  test("that cannot be written leaves the rest of the report", async () => {
    write("a-file", "");
    const failing = simulated({ recordings: join(folder, "a-file") }, ({ sim }) => {
      throw new Error(sim.clock.now());
    });
    const error = await failing().catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toMatch(/No likely cause found[^]*Recording: none, because E/);
  });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

async function outputOf(command: string, words: readonly string[]): Promise<string> {
  const environment = {
    ...process.env,
    NO_COLOR: "1",
    NODE_OPTIONS: "",
    VITEST: undefined,
    NODE_TEST_CONTEXT: undefined,
  };
  const { stdout, stderr } = await run(command, [...words], {
    cwd: folder,
    env: environment,
  }).catch((failed: unknown) => failed as { stdout: string; stderr: string });
  return `${stdout}\n${stderr}`;
}

/** What a runner printed of one failed test. */
function sectionOf(printed: string, title: string): string {
  return printed.split(" FAIL  ").find((part) => part.startsWith(title)) ?? "";
}
