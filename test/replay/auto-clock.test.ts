import { createSimulator, replay, type ListenerApp, type MerchantApp, type Simulator } from "centavo";
import { intercept } from "centavo/node";
import express from "express";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { expectReplayable } from "./replayable.ts";

/** What a shop does with a webhook: the status that it answers. */
type Handle = (event: { readonly id: string; readonly data: { readonly id: string } }) => Promise<number>;

const BUSY = { "retry-after": new Date(Date.now() + 7000).toUTCString() };

const apps: readonly (readonly [string, (handle: Handle) => MerchantApp])[] = [
  [
    "Express",
    (handle): ListenerApp => {
      const app = express();
      app.post("/hooks", express.json(), async (request, response) => {
        const status = await handle(request.body as Parameters<Handle>[0]);
        response.set(status === 503 ? BUSY : {}).sendStatus(status);
      });
      return app;
    },
  ],
  [
    "Hono",
    (handle) => {
      const app = new Hono();
      app.post("/hooks", async (context) => {
        const status = await handle(await context.req.json());
        return new Response("", { status, headers: status === 503 ? BUSY : {} });
      });
      return app;
    },
  ],
];

describe.for(apps)("under the auto clock, a merchant on %s that calls the API back is replayed", ([, appOf]) => {
  test("with calls that it awaits during a delivery and calls that it does not await", async () => {
    const sim = createSimulator({
      clock: "auto",
      webhookUrl: HOOKS,
      assumptions: { "intent.processing-time": "1 second" },
    });
    using _ = intercept(sim);
    const merchant = await Merchant.of(sim, { fetch });
    const done = Promise.withResolvers<void>();
    const midway: Simulator[] = [];
    const background: Promise<unknown>[] = [];
    let count = 0;
    const handle: Handle = async ({ data }) => {
      count += 1;
      await merchant.intentStatus(data.id);
      if (count % 3 === 0) midway.push(await replay(sim.recording()));
      if (count <= 5) background.push(merchant.pay({}));
      await merchant.intentStatus(data.id);
      if (count === 8) done.resolve();
      return count % 4 === 2 ? 503 : 200;
    };
    sim.connect(SHOP, appOf(handle) as ListenerApp);
    await merchant.pay({});
    await done.promise;
    await Promise.all(background);
    await sim.clock.advance("1 day");
    expect(midway.length).toBeGreaterThan(3);
    expect(sim.intents.list().map(({ status }) => status)).toEqual(Array(6).fill("succeeded"));
    const replayed = await expectReplayable(sim);
    expect(String(replayed.journal)).toBe(String(sim.journal));
    await sim.close();
  });
});
