import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { entries } from "../../scripts/entries.ts";
import type { Entry } from "../../scripts/entries.ts";
import { byNight, isNight } from "../by-night.ts";

const root = join(import.meta.dirname, "../..");
const consumer = join(root, ".cache/types");
const run = promisify(execFile);
const inConsumer = { cwd: consumer, maxBuffer: 2 ** 26 };
/** Under `exactOptionalPropertyTypes` XState's own declarations have errors, and `centavo/machines` names them. */
const ofXState = "errors in XState's own declarations alone";

/** The oldest compiler that the declarations are for, the oldest that those of msw and vitest are for, and the two newest. */
const compilers: Readonly<Record<string, Compiler>> = {
  "TypeScript 5.5": { path: "installs/compilers/5.5/node_modules/typescript", peers: false },
  "TypeScript 5.9": { path: "installs/compilers/5.9/node_modules/typescript", peers: true },
  "TypeScript 6": { path: "node_modules/@typescript/typescript6", peers: true },
  "TypeScript 7": { path: "node_modules/typescript", peers: true, native: true },
};

interface Compiler {
  readonly path: string;
  /** Whether the declarations of the peers are for it. */
  readonly peers: boolean;
  /** Whether it is a program of its own, and starts fast. */
  readonly native?: boolean;
}

const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  node16: { module: "node16", moduleResolution: "node16" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};
/** What `"module": "commonjs"` means to compilers before TypeScript 6: they read no `exports`. */
const withoutExports = { module: "commonjs", moduleResolution: "node10" };
/** What a consumer may have or not: `exactOptionalPropertyTypes`, and `@types/node`. */
const settings = [
  { exact: true, node: true },
  { exact: false, node: false },
  { exact: true, node: false },
  { exact: false, node: true },
];

const withPeer = entries.filter(({ esmOnlyPeer }) => esmOnlyPeer !== undefined);
/** Playwright's own declarations need `@types/node`. */
const isPlaywright = ({ name }: Entry): boolean => name === "centavo/playwright";
const alone = entries.filter((entry) => entry.esmOnlyPeer === undefined && !isPlaywright(entry));

/** What both builds declare has to be one type. A mode of resolution asks for each of them. */
const sameTypes = `
import type { CentavoError, Clock, Customer, Simulator } from "centavo" with { "resolution-mode": "import" };
import type * as required from "centavo" with { "resolution-mode": "require" };
import type { ServiceError } from "centavo/client" with { "resolution-mode": "import" };
import type * as requiredClient from "centavo/client" with { "resolution-mode": "require" };

type Both<Left, Right> = [(left: Left) => Right, (right: Right) => Left];
const same = <Type,>(value: Type): Type => value;
export const simulators: Both<Simulator, required.Simulator> = [same, same];
export const clocks: Both<Clock, required.Clock> = [same, same];
export const customers: Both<Customer, required.Customer> = [same, same];
export const errors: Both<CentavoError, required.CentavoError> = [same, same];
export const serviceErrors: Both<ServiceError, requiredClient.ServiceError> = [same, same];
`;

const usage = `
import { CentavoError, createSimulator, testMethods } from "centavo";
import { createClient, ServiceError } from "centavo/client";

export async function use(): Promise<string | undefined> {
  const sim = createSimulator({ seed: 42, clock: "manual", assumptions: { "checkout.lifetime": "30 minutes" } });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  sim.connect("https://one.example", async (request) => new Response(await request.text()));
  sim.faults.add({ kind: "response.lost", route: "payment-intent.create", times: 1 });
  const status: string = (await client.paymentIntents.create({ amount: 10000 })).status;
  // @ts-expect-error An amount is a number.
  await client.paymentIntents.create({ amount: "10000" });
  // @ts-expect-error There is no such kind of fault.
  sim.faults.add({ kind: "response.found" });
  for (const input of sim.recording().inputs) if (input.kind === "cancel") return input.intent;
  const thrown: unknown = status;
  if (thrown instanceof CentavoError) return thrown.code;
  if (thrown instanceof ServiceError) return thrown.redirectUrl;
  return sim.intents.last()?.status ?? testMethods[0]?.id;
}
`;

const remote = `
import { CentavoError, connectSimulator } from "centavo/client";
import type { Fault, IntentView, RemoteSimulator, Snapshot } from "centavo/client";

export async function use(token: string): Promise<string> {
  const sim: RemoteSimulator = connectSimulator("http://127.0.0.1:4010", { token });
  const { clientId } = await sim.credentials;
  const intent: IntentView | undefined = await sim.intents.last({ status: "succeeded" });
  const planned: Fault = { kind: "response.lost", route: "payment-intent.create", times: 1 };
  const hits: number = await (await sim.faults.add(planned)).hits;
  const world = await sim.make.world({ subscriptions: [{ status: "past_due" }] });
  const [event] = await sim.webhooks.events({ type: "payment_intent.succeeded" });
  const snapshot: Snapshot = await sim.snapshot();
  await sim.restore(snapshot);
  await sim.clock.advanceUntil(async () => (await sim.clock.now()) > "2026-02", { limit: "1 year" });
  // @ts-expect-error There is no such kind of fault.
  await sim.faults.add({ kind: "response.found" });
  // @ts-expect-error Only the process of a simulator has its apps.
  sim.connect("https://one.example", async () => new Response());
  const fork = await sim.fork({ name: "checkout-1" });
  const thrown: unknown = hits;
  if (thrown instanceof CentavoError) return thrown.code;
  return intent?.status ?? event?.body.type ?? world.subscriptions[0].id + clientId + (await fork.seed);
}
`;

/** Only with `@types/node` are the parameters of a listener known. */
const listening = `
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSimulator } from "centavo";

const sim = createSimulator();
sim.connect("https://one.example", (request, response) => {
  [request, response] satisfies [IncomingMessage, ServerResponse];
  response.end(request.url);
});
// @ts-expect-error A message has no text().
sim.connect("https://one.example", (request, response) => response.end(request.text()));
sim.connect("https://one.example", (request) => new Response((request satisfies Request).url));
// @ts-expect-error A fetch handler returns a response.
sim.connect("https://one.example", (request) => request.url);
sim.connect("https://two.example", createServer());
`;

const withFaker = `
import { en, Faker } from "@faker-js/faker";
import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";

fixtures(createSimulator(), { faker: new Faker({ locale: en }) }).contact().email.trim();
// @ts-expect-error A locale is no Faker.
fixtures(createSimulator(), { faker: en });
`;

const inPlaywright = `
import { expect, test as base } from "centavo/playwright";
import type { PaymentService } from "centavo/playwright";

const test = base.extend<{ shop: string }>({
  shop: async ({ paymentService }, use) => use((paymentService satisfies PaymentService).baseUrl),
});
test.use({ simulator: { now: "2026-03-31T12:00:00Z" }, simulatorWorld: "shop" });
// @ts-expect-error There is no such clock.
test.use({ simulator: { clock: "fast" } });
test("an order is paid", async ({ page, sim, shop, payUrl, checkoutPage, challengePage }) => {
  await page.goto(shop);
  await checkoutPage.pay(await payUrl("order-1"), "gcash");
  const { status, redirectedTo } = await challengePage.authenticate();
  [status, redirectedTo] satisfies [string, string | undefined];
  await sim.clock.settle();
  await expect("order-1").toHaveStatus("completed", { sim });
  await expect(sim).toHaveDelivered("checkout.completed", {}, { times: 1 });
  await expect(page).toHaveTitle("Paid");
  // @ts-expect-error No resource has this status.
  await expect("order-1").toHaveStatus("payed");
});
`;

const importing = (some: readonly Entry[]): string =>
  some.map(({ name }, index) => `export * as entry${index} from "${name}";\n`).join("");

const files: Readonly<Record<string, string>> = {
  "alone.mts": importing(alone),
  "script.cts": importing(entries.filter((entry) => entry.commonjs && !isPlaywright(entry))),
  "usage.mts": usage,
  "script-usage.cts": usage,
  "remote.mts": remote,
  "script-remote.cts": remote,
  "same-types.mts": sameTypes,
  "listening.mts": listening,
  "faker.mts": withFaker,
  "playwright.mts": inPlaywright,
  "script-playwright.cts": inPlaywright,
  "peers.mts": importing(withPeer),
};

beforeAll(() => {
  if (!existsSync(join(root, "dist/types")))
    throw new Error("There are no declarations yet: run `npm run build` first.");
  rmSync(consumer, { recursive: true, force: true });
  const installed = join(consumer, "node_modules", manifest.name);
  cpSync(join(root, "dist"), join(installed, "dist"), {
    recursive: true,
    filter: (path) => !path.endsWith(".js"),
  });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  const packages = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies), "@types/node"];
  for (const name of packages) {
    const link = join(consumer, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    const others = name === "expect" ? "test/beside/node_modules" : "node_modules";
    symlinkSync(join(root, others, name), link);
  }
  write("package.json", { name: "consumer", private: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(consumer, name), text);
});

/**
 * The settings in which a compiler meets a resolution. By night the native one meets all. The others, and by day each, meet one of them, in
 * turn: every compiler and every resolution meets three.
 */
function settingsOf({ native = false }: Compiler, turn: number): typeof settings {
  return native && isNight ? settings : settings.filter((_each, index) => index === turn % settings.length);
}

const compilersInTurn = Object.entries(compilers).map(([name, compiler], turn) => ({ name, compiler, turn }));
const resolutionsInTurn = Object.entries(resolutions).map(([resolution, options], turn) => ({
  resolution,
  options,
  turn,
}));

describe.concurrent.for(compilersInTurn)("the declarations are clean for $name", ({ name, compiler, turn }) => {
  // By day each of the slow compilers meets one resolution, in turn.
  const met = resolutionsInTurn.filter((one) => isNight || compiler.native === true || one.turn === turn % 3);
  test.for(met)("under $resolution", async (one, context) => {
    const { resolution, options } = one;
    const inSettings = settingsOf(compiler, turn + one.turn);
    const projects = inSettings.map(({ exact, node }) => {
      const project = `${name.replace(" ", "-")}-${resolution}-${exact ? "exact" : "loose"}-${node ? "node" : "web"}.json`;
      write(project, {
        compilerOptions: {
          ...options,
          exactOptionalPropertyTypes: exact,
          types: node ? ["node"] : [],
          target: "es2022",
          strict: true,
          skipLibCheck: false,
          // The compiler's own declarations are no concern of this package.
          skipDefaultLibCheck: true,
          noEmit: true,
        },
        files: Object.keys(files).filter(
          (file) => (compiler.peers || file !== "peers.mts") && (node || !/^listening|playwright/.test(file)),
        ),
      });
      return project;
    });
    const problems = await (compiler.native ? problemsOfNative : problemsOf)(compiler.path, projects);
    const expected = inSettings.map(({ exact }) => (exact ? [ofXState] : []));
    context.expect(problems.map(withoutXState)).toEqual(expected);
  });
});

test.for(["TypeScript 5.5", ...byNight(["TypeScript 5.9"])])(
  "the declarations are clean for %s in CommonJS",
  async (name, context) => {
    const project = `${name.replace(" ", "-")}-commonjs.json`;
    write(project, {
      compilerOptions: {
        ...withoutExports,
        types: ["node"],
        target: "es2022",
        strict: true,
        // The declarations of zod have errors without it.
        esModuleInterop: true,
        skipDefaultLibCheck: true,
        noEmit: true,
      },
      files: ["script.cts", "script-usage.cts", "script-remote.cts", "script-playwright.cts"],
    });
    context.expect(await problemsOf(compilers[name]?.path ?? "", [project])).toEqual([[]]);
  },
);

/** What a compiler written in JavaScript says of each project. */
async function problemsOf(compiler: string, projects: readonly string[]): Promise<string[][]> {
  const program = join(import.meta.dirname, "compile.ts");
  const { stdout } = await run(process.execPath, [program, join(root, compiler), ...projects], inConsumer);
  return JSON.parse(stdout) as string[][];
}

/** What the native compiler says of each project. */
async function problemsOfNative(compiler: string, projects: readonly string[]): Promise<string[][]> {
  const problems: string[][] = [];
  for (const project of projects) {
    const command = [join(root, compiler, "bin/tsc"), "--project", project, "--pretty", "false"];
    const output = await run(process.execPath, command, inConsumer).then(
      () => "",
      (error: unknown) => (error as { readonly stdout: string }).stdout || String(error),
    );
    // What is indented continues the line above.
    problems.push(output.split("\n").filter((line) => /^\S/.test(line)));
  }
  return problems;
}

/** Puts one line in the place of all that a compiler says of XState's own declarations. */
function withoutXState(problems: readonly string[]): string[] {
  return [...new Set(problems.map((line) => (/^(?:\.\.\/)*node_modules\/xstate\//.test(line) ? ofXState : line)))];
}

function write(file: string, content: object): void {
  writeFileSync(join(consumer, file), JSON.stringify(content));
}
