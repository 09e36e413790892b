import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createSimulator, type MerchantApp, type Simulator } from "centavo";
import express from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

const RUNS = 15;
const ASSUMPTIONS = { "intent.processing-time": "4 seconds" } as const;

/** A call back of a webhook handler. */
type CallBack = (event: { readonly data: { readonly id: string } }) => Promise<unknown>;

/** Creates, confirms and polls, with a pause of real time before each call that no two runs share. */
async function pollWithPauses(sim: Simulator, run: number, merchant: Merchant): Promise<void> {
  const paused = async <Answer>(call: () => Promise<Answer>, index: number): Promise<Answer> => {
    await pause((run * 7 + index * 3) % 6);
    return call();
  };
  for (let payment = 0; payment < 2; payment += 1) {
    const { id } = await paused(() => merchant.createIntent(), payment);
    await paused(() => merchant.confirm(id), payment + 1);
    for (let poll = 0; poll < 4; poll += 1) await paused(() => merchant.intentStatus(id), payment + poll);
  }
  await sim.clock.settle();
}

/** Every digest of so many equal runs. */
async function digestsOf(live: (sim: Simulator, run: number, merchant: Merchant) => Promise<void>): Promise<string[]> {
  const digests = new Set<string>();
  for (let run = 0; run < RUNS; run += 1) {
    await using sim = createSimulator({ clock: "auto", webhookUrl: HOOKS, assumptions: ASSUMPTIONS });
    const merchant = await Merchant.of(sim);
    await live(sim, run, merchant);
    digests.add(sim.journal.digest());
  }
  return [...digests];
}

const fetchApp =
  (callBack: CallBack): MerchantApp =>
  async (request: Request) => {
    await callBack((await request.json()) as Parameters<CallBack>[0]);
    return new Response();
  };
const expressApp = (callBack: CallBack): MerchantApp => {
  const app = express();
  app.post("/hooks", express.json(), async (request, response) => {
    await callBack(request.body as Parameters<CallBack>[0]);
    response.sendStatus(200);
  });
  return app;
};
const plainApp = (callBack: CallBack): MerchantApp => {
  const listener: RequestListener = (request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      void callBack(JSON.parse(text) as Parameters<CallBack>[0]).then(() => response.end());
    });
  };
  return { listener };
};

const apps = [
  ["a fetch handler", fetchApp],
  ["Express", expressApp],
  ["a listener that reads by events", plainApp],
] as const;

describe("under the auto clock, a caller that makes one call after the other and pauses in between", () => {
  test("has one digest in many runs without an app", async () => {
    expect(await digestsOf(pollWithPauses)).toHaveLength(1);
  });

  test.for(apps)("has one digest in many runs beside %s that is slow", async ([, appOf]) => {
    const digests = await digestsOf(async (sim, run, merchant) => {
      sim.connect(SHOP, appOf(() => pause(run % 5)) as never);
      await pollWithPauses(sim, run, merchant);
    });
    expect(digests).toHaveLength(1);
  });

  test.for(apps)("has one digest in many runs beside %s that calls back", async ([, appOf]) => {
    const digests = await digestsOf(async (sim, run, merchant) => {
      const callBack: CallBack = async ({ data }) => {
        await pause(run % 4);
        await merchant.intentStatus(data.id);
      };
      sim.connect(SHOP, appOf(callBack) as never);
      await pollWithPauses(sim, run, merchant);
    });
    expect(digests).toHaveLength(1);
  });

  test("has one digest beside an app that gets no time of the processor for a while", async () => {
    const digests = await digestsOf(async (sim, run, merchant) => {
      const callBack: CallBack = async ({ data }) => {
        await pause(1);
        if (run === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
        await pause(1);
        await merchant.intentStatus(data.id);
      };
      sim.connect(SHOP, fetchApp(callBack) as never);
      await pollWithPauses(sim, 0, merchant);
    });
    expect(digests).toHaveLength(1);
  });

  test("has one digest in many runs when its calls come at once", async () => {
    const digests = await digestsOf(async (sim, run, merchant) => {
      sim.connect(SHOP, fetchApp(() => pause(run % 3)) as never);
      await Promise.all(Array.from({ length: 5 }, async () => merchant.pay()));
      await pause(run % 5);
      await Promise.all(sim.intents.list().map(async ({ id }) => merchant.intentStatus(id)));
      await sim.clock.settle();
    });
    expect(digests).toHaveLength(1);
  });
});

describe("under the auto clock, nobody waits for ever", () => {
  test("when the app hands its call back to a worker that no context follows", async () => {
    const sim = createSimulator({ clock: "auto", webhookUrl: HOOKS });
    const merchant = await Merchant.of(sim);
    const jobs: (() => void)[] = [];
    const over = new AbortController();
    const worker = (async () => {
      while (!over.signal.aborted) {
        jobs.shift()?.();
        await pause(1);
      }
    })();
    sim.connect(SHOP, async (request) => {
      const { data } = (await request.json()) as Parameters<CallBack>[0];
      await new Promise<void>((resolve) => jobs.push(() => void merchant.intentStatus(data.id).then(() => resolve())));
      return new Response();
    });
    await merchant.pay();
    await sim.clock.settle();
    over.abort();
    await worker;
    expect(sim.webhooks.events().map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });

  test("when a server of its own calls back", async () => {
    const sim = createSimulator({ clock: "auto" });
    const merchant = await Merchant.of(sim);
    const server = createServer((request, response) => {
      request.resume();
      void merchant.call("GET", "/api/transactions").then(() => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await merchant.pay({ webhookUrl: `http://127.0.0.1:${port}/hooks` });
    await sim.clock.settle();
    expect(sim.webhooks.events().map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });

  test("when an app moves the clock that waits for it, which is refused", async () => {
    const sim = createSimulator({ clock: "auto", webhookUrl: HOOKS });
    const merchant = await Merchant.of(sim);
    let refusal: unknown;
    sim.connect(SHOP, async () => {
      refusal = await sim.clock.settle().catch((error: unknown) => error);
      return new Response();
    });
    await merchant.pay();
    await sim.clock.settle();
    expect(refusal).toMatchObject({
      code: "CLOCK_BUSY",
      message: expect.stringMatching(/^clock\.settle\(\) was called while the auto clock was moving time\./) as string,
    });
  });

  test("when a caller gives up while it waits", async () => {
    const sim = createSimulator({ clock: "auto", webhookUrl: HOOKS });
    const merchant = await Merchant.of(sim);
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    sim.connect(SHOP, () => {
      arrived.resolve();
      return answer.promise;
    });
    await merchant.pay();
    await arrived.promise;
    const caller = new AbortController();
    const call = sim.fetch("/api/transactions", { signal: caller.signal });
    caller.abort(new Error("no time"));
    await expect(call).rejects.toThrow("no time");
    answer.resolve(new Response());
    await sim.clock.settle();
    expect(sim.journal.entries.filter(({ details }) => details["path"] === "/api/transactions")).toEqual([]);
  });
});
