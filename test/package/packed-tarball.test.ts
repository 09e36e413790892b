import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { entries } from "../../scripts/entries.ts";
import type { Entry } from "../../scripts/entries.ts";
import { installPacked } from "../packed.ts";

const root = join(import.meta.dirname, "../..");
const inCommonJs = entries.filter((entry) => entry.commonjs);

interface Way {
  readonly way: string;
  readonly flag: string;
  readonly loadable: readonly Entry[];
  /** The expression that loads an entry. */
  readonly load: (name: string) => string;
}

const ways: readonly Way[] = [
  {
    way: "as an ES module",
    flag: "--input-type=module",
    loadable: entries,
    load: (name) => `await import("${name}")`,
  },
  {
    way: "with a require() that knows only CommonJS",
    flag: "--no-experimental-require-module",
    loadable: inCommonJs,
    load: (name) => `require("${name}")`,
  },
];

let consumer = "";
let installed = "";

beforeAll(() => {
  ({ folder: consumer, installed } = installPacked("consumer"));
});

// `npm run test:runtimes` runs this on the lowest Node, which has the fewest globals. There each entry loads in a process of its own: it must
// not need what another one loaded.
const alone = process.versions.node.startsWith("22.");

describe.for(ways)("$way", ({ flag, loadable, load }) => {
  const namesOf = (some: readonly Entry[]): unknown =>
    run(flag, `print({ ${some.map(({ name }) => `"${name}": Object.keys(${load(name)})`).join()} })`);
  let ofAll: unknown;
  beforeAll(() => {
    if (!alone) ofAll = namesOf(loadable);
  });

  test.for(loadable)("$name is loaded", (entry) => {
    expect(alone ? namesOf([entry]) : ofAll).toHaveProperty([entry.name, 0]);
  });
});

test("a run is reported from an ES module and from a CommonJS one", () => {
  const check = `createSimulator().report().then((html) => print(html.slice(0, 15)))`;
  expect(run("--input-type=module", `import { createSimulator } from "centavo"; ${check}`)).toBe("<!doctype html>");
  const script = `const { createSimulator } = require("centavo"); ${check}`;
  expect(run("--no-experimental-require-module", script)).toBe("<!doctype html>");
});

test("a story intercepts every client from a CommonJS module, and shares the interception with the test's own", () => {
  const script = `
    const { runScenario, scenario } = require("centavo/scenario"), https = require("node:https");
    const statusOf = (url) => new Promise((resolve, reject) => {
      https.get(url, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
    });
    const other = { baseUrl: "https://other.example", authUrl: "https://other.example", fetch: async () => new Response() };
    const story = scenario("asks", async ({ merchant }) => [
      await statusOf(merchant.baseUrl + "/.well-known/jwks.json"), await statusOf("https://other.example")].forEach((status) => {
      if (status !== 200) throw new Error("answered " + status);
    }));
    void (async () => {
      const { intercept } = await import("centavo/node");
      intercept(other);
      const { error } = await runScenario(story);
      print(String(error ?? "passed"));
    })();`;
  expect(run("--no-experimental-require-module", script)).toBe("passed");
});

test("an error thrown by one entry is an instance of another entry's class", () => {
  const check = `
    const thrown = await verifyWebhook({ headers: {}, body: "" }, "whsec").catch((error) => error);
    print(thrown instanceof CentavoError);`;
  const module = `import { CentavoError } from "centavo"; import { verifyWebhook } from "centavo/webhooks"; ${check}`;
  const script = `const { CentavoError } = require("centavo"), { verifyWebhook } = require("centavo/webhooks");
    void (async () => { ${check} })();`;
  expect(run("--input-type=module", module)).toBe(true);
  expect(run("--no-experimental-require-module", script)).toBe(true);
});

describe("the packed package", () => {
  test.for([
    [
      "an ES module",
      "--input-type=module",
      `import * as xstate from "xstate"; import * as machines from "centavo/machines";`,
    ],
    [
      "CommonJS",
      "--no-experimental-require-module",
      `const xstate = require("xstate"), machines = require("centavo/machines");`,
    ],
  ] as const)("has machines that the user's own XState runs, in %s", ([, flag, modules]) => {
    const moves = `
      const input = { at: 0, lifetime: 60_000, failedAttemptsAllowed: 3 };
      const states = Object.values(machines).map((machine) => {
        const [first] = xstate.initialTransition(machine, input);
        const [next] = xstate.transition(machine, first, { type: "nothing", at: 1 });
        return [first.value, next.value];
      });
      const actor = xstate.createActor(machines.paymentIntentMachine, { input }).start();
      print({ states, actor: actor.getSnapshot().value });
      actor.stop();`;
    const { states, actor } = run(flag, `${modules} ${moves}`) as {
      states: string[][];
      actor: string;
    };
    expect(states.length).toBeGreaterThan(3);
    for (const [first, next] of states) expect(next).toEqual(first);
    expect(actor).toBe("requires_payment_method");
  });

  test.for(["esm", "cjs"])("has the license of every package that its %s build holds", (format) => {
    const dist = join(installed, "dist", format);
    const code = globSync("**/*.js", { cwd: dist }).map((path) => readFileSync(join(dist, path), "utf8"));
    const held = code.flatMap((text) =>
      Array.from(text.matchAll(/^ *\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm), ([, name]) => name),
    );
    const licensed = readFileSync(join(dist, "licenses.md"), "utf8").matchAll(
      /^# (.+)\n\n(?=(?:(?!^# ).*\n)*?Permission (?:is hereby granted, free of charge|to use, copy, modify))/gm,
    );
    expect(held).not.toEqual([]);
    expect(Array.from(licensed, ([, name]) => name)).toEqual(
      [...new Set(held)].toSorted((left = "", right = "") => (left < right ? -1 : 1)),
    );
  });

  test("holds only the build and the documents, and names nothing of the machine it was built on", () => {
    const files = globSync("**/*.*", { cwd: installed }).map((path) => path.replaceAll("\\", "/"));
    const unexpected = files.filter(
      (path) =>
        !/^(dist\/.+\.(js|d\.ts|json)|dist\/(esm|cjs)\/licenses\.md|package\.json|docs\/.+\.(md|json|svg|png)|deploy\/kubernetes\/.+\.(yaml|cfg)|[A-Z]+\.md)$/.test(
          path,
        ),
    );
    const telltale = files.filter((path) => readFileSync(join(installed, path), "utf8").includes(root));
    expect({ unexpected, telltale }).toEqual({ unexpected: [], telltale: [] });
  });
});

/** Runs a script that imports the package in a separate process, and returns what it printed. */
function run(flag: string, script: string): unknown {
  const print = "const print = (value) => console.log(JSON.stringify(value));";
  const output = execFileSync(process.execPath, [flag, "--eval", `${print} ${script}`], {
    cwd: consumer,
    encoding: "utf8",
  });
  return JSON.parse(output);
}
