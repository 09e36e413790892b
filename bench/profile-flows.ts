/**
 * A child process that runs a flow, and tells from a profile of it which of Centavo's files its time goes to. It runs the sources instead
 * of the build, because their files say what each function is for.
 */
import { Session } from "node:inspector/promises";
import type { Profiler } from "node:inspector/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answerParent, startChild } from "./child.ts";
import { microsecondsEach } from "./measure.ts";
import type { SendingFigures, SendingQuestion } from "./send-requests.ts";
import { stageOf } from "./stage-rules.ts";
import type { Stage } from "./stage-rules.ts";

/** The flows of which it knows the stages. */
export type ProfiledFlow = "sim.fetch" | "intercept" | "test" | "request" | "story" | "renewal" | "delivered renewal";

/** Microseconds of processor time of a flow without the profiler, and the share of each stage in the profile. */
export interface FlowProfile {
  readonly whole: number;
  readonly shares: readonly (readonly [Stage, number])[];
}

const CALLS = 3000;
const TESTS = 300;
const STORIES = 60;
const MONTHS = 12;
const SUBSCRIPTIONS = 1000;
const MICROSECONDS_BETWEEN_SAMPLES = 100;

const sources = join(import.meta.dirname, "../src");
registerHooks({
  resolve(specifier, context, next) {
    const entry = /^centavo(?:\/([a-z-]+))?$/.exec(specifier);
    return entry === null
      ? next(specifier, context)
      : { url: pathToFileURL(join(sources, `${entry[1] ?? "index"}.ts`)).href, shortCircuit: true };
  },
});

const { createSimulator } = await import("centavo");
const { intercept } = await import("centavo/node");
const { intentFlow, LOAD, REQUESTS_OF_THE_LOAD, tokenOf } = await import("./flow.ts");
const { liveMonths, subscribedWorld } = await import("./subscribed-world.ts");

async function callsThrough(way: "sim.fetch" | "intercept"): Promise<Flow> {
  const sim = createSimulator();
  if (way === "intercept") intercept(sim);
  const send = way === "intercept" ? (url: string, init: RequestInit) => fetch(url, init) : sim.fetch;
  const flow = intentFlow(send, sim.baseUrl, await tokenOf(sim));
  return () => microsecondsEach(CALLS, () => flow.run());
}

async function tests(): Promise<Flow> {
  const { runShopTest } = await import("./shop-test.ts");
  return () => microsecondsEach(TESTS, runShopTest);
}

/** The clients have a process of their own. */
async function requests(): Promise<Flow> {
  const { startServe } = await import("./start-serve.ts");
  const { url, login } = await startServe();
  const token = await login();
  const clients = startChild<SendingQuestion, SendingFigures>("send-requests.ts");
  const send = () => clients.ask({ url, token, ...LOAD });
  return async () => (await microsecondsEach(1, send)) / REQUESTS_OF_THE_LOAD;
}

async function stories(): Promise<Flow> {
  const { exam } = await import("centavo/exam");
  const { default: shop } = await import("../examples/express-shop/shop.exam.ts");
  const search = () => exam({ ...shop, budget: { stories: STORIES } });
  return async () => (await microsecondsEach(1, search)) / STORIES;
}

async function renewals(delivered: boolean): Promise<Flow> {
  const sim = await subscribedWorld({ subscriptions: SUBSCRIPTIONS, delivered });
  return async () => (await microsecondsEach(1, () => liveMonths(sim, MONTHS))) / (SUBSCRIPTIONS * MONTHS);
}

/** Runs a flow many times, and returns the microseconds of each. */
type Flow = () => Promise<number>;

const flows: Record<ProfiledFlow, () => Promise<Flow>> = {
  "sim.fetch": () => callsThrough("sim.fetch"),
  intercept: () => callsThrough("intercept"),
  test: tests,
  request: requests,
  story: stories,
  renewal: () => renewals(false),
  "delivered renewal": () => renewals(true),
};

answerParent(async (name): Promise<FlowProfile> => {
  const run = await flows[name as ProfiledFlow]();
  // The first run warms up.
  await run();
  const whole = await run();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: MICROSECONDS_BETWEEN_SAMPLES });
  await session.post("Profiler.start");
  await run();
  const { profile } = await session.post("Profiler.stop");
  return { whole, shares: sharesOf(profile) };
});

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): FlowProfile["shares"] {
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const stages = new Map(
    nodes.map((node) => {
      const frames: { readonly name: string; readonly url: string }[] = [];
      for (let at: Profiler.ProfileNode | undefined = node; at !== undefined; at = callers.get(at.id))
        frames.push({ name: at.callFrame.functionName, url: at.callFrame.url });
      return [node.id, stageOf(frames)];
    }),
  );
  const times = new Map<Stage, number>();
  for (const [index, id] of samples.entries()) {
    const stage = stages.get(id);
    if (stage !== undefined) times.set(stage, (times.get(stage) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].map(([stage, time]) => [stage, time / total]);
}
