import { createSimulator, type Fault } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { merchantWith } from "./verifying-merchant.ts";

/** One event, an answer to which a fault disturbs. */
async function oneEvent(fault: Fault) {
  const verifying = await merchantWith([fault]);
  await verifying.merchant.pay({}, "pm_display_details");
  await verifying.sim.clock.advance("10 seconds");
  return { ...verifying, attempts: verifying.sim.webhooks.attempts(), event: () => verifying.sim.webhooks.events()[0] };
}

test("a refused connection is tried again, and the merchant never heard of the first", async () => {
  const { sim, seconds, attempts } = await oneEvent({ kind: "webhook.refused", times: 2 });
  expect(seconds()).toEqual([6]);
  expect(attempts).toMatchObject([
    { number: 1, delivered: false, answer: { kind: "failed", reason: "refused" } },
    {
      number: 2,
      delivered: false,
      answer: { reason: "refused", message: `fault_1 refused the connection to ${HOOKS}.` },
    },
    { number: 3, delivered: true },
  ]);
  expect(String(sim.journal)).toContain("fault_1 fires (webhook.refused, 2nd time)");
});

test("an endpoint that is down for an hour is told of everything once it is back", async () => {
  const { sim, merchant, received, types } = await merchantWith([
    { kind: "webhook.refused", until: "2026-01-01T01:00:00Z" },
  ]);
  await merchant.pay({});
  await sim.clock.advance("1 hour");
  expect(received).toEqual([]);
  await sim.clock.advance("30 minutes");
  expect(types()).toEqual(["processing", "succeeded"]);
});

test("a lost answer: the merchant did its work, and the event comes again", async () => {
  const { received, seconds, attempts } = await oneEvent({ kind: "webhook.answer-lost", times: 1 });
  expect(seconds()).toEqual([0, 2]);
  expect(received[1]?.body).toBe(received[0]?.body);
  expect(attempts).toMatchObject([{ answer: { kind: "failed", reason: "reset" } }, { delivered: true }]);
});

describe("an answer in the place of the merchant's own", () => {
  test.each([301, 307, 404, 500])("of %i leads to a retry, even if the merchant did its work", async (status) => {
    const { seconds, attempts } = await oneEvent({ kind: "webhook.answer", status, times: 1 });
    expect(seconds()).toEqual([0, 2]);
    expect(attempts).toMatchObject([{ delivered: false, answer: { kind: "answered", status } }, { delivered: true }]);
  });

  test("is never followed as a redirect", async () => {
    const headers = { Location: "https://elsewhere.example/hooks" };
    const { attempts } = await oneEvent({ kind: "webhook.answer", status: 308, headers, times: 1 });
    expect(attempts).toMatchObject([
      { answer: { status: 308, location: "https://elsewhere.example/hooks" } },
      { delivered: true },
    ]);
  });

  test("of 410 ends the event", async () => {
    const { sim, seconds, event } = await oneEvent({ kind: "webhook.answer", status: 410, times: 1 });
    await sim.clock.advance("50 minutes");
    expect(event()).toMatchObject({ status: "gone", attempts: 1 });
    expect(seconds()).toEqual([0]);
  });

  test("of 429 lengthens the wait by Retry-After, in seconds", async () => {
    const { seconds } = await oneEvent({
      kind: "webhook.answer",
      status: 429,
      headers: { "Retry-After": "7" },
      times: 1,
    });
    expect(seconds()).toEqual([0, 7]);
  });

  test("of 503 lengthens it to a date of virtual time", async () => {
    const headers = { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" };
    const { seconds } = await oneEvent({ kind: "webhook.answer", status: 503, headers, times: 1 });
    expect(seconds()).toEqual([0, 9]);
  });

  test("may come from something in front that keeps the event from the merchant", async () => {
    const { seconds, attempts } = await oneEvent({ kind: "webhook.answer", status: 502, reaches: false, times: 1 });
    expect(seconds()).toEqual([2]);
    expect(attempts).toMatchObject([{ answer: { status: 502 } }, { delivered: true }]);
  });

  test("of 200 counts as delivered, even if the merchant never got the event", async () => {
    const { received, event } = await oneEvent({ kind: "webhook.answer", status: 200, reaches: false, times: 1 });
    expect(received).toEqual([]);
    expect(event()).toMatchObject({ status: "delivered" });
  });

  test("does not hide that no app is connected", async () => {
    const sim = createSimulator({ webhookUrl: HOOKS });
    sim.faults.add({ kind: "webhook.answer", status: 503 });
    const merchant = await Merchant.of(sim);
    await merchant.pay({}, "pm_display_details");
    await sim.clock.settle();
    expect(sim.webhooks.attempts()).toMatchObject([{ answer: { reason: "not-connected" } }]);
  });
});

test("of the faults that would answer an attempt, the first decides", async () => {
  const { sim, merchant, seconds } = await merchantWith([
    { kind: "webhook.refused", times: 1 },
    { kind: "webhook.answer", status: 500, times: 1 },
    { kind: "webhook.corrupt-body", nth: 1 },
  ]);
  await merchant.pay({}, "pm_display_details");
  await sim.clock.advance("10 seconds");
  expect(seconds()).toEqual([2, 6]);
  const strikes = sim.journal.entries.filter(({ details }) => details["act"] === "strike");
  expect(strikes.map(({ details }) => details["kind"])).toEqual([
    "webhook.refused",
    "webhook.answer",
    "webhook.corrupt-body",
  ]);
});

test("the answer of a listener on a socket is lost after it did its work", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS });
  await using _ = sim;
  let calls = 0;
  sim.connect(SHOP, {
    listener: (_request, response) => {
      calls += 1;
      response.writeHead(204).end();
    },
  });
  sim.faults.add({ kind: "webhook.answer-lost", times: 1 });
  const merchant = await Merchant.of(sim);
  await merchant.pay({}, "pm_display_details");
  await sim.clock.advance("2 seconds");
  expect(calls).toBe(2);
  expect(sim.webhooks.attempts()).toMatchObject([{ answer: { reason: "reset" } }, { answer: { status: 204 } }]);
});

test("a world that is kept in the middle of a disturbed delivery makes the same attempt again", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS });
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  let count = 0;
  sim.connect(SHOP, () => {
    count += 1;
    arrived.resolve();
    return count === 1 ? answer.promise : new Response();
  });
  sim.faults.add({ kind: "webhook.answer-lost", times: 1 });
  sim.faults.add({ kind: "webhook.stale-timestamp", probability: 0.5 });
  const merchant = await Merchant.of(sim);
  await merchant.pay({}, "pm_display_details");
  const moving = sim.clock.advance("10 seconds");
  await arrived.promise;
  const fork = sim.fork();
  answer.resolve(new Response());
  await moving;

  fork.connect(SHOP, () => new Response());
  await fork.clock.advanceTo(sim.clock.now());
  expect(fork.webhooks.attempts()).toEqual(sim.webhooks.attempts());
  expect(fork.faults.list()).toEqual(sim.faults.list());
  expect(fork.journal.digest()).toBe(sim.journal.digest());
});
