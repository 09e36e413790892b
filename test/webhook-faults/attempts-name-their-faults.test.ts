import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { merchantWith } from "./verifying-merchant.ts";

test("an attempt names every fault that struck it, in the journal and the timeline too", async () => {
  const { merchant, sim } = await merchantWith([
    { kind: "webhook.answer", id: "busy", status: 503, times: 1 },
    { kind: "webhook.slow", delay: "5 seconds", times: 1 },
    { kind: "webhook.wrong-secret", event: "*.succeeded", times: 1 },
    { kind: "clock.skew", by: "1 minute", stamp: "webhook", times: 2 },
  ]);
  await merchant.pay({});
  await sim.clock.advance("1 minute");
  const struck = [
    [
      { id: "busy", kind: "webhook.answer" },
      { id: "fault_2", kind: "webhook.slow" },
      { id: "fault_4", kind: "clock.skew" },
    ],
    [
      { id: "fault_3", kind: "webhook.wrong-secret" },
      { id: "fault_4", kind: "clock.skew" },
    ],
  ];
  const attempts = sim.webhooks.attempts();
  expect(attempts.slice(0, 2).map(({ faults }) => faults)).toEqual(struck);
  for (const attempt of attempts.slice(2)) expect(attempt).not.toHaveProperty("faults");
  const deliveries = sim.journal.entries.filter(({ kind }) => kind === "delivery");
  expect(deliveries.slice(0, 2).map(({ details }) => details["faults"])).toEqual(struck);
  expect(deliveries.slice(2).every(({ details }) => !("faults" in details))).toBe(true);
  expect(String(sim.journal)).toMatch(
    /attempt 1, sent \S+ \S+: answered 503 under busy \(webhook\.answer\), fault_2 \(webhook\.slow\), fault_4 \(clock\.skew\), next try/,
  );
});

test("an attempt that was under way in a snapshot still names its faults", async () => {
  const { merchant, sim } = await merchantWith([{ kind: "webhook.slow", delay: "5 seconds", times: 1 }]);
  await merchant.pay({});
  await sim.clock.settle();
  sim.restore(sim.snapshot());
  await sim.clock.advance("5 seconds");
  expect(sim.webhooks.attempts()[0]?.faults).toEqual([{ id: "fault_1", kind: "webhook.slow" }]);
});

test("a time-out says that it was of virtual time", async () => {
  const { merchant, sim } = await merchantWith([{ kind: "webhook.slow", delay: "45 seconds", times: 1 }]);
  await merchant.pay({});
  await sim.clock.advance("30 seconds");
  expect(sim.webhooks.attempts()[0]).toMatchObject({
    answer: { reason: "timeout", clock: "virtual" },
    faults: [{ id: "fault_1", kind: "webhook.slow" }],
  });
  expect(sim.journal.entries.find(({ kind }) => kind === "delivery")?.details).toMatchObject({
    failure: "timeout",
    clock: "virtual",
  });
  expect(String(sim.journal)).toContain("failed (timeout of virtual time) under fault_1 (webhook.slow)");
});

test("a time-out says that it was of real time", async () => {
  const merchant = await Merchant.open({ receiverTimeout: 20 }, () => new Promise(() => {}));
  await merchant.pay();
  await merchant.sim.clock.settle();
  expect(merchant.sim.webhooks.attempts()[0]?.answer).toMatchObject({ reason: "timeout", clock: "real" });
  expect(merchant.sim.journal.entries.find(({ kind }) => kind === "delivery")?.details).toMatchObject({
    failure: "timeout",
    clock: "real",
  });
  expect(String(merchant.sim.journal)).toContain("failed (timeout of real time), next try");
});
