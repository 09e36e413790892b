import diagnosticsChannel from "node:diagnostics_channel";
import { createClient } from "centavo/client";
import type { TestParts } from "centavo/testing";
import { expect, test } from "vitest";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { leftOutOf } from "../../src/shake/left-out.ts";
import { Recorder } from "../../src/testing/shake/recorder.ts";
import type { TestRecord } from "../../src/testing/shake/test-record.ts";
import { shakenIn } from "./in-process.ts";

const url = "https://shop.example";
const webhookUrl = `${url}/hooks`;

interface EventOfShop {
  readonly type: string;
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
}

interface Handling {
  readonly event: EventOfShop;
  readonly pay: () => Promise<void>;
  /** Whether a call of the page failed. */
  readonly hasFailed: boolean;
  readonly ask: () => Promise<unknown>;
}

/** Opens a shop whose page pays and whose handler of events is given, and sells once in peace. */
async function openShop(
  { sim, network, visit }: Pick<TestParts, "sim" | "network" | "visit">,
  handle: (handling: Handling) => Promise<Response> | Response,
): Promise<void> {
  const { baseUrl, authUrl, fetch } = network;
  const client = createClient({ ...sim.credentials, baseUrl, authUrl, fetch });
  let hasFailed = false;
  const pay = async (): Promise<void> => {
    const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  };
  sim.connect(url, async (request) => {
    if (!request.url.endsWith("/pay")) {
      const event = (await request.json()) as EventOfShop;
      return handle({ event, pay, hasFailed, ask: () => client.paymentIntents.status(event.data.id) });
    }
    try {
      await pay();
      return new Response();
    } catch {
      hasFailed = true;
      return new Response(null, { status: 502 });
    }
  });
  await visit("POST", "/pay");
  await sim.clock.settle();
}

/** The second payment of a test loses its answer, and comes after one in peace. */
const secondAnswerLost = {
  isWanted: ({ trouble, point }: { trouble: { name: string }; point: { subject: string; occurrence: number } }) =>
    trouble.name === "response.lost" && point.subject.endsWith(".confirm") && point.occurrence === 2,
};

test("a handler that breaks down once, although no call of the merchant failed, is told", async () => {
  const broken = new Set<string>();
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        broken.clear();
        const known = new Set<string>();
        await openShop({ sim, network, visit }, ({ event: { type, data } }) => {
          // Takes an event that comes again for a mistake, and forgets about it.
          if (known.delete(type + data.id)) return new Response(null, { status: 500 });
          known.add(type + data.id);
          return new Response();
        });
        await sim.clock.advance("1 day");
      },
    },
    { isWanted: ({ trouble, point }) => trouble.name === "webhook.duplicate" && point.subject.endsWith(".succeeded") },
  );
  expect(judged.map(({ judgement }) => judgement.is)).toEqual(["conduct"]);
  expect(findings).toMatchObject([{ law: "takes-every-event", brief: "a handler breaks down" }]);
});

test("a handler that breaks down over its own failed call may do so, if it accepts the event later", async () => {
  const { judged, findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        await openShop({ sim, network, visit }, async ({ ask }) => {
          await ask();
          return new Response();
        });
        await sim.clock.advance("1 day");
      },
    },
    { isWanted: ({ trouble, point }) => trouble.name === "request.status 503" && point.subject.endsWith(".status") },
  );
  expect(judged.length).toBeGreaterThan(0);
  expect(new Set(judged.map(({ judgement }) => judgement.is))).toEqual(new Set(["borne"]));
  expect(findings).toEqual([]);
});

test("a page's failed call excuses no handler that refuses an event for good", async () => {
  const { findings } = await shakenIn(
    {
      "a test": async ({ sim, network, visit }) => {
        const known = new Set<string>();
        await openShop({ sim, network, visit }, ({ event: { data }, hasFailed }) => {
          if (!hasFailed) known.add(data.id);
          return new Response(null, { status: known.has(data.id) ? 200 : 409 });
        });
        await visit("POST", "/pay");
        await sim.clock.settle();
      },
    },
    secondAnswerLost,
  );
  expect(findings).toMatchObject([
    { kind: "conduct", law: "takes-every-event", brief: "an event is refused for good" },
  ]);
});

test("a storm of calls is noted up to a limit, and the test counts as shaken in part", () => {
  const engine = { identity: {}, inFlight: [], onMove: () => () => undefined };
  const recorder = new Recorder({ internals: { parts: { engine } } } as unknown as Simulator, new Set());
  const channel = diagnosticsChannel.channel("centavo:journal");
  for (let sequence = 0; sequence <= 10_000; sequence += 1) {
    const details = { route: "payment-intent.status", path: "/", method: "GET" };
    channel.publish({ world: engine.identity, entries: [{ sequence, kind: "request", at: 0, details }] });
  }
  recorder.stop();
  expect(recorder.calls).toHaveLength(10_000);
  const { cutShort = "" } = recorder;
  const record = { outcome: { is: "passed" }, cutShort } as TestRecord;
  expect(leftOutOf([record])).toEqual([
    { why: "more than 10,000 calls are made in the test", isInPart: true, tests: [record] },
  ]);
});
