import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { EventType } from "centavo";
import { Merchant } from "../merchant.ts";

describe("sim.webhooks.failures()", () => {
  test("says on one short line what hostile receivers did, and so does a strict settle()", async () => {
    const hostile = `\u001B[31mred\u001B[0m\n\u202E${"x".repeat(10_000)}`;
    const webhookUrl = `https://shop.example/hooks?${"q".repeat(1500)}`;
    const sim = createSimulator({ webhookUrl });
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    let calls = 0;
    sim.connect("https://shop.example", () => {
      calls += 1;
      if (calls % 2 === 0) throw new Error(hostile);
      return new Response(hostile, { status: 500 });
    });
    for (let count = 0; count < 30; count += 1) {
      const { id } = await client.paymentIntents.create({ amount: 10_000 });
      await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
    }
    const { message } = await sim.clock.settle({ strict: true }).then(
      () => ({ message: "settled" }),
      (error: Error) => error,
    );
    const lines = message.split("\n");
    expect(lines).toContain("- and 40 more");
    expect(lines.length).toBeLessThanOrEqual(30);
    const failures = sim.webhooks.failures();
    expect(failures).toHaveLength(60);
    for (const line of [...lines, ...failures.map((failure) => failure.message)]) {
      expect(line.length).toBeLessThan(700);
      // eslint-disable-next-line no-control-regex -- a terminal would obey these
      expect(line).not.toMatch(/[\u0000-\u001F\u202E]/);
    }
    await sim.close();
  });

  test("is empty while every event was delivered", async () => {
    const merchant = await Merchant.open();
    await merchant.pay();
    await merchant.sim.clock.settle();
    expect(merchant.sim.webhooks.failures()).toEqual([]);
  });

  test("names the event, its latest attempt and what comes next, until a later attempt delivers it", async () => {
    const merchant = await Merchant.open(
      {},
      (_, count) => new Response("no stock", { status: count === 1 ? 500 : 200 }),
    );
    await merchant.pay();
    await merchant.sim.clock.settle();
    const [failure] = merchant.sim.webhooks.failures();
    const [event] = merchant.sim.webhooks.events({ type: "payment_intent.processing" });
    expect(failure).toMatchObject({ eventId: event?.id, type: event?.type, status: "pending", attempt: { number: 1 } });
    expect(failure?.message).toBe(
      `payment_intent.processing ${event?.id} to https://shop.example/hooks: attempt 1 was answered 500 "no stock"; the next try is due 2026-01-01T00:00:02.000Z`,
    );
    expectTypeOf(failure?.type).toEqualTypeOf<EventType | undefined>();
    await merchant.sim.clock.advance("1 minute");
    expect(merchant.sim.webhooks.failures()).toEqual([]);
  });

  test("names the fault that struck, and keeps an event that was given up", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "webhook.refused", event: "payment_intent.succeeded" });
    await merchant.pay();
    await merchant.sim.clock.advance("30 days");
    expect(merchant.sim.webhooks.failures()).toMatchObject([{ type: "payment_intent.succeeded", status: "exhausted" }]);
    expect(merchant.sim.webhooks.failures()[0]?.message).toMatch(
      /under the fault fault_1 .*; no further try is planned$/,
    );
  });
});

describe("settle({ strict: true })", () => {
  test("passes where all was delivered", async () => {
    const merchant = await Merchant.open();
    await merchant.pay();
    await merchant.sim.clock.settle({ strict: true });
  });

  test("throws with what was refused, and says what is on the clock", async () => {
    const merchant = await Merchant.open({}, () => new Response(null, { status: 401 }));
    const id = await merchant.pay();
    const settled = merchant.sim.clock.settle({ strict: true });
    await expect(settled).rejects.toMatchObject({ code: "NOT_SETTLED" });
    const { message } = (await settled.catch((error: unknown) => error)) as Error;
    expect(message).toContain("attempt 1 was answered 401; the next try is due 2026-01-01T00:00:02.000Z");
    expect(message).toMatch(
      /On the clock:\n- 2026-01-01T00:00:02.000Z payment_intent\.\w+ evt_\w+: it is sent to its receiver/,
    );
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("throws while an event waits for an app, or a fault holds it", async () => {
    const merchant = new Merchant(createSimulator({ webhookUrl: "https://shop.example/hooks" }));
    await merchant.logIn();
    await merchant.pay();
    const fork = merchant.sim.fork();
    await expect(fork.clock.settle({ strict: true })).rejects.toThrow(
      'waits until an app is connected: sim.connect("https://shop.example", app)',
    );
    const delayed = await Merchant.open();
    delayed.sim.faults.add({ kind: "webhook.delay", delay: "1 hour", times: 1 });
    await delayed.pay();
    await expect(delayed.sim.clock.settle({ strict: true })).rejects.toThrow(
      "is not delivered before 2026-01-01T01:00:00",
    );
    await delayed.sim.clock.advance("1 hour");
    await delayed.sim.clock.settle({ strict: true });
  });

  test("throws while a call has no answer", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "request.hang", times: 1 });
    const controller = new AbortController();
    const call = merchant.sim.fetch("/api/transactions", { signal: controller.signal }).catch(() => undefined);
    await expect(merchant.sim.clock.settle({ strict: true })).rejects.toThrow(
      "GET /api/transactions hangs until its client gives up",
    );
    controller.abort();
    await call;
    await merchant.sim.clock.settle({ strict: true });
  });

  test("refuses other options", async () => {
    const { clock } = createSimulator();
    await expect(clock.settle({ strickt: true } as never)).rejects.toThrow('The nearest is "strict"');
    await expect(clock.settle({ strict: "yes" as never })).rejects.toThrow("It takes true or false");
  });
});
