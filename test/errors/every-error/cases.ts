import { vi } from "vitest";
import { createSimulator, replay } from "centavo";
import { openApiDocument } from "centavo/openapi";
import type { CentavoErrorCode, Recording, Simulator } from "centavo";
import { createClient } from "centavo/client";
import { fakeDate, fakeTimers, intercept } from "centavo/node";
import { runScenario, scenario } from "centavo/scenario";
import { simulated } from "centavo/testing";
import { signWebhook, verifyWebhook } from "centavo/webhooks";
import { readTraffic } from "../../../src/traffic/read-traffic.ts";
import { ParcelWorld } from "../../engine/parcels.ts";
import { Merchant } from "../../merchant.ts";
import { HOOKS } from "../../merchant/requests.ts";
import type { Cause, Causes } from "./cause.ts";
import { clockCauses } from "./clock-cases.ts";
import { commandCauses } from "./command-cases.ts";
import { examCauses } from "./exam-cases.ts";
import { fixtureCauses } from "./fixture-cases.ts";
import { matcherCauses } from "./matcher-cases.ts";
import { networkCauses } from "./network-cases.ts";
import { remoteCauses } from "./remote-cases.ts";
import { runMerchantCauses } from "./run-merchant-cases.ts";
import { serverCauses } from "./server-cases.ts";
import { serviceCauses } from "./service-cases.ts";
import { testingCauses } from "./testing-cases.ts";
import { trafficCauses } from "./traffic-cases.ts";
import { triggerCauses } from "./trigger-cases.ts";
import { webhookCauses } from "./webhook-cases.ts";
import { worldCauses } from "./world-cases.ts";

const nothing = scenario("nothing happens", () => undefined);
const hosted = async (sim: Simulator): Promise<string> =>
  (await (await Merchant.of(sim)).createCheckout())["checkoutUrl"];
const paid = async (sim: Simulator): Promise<string> => (await Merchant.of(sim)).pay({});
const clientOptions = ({ baseUrl, credentials, fetch }: Simulator) => ({ baseUrl, fetch, ...credentials });
const webhook = (sim: Simulator, body = "{}", timestamp = 0) => ({
  body,
  headers: signWebhook({
    scheme: "paymongo",
    secret: sim.credentials.webhookSecret,
    body,
    eventId: "evt_1",
    timestamp,
  }),
});
const changed = async (change: (recording: Recording) => void): Promise<unknown> => {
  const merchant = await Merchant.open();
  await merchant.createIntent();
  const recording = merchant.sim.recording();
  change(recording);
  return replay(recording);
};
const inProduction = (act: () => unknown): void => {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    act();
  } finally {
    process.env["NODE_ENV"] = before;
  }
};

/** What causes each error, by its code. The compiler asks for the codes that have none. */
const causes: Readonly<Record<CentavoErrorCode, Readonly<Record<string, Cause>>>> = {
  CLOCK_AUTO_FAILED: {
    "clock.settle() after a listener failed under the auto clock": async () => {
      const merchant = await Merchant.open({ clock: "auto" });
      merchant.sim.clock.onMove(() => {
        throw new Error("the listener broke");
      });
      await merchant.pay({ webhookUrl: HOOKS });
      await merchant.createIntent();
      await merchant.sim.clock.settle();
    },
  },
  CLOCK_BACKWARDS: {
    'clock.advance("-1 day")': ({ clock }) => clock.advance("-1 day"),
    "clock.advanceTo a moment in the past": ({ clock }) => clock.advanceTo("2025-12-31"),
    'clock.timeout("-1 s")': ({ clock }) => clock.timeout("-1 s"),
  },
  CLOCK_BUSY: {
    "clock.advance while it advances": ({ clock }) => Promise.all([clock.advance("1 day"), clock.advance("1 day")]),
  },
  CLOCK_LIMIT: {
    "clock.advanceUntil what never comes": ({ clock }) => clock.advanceUntil(() => false, { limit: "1 day" }),
    "a sleep of no time in a loop": async ({ clock }) => {
      const looping = (async () => {
        for (;;) await clock.sleep({ seconds: 0 });
      })();
      looping.catch(() => undefined);
      await clock.settle();
    },
  },
  CLOCK_TIMER_FAILED: {
    "a timer that throws": async () => {
      const world = new ParcelWorld();
      world.onRing(() => {
        throw new RangeError("the rope tore");
      });
      world.engine.unit(() => world.ringAt(10, "broken"));
      await world.clock.advance("1 s");
    },
  },
  INTERCEPTION_CONFLICT: {
    "intercept(sim) and another service at the same address": (sim) => {
      using _first = intercept(sim);
      intercept({ baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch: async () => new Response() });
    },
    "fakeDate(sim) twice": (sim) => {
      using _first = fakeDate(sim);
      fakeDate(sim);
    },
    "fakeTimers(sim) of two simulators": (sim) => {
      using _first = fakeTimers(sim);
      fakeTimers(createSimulator());
    },
    "a library replaces the Date of fakeDate(sim)": async (sim) => {
      const { Date: real } = globalThis;
      using _first = fakeDate(sim);
      const { Date: held } = globalThis;
      globalThis.Date = real;
      try {
        await sim.clock.settle();
      } finally {
        globalThis.Date = held;
      }
    },
    "fake timers replace the Date of fakeDate(sim)": async (sim) => {
      using _first = fakeDate(sim);
      vi.setSystemTime("2026-05-01");
      try {
        await sim.clock.settle();
      } finally {
        vi.useRealTimers();
      }
    },
  },
  INTERCEPTION_REFUSED: {
    "intercept(sim) in production": (sim) => inProduction(() => intercept(sim)),
  },
  INVALID_ASSUMPTION: {
    "an unknown id": () => createSimulator({ assumptions: { "checkout.lifetme": "1 hour" } as never }),
    "a fixed one": () => createSimulator({ assumptions: { "checkout.payment": "none" } as never }),
    "two operations at one path": () =>
      createSimulator({ assumptions: { "auth.paths": { registration: "/api/checkout" } } }),
    "createClient: a path that cannot be called": (sim) =>
      createClient({ ...clientOptions(sim), assumptions: { "auth.paths": { token: "token" } } }),
    "a wrong value": () => createSimulator({ assumptions: { "webhook.order": "paralel" as never } }),
    "a template with a placeholder that there is not": () =>
      createSimulator({ assumptions: { "http.envelope": { result: "{dta}" } } }),
    "a template without what it has to hold": () =>
      createSimulator({ assumptions: { "http.error-body": { error: "{message}" } } }),
    "createClient: a template that cannot be read": () =>
      createClient({
        baseUrl: "https://api.pay.example",
        clientId: "ci",
        clientSecret: "csec",
        assumptions: { "http.envelope": { result: "{dta}" } },
      }),
    "a file that is not there": () => createSimulator({ assumptions: "no-such-assumptions.json" }),
  },
  INVALID_DURATION: {
    'clock.advance("soon")': ({ clock }) => clock.advance("soon"),
    "clock.advance(5000)": ({ clock }) => clock.advance(5000 as never),
    'clock.advance("3 fortnights")': ({ clock }) => clock.advance("3 fortnights"),
    "clock.advance({ dayz: 1 })": ({ clock }) => clock.advance({ dayz: 1 } as never),
    'clock.advanceTo("tomorrow")': ({ clock }) => clock.advanceTo("tomorrow"),
    'clock.sleep("soon")': ({ clock }) => clock.sleep("soon"),
  },
  INVALID_FAULT: {
    "an unknown kind": ({ faults }) => faults.add({ kind: "responce.lost" } as never),
    "an unknown field": ({ faults }) => faults.add({ kind: "response.lost", rout: "x" } as never),
    "an unknown route": ({ faults }) => faults.add({ kind: "response.lost", route: "payment-intent.confrim" as never }),
    "a method that the route does not have": ({ faults }) =>
      faults.add({ kind: "response.lost", route: "payment-intent.confirm", method: "GET" }),
    "an unknown event": ({ faults }) => faults.add({ kind: "webhook.drop", event: "payment_intent.paid" as never }),
    "an unknown payment method": ({ faults }) =>
      faults.add({ kind: "processor.stuck", paymentMethod: "pm_card_fradulent" }),
    "a wrong value": ({ faults }) => faults.add({ kind: "request.status", status: 200 }),
    "a window that is over": ({ faults }) => faults.add({ kind: "response.lost", until: "2025-01-01" }),
    "an id that is taken": ({ faults }) => [1, 2].map(() => faults.add({ kind: "response.lost", id: "mine" })),
    "no object": ({ faults }) => faults.add("response.lost" as never),
    "a body that is nested too deeply": ({ faults }) =>
      faults.add({ kind: "request.status", status: 503, body: JSON.parse("[".repeat(33) + "]".repeat(33)) as never }),
    "a body that is too large": ({ faults }) =>
      faults.add({ kind: "request.status", status: 503, body: new Array(100_001).fill(0) as never }),
  },
  INVALID_OPTION: {
    "scenario: no script": () => scenario("A title", undefined as never),
    "runScenario: an unknown way": () => runScenario(nothing, { way: "tcp" as never }),
    "openApiDocument: a wrong address": () => openApiDocument({ baseUrl: "pay.example" }),
    "createSimulator: timers without what replaces them": () => {
      const provided = Symbol.for("centavo.fake-timers");
      const before: unknown = Reflect.get(globalThis, provided);
      Reflect.deleteProperty(globalThis, provided);
      try {
        createSimulator({ timers: true });
      } finally {
        Reflect.set(globalThis, provided, before);
      }
    },
    "sim.fork: an unknown option": (sim) => sim.fork({ conect: true } as never),
    "sim.fork: a wrong value": (sim) => sim.fork({ connect: "yes" as never }),
    "faults: struck more often than it can": ({ faults }) => faults.add({ kind: "response.lost", times: 1 }).struck(2),
    "customer.pay: no method": async (sim) => sim.customer.pay(await hosted(sim), undefined as never),
    "customer.pay: an unknown method": async (sim) => sim.customer.pay(await hosted(sim), "pm_card_fradulent"),
  },
  INVALID_RECORDING: {
    "replay: text": () => replay("{}" as never),
    "replay: another version": () => changed((recording) => Object.assign(recording, { version: 2 })),
    "replay: an unknown member": () => changed((recording) => Object.assign(recording, { speed: 2 })),
    "replay: an input of no kind": () => changed(({ inputs }) => inputs.push({ kind: "wish" } as never)),
  },
  INVALID_SNAPSHOT: {
    "sim.restore: text": (sim) => sim.restore("{}" as never),
    "sim.restore: an older version": (sim) => sim.restore({ ...sim.snapshot(), version: 1 as never }),
    "sim.restore: a newer version": (sim) => sim.restore({ ...sim.snapshot(), version: 3 as never }),
    "sim.restore: a file that was edited": (sim) =>
      sim.restore({ ...sim.snapshot(), world: { ...sim.snapshot().world, now: 0 } }),
    "sim.restore: another seed": (sim) => sim.restore(createSimulator({ seed: 2 }).snapshot()),
    "sim.restore: an unknown member": (sim) => sim.restore({ ...sim.snapshot(), extra: 1 } as never, { edited: true }),
    "sim.restore: a wrong world": (sim) =>
      sim.restore({ ...sim.snapshot(), world: { ...sim.snapshot().world, now: "today" as never } }, { edited: true }),
  },
  INVALID_STATE: {
    "sim.recording() of a simulator that records nothing": () => createSimulator({ recording: false }).recording(),
    "intents.cancel of one that has succeeded": async (sim) => {
      const id = await paid(sim);
      await sim.clock.settle();
      sim.intents.cancel(id);
    },
    "webhooks.redeliver of an event without a receiver": async (sim) => {
      await paid(sim);
      await sim.clock.settle();
      sim.webhooks.redeliver(sim.webhooks.events()[0]?.id ?? "");
    },
    "struck() of a fault that is removed first": async ({ faults }) => {
      const fault = faults.add({ kind: "response.lost" });
      const struck = fault.struck();
      fault.remove();
      await struck;
    },
  },
  INVALID_TRAFFIC: { "a recording that is empty": () => readTraffic("", "shop.har") },
  INVALID_URL: {
    "createClient: no URL": (sim) => createClient({ ...clientOptions(sim), baseUrl: "pay.example" }),
    "sim.connect: no origin": (sim) => sim.connect("shop.example", () => new Response()),
    "sim.visit: no page": (sim) => sim.visit(undefined as never),
    "customer.pay: no URL": (sim) => sim.customer.pay(undefined, "gcash"),
    "customer.pay: another page": (sim) => sim.customer.pay("https://shop.example/cart", "gcash"),
    "customer.authenticate: a payment without a challenge": (sim) => sim.customer.authenticate(undefined),
  },
  MACHINE_DEFECT: {
    "two handlers of one owner": () => {
      const world = new ParcelWorld();
      world.onRing(() => undefined);
      world.onRing(() => undefined);
    },
  },
  NESTED_UNIT: {
    "sim.snapshot() in the middle of a command": (sim) => sim.internals.parts.engine.unit(() => sim.snapshot()),
  },
  NOT_CONNECTED: {
    "sim.visit without an app": (sim) => sim.fork().visit("https://shop.example/cart"),
  },
  NOT_FOUND: {
    "intents.cancel": ({ intents }) => intents.cancel("pi_unknown"),
    "webhooks.redeliver": ({ webhooks }) => webhooks.redeliver("evt_unknown"),
    "webhooks.attempts": ({ webhooks }) => webhooks.attempts({ eventId: "evt_unknown" }),
    "faults.remove": ({ faults }) => faults.remove("fault_9"),
  },
  NOT_SETTLED: {
    "a webhook that was refused": async () => {
      const merchant = await Merchant.open({}, () => new Response("no such order", { status: 404 }));
      await merchant.pay({ webhookUrl: HOOKS });
      await merchant.sim.clock.settle({ strict: true });
    },
  },
  REPLAY_DIVERGED: {
    "replay: a request that is answered otherwise": () =>
      changed(({ inputs }) => {
        if (inputs[1]?.kind === "request") inputs[1].body = '{"amount":-1}';
      }),
  },
  SWALLOWED_ERRORS: {
    "a test whose code swallows a refused request": simulated(
      { name: "swallows", fakeDate: false, recordings: false },
      async ({ network }) => {
        await network.fetch("https://other.example/").catch(() => undefined);
      },
    ),
  },
  TEST_TIMED_OUT: {
    "a test that never ends": simulated(
      { name: "never ends", timeout: 60, fakeDate: false, recordings: false },
      () => new Promise(() => undefined),
    ),
  },
  UNEXPECTED_REQUEST: {
    "a request to a host that nobody simulates": async (sim) => {
      using _network = intercept(sim);
      try {
        await fetch("https://other.example/rates");
      } catch (error) {
        throw (error as Error).cause ?? error;
      }
    },
  },
  UNUSED_FAULT: {
    "a scenario whose fault never fires": async () => {
      const story = scenario("A fault never fires", ({ sim }) => {
        sim.faults.add({ kind: "response.lost", times: 1 });
      });
      const { error } = await runScenario(story, { way: "memory" });
      throw error;
    },
  },
  VISIT_FAILED: {
    "sim.visit of an app that throws": async (sim) => {
      sim.connect("https://shop.example", () => {
        throw new Error("no database");
      });
      await sim.visit("/cart");
    },
  },
  WEBHOOK_VERIFICATION_FAILED: {
    "another secret": (sim) => verifyWebhook(webhook(sim), "whsec_dGVzdA==", { now: 0 }),
    "an old stamp": (sim) => verifyWebhook(webhook(sim), sim.credentials.webhookSecret, { now: 3_600_000 }),
    "a parsed body": (sim) => verifyWebhook({ ...webhook(sim), body: {} as never }, "whsec_", { now: 0 }),
    "no signature": (sim) => verifyWebhook({ headers: {}, body: "{}" }, sim.credentials.webhookSecret),
    "no object": (sim) => verifyWebhook(webhook(sim, "[]"), sim.credentials.webhookSecret, { now: 0 }),
  },
  WORLD_ENDED: {
    "a call without an answer at sim.reset()": async (sim) => {
      sim.faults.add({ kind: "request.hang" });
      const call = sim.fetch("/api/transactions").catch((error: Error) => error);
      await sim.clock.settle();
      sim.reset();
      throw ((await call) as Error).cause;
    },
    "a sleep at sim.close()": async (sim) => {
      const slept = sim.clock.sleep("30 s");
      await sim.close();
      await slept;
    },
  },
};

export const allCauses: readonly Causes[] = [
  causes,
  clockCauses,
  commandCauses,
  examCauses,
  fixtureCauses,
  matcherCauses,
  networkCauses,
  serviceCauses,
  testingCauses,
  webhookCauses,
  worldCauses,
  remoteCauses,
  serverCauses,
  trafficCauses,
  triggerCauses,
  runMerchantCauses,
];
