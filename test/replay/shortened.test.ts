import { createSimulator, replay, type Recording, type Simulator } from "centavo";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";
import { acts, answers, RandomRun } from "./random-runs.ts";
import { expectReplayable, jsonOf } from "./replayable.ts";

async function expectSameEnd(sim: Simulator): Promise<Recording> {
  const recording = jsonOf(sim.recording());
  const replayed = await replay(recording);
  expect(replayed.journal.digest()).toBe(sim.journal.digest());
  expect(replayed.snapshot().world.tables).toEqual(jsonOf(sim.snapshot()).world.tables);
  return recording;
}

/** A busy simulator that keeps at least so many inputs of its recording. */
async function busy(keep: number, payments: number): Promise<{ sim: Simulator; merchant: Merchant }> {
  const merchant = await Merchant.open({ keep });
  const { sim } = merchant;
  for (let count = 0; count < payments; count += 1) {
    await merchant.pay();
    await sim.clock.settle();
    await sim.clock.advance("1 minute");
  }
  return { sim, merchant };
}

describe("a bounded recording", () => {
  test("keeps the newest inputs, says how many are gone, and is replayed from the world that they came to", async () => {
    const { sim } = await busy(10, 25);
    const { inputs, shortened, start } = await expectSameEnd(sim);
    // The login, and of each payment two calls and two answers to webhooks.
    expect(inputs.length + (shortened?.inputs ?? 0)).toBe(1 + 25 * 4);
    expect(inputs.length).toBeGreaterThanOrEqual(10);
    expect(inputs.length).toBeLessThan(2 * 10 + 4);
    expect(start).toBeDefined();
  });

  test("is whole as long as it holds everything", async () => {
    const { sim } = await busy(10, 4);
    expect(sim.recording().inputs).toHaveLength(17);
    expect(sim.recording()).not.toHaveProperty("shortened");
    await expectReplayable(sim);
  });

  test("begins anew after a reset and after a restore", async () => {
    const { sim } = await busy(5, 20);
    const snapshot = sim.snapshot();
    sim.restore(snapshot);
    expect(sim.recording()).toMatchObject({ start: snapshot, inputs: [], end: { timers: 0 } });
    expect(sim.recording()).not.toHaveProperty("shortened");
    await sim.clock.advance("1 hour");
    await expectReplayable(sim);
    sim.reset();
    expect(sim.recording()).not.toHaveProperty("start");
  });

  test("goes with a fork, and each is shortened by itself from there", async () => {
    const { sim } = await busy(5, 20);
    const fork = sim.fork({ connect: true });
    const before = sim.recording();
    const merchant = await Merchant.of(fork);
    for (let count = 0; count < 20; count += 1) await merchant.pay();
    await fork.clock.advance("1 hour");
    expect(sim.recording()).toEqual(before);
    await expectSameEnd(sim);
    const { shortened } = await expectSameEnd(fork);
    expect(shortened?.inputs).toBeGreaterThan(before.shortened?.inputs ?? Infinity);
  });

  test("holds fewer inputs when they are long", async () => {
    const { sim, merchant } = await busy(100, 0);
    for (let count = 0; count < 60; count += 1) await merchant.createIntent({ unknownField: "long ".repeat(4000) });
    const { inputs, shortened } = await expectSameEnd(sim);
    expect(inputs.length).toBeLessThanOrEqual(2 * Math.ceil((100 * 2048) / 20_000));
    expect(shortened?.inputs).toBe(61 - inputs.length);
  });

  test("waits with a new beginning until nothing is under way", async () => {
    const merchant = await Merchant.open({ keep: 2, webhookUrl: HOOKS });
    const { sim } = merchant;
    sim.faults.add({ kind: "request.latency", delay: "1 minute", times: 1 });
    const held = merchant.createIntent();
    for (let count = 0; count < 10; count += 1) await merchant.pay();
    expect(sim.recording()).not.toHaveProperty("shortened");
    await sim.clock.advance("1 minute");
    await held;
    await merchant.pay();
    await merchant.pay();
    expect((await expectSameEnd(sim)).shortened).toBeDefined();
  });
});

describe("a body that is refused", () => {
  const requests = (sim: Simulator): [string, RequestInit][] => {
    const { clientId, clientSecret } = sim.credentials;
    const json = { "content-type": "application/json" };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const secret = `${clientId} marker ${clientSecret}`;
    return [
      ["/api/payment-intent", { headers: json, body: `{"amount":"${secret}"}` }],
      ["/nowhere", { headers: json, body: secret }],
      ["/oauth", { headers: json, body: `{"client_id": 1, "scope": "marker"}` }],
      ["/oauth", { headers: json, body: "marker" }],
      ["/oauth", { headers: { "content-type": "text/marked" }, body: "marker" }],
      ["/oauth", { body: new Uint8Array([1, 0xff]) }],
      ["/oauth", { headers: form, body: "scope=marker&scope=marker" }],
      ["/merchants", { headers: { ...json, "x-admin-key": sim.credentials.adminKey }, body: `["marker"]` }],
    ];
  };

  test("is not kept in a bounded recording, which is replayed to the same refusals", async () => {
    const sim = createSimulator({ keep: 1000 });
    const statuses: number[] = [];
    for (const [path, init] of requests(sim))
      statuses.push((await sim.fetch(path, { method: "POST", ...init })).status);
    expect(statuses).toEqual([401, 404, 400, 400, 415, 400, 400, 400]);
    expect(JSON.stringify([sim.recording(), sim.journal.entries])).not.toContain("marker");
    await expectSameEnd(sim);
  });

  test("is kept in a whole recording", async () => {
    const sim = createSimulator();
    for (const [path, init] of requests(sim)) await sim.fetch(path, { method: "POST", ...init });
    expect(JSON.stringify(sim.recording()).match(/marker/g)).toHaveLength(8);
    await expectReplayable(sim);
  });

  test("is kept while a fault may read it", async () => {
    const sim = createSimulator({ keep: 1000 });
    sim.faults.add({ kind: "request.status", status: 503, resource: "pi_named" });
    await sim.fetch("/api/payment-intent", { method: "POST", body: `{"id":"pi_named"}` });
    await sim.fetch("/api/payment-intent", { method: "POST", body: `{"id":"pi_other"}` });
    expect(sim.recording().inputs.slice(1)).toMatchObject([
      { body: `{"id":"pi_named"}`, status: 503 },
      { body: `{"id":"pi_other"}`, status: 401 },
    ]);
    await expectSameEnd(sim);
  });

  test("is kept when a fault has read it, even one that is removed before the call goes on", async () => {
    const merchant = await Merchant.open({ keep: 1000 });
    const { sim } = merchant;
    const { id } = await merchant.createIntent();
    const fault = sim.faults.add({ kind: "request.latency", delay: "5 s", paymentMethod: "pm_card_approved" });
    const refused = merchant.confirm(id, { paymentMethodId: "pm_card_approved", contact: "not an object" });
    await fault.struck();
    fault.remove();
    await sim.clock.advance("5 s");
    expect(await refused).toMatchObject({ status: 400 });
    await expectSameEnd(sim);
  });
});

test("the shortened recording of any run is replayed to the same world", async () => {
  let shortened = 0;
  await fc.assert(
    fc.asyncProperty(acts, answers, fc.integer(), fc.integer({ min: 1, max: 5 }), async (chosen, given, seed, keep) => {
      const run = new RandomRun({ seed, keep }, given);
      await run.logIn();
      for (const act of chosen) await run.do(act);
      if ((await expectSameEnd(run.sim)).shortened !== undefined) shortened += 1;
    }),
    { numRuns: 60, seed: 20_260_202 },
  );
  expect(shortened).toBeGreaterThan(20);
});
