import { createSimulator } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

function warningsOf({ sim }: Merchant): unknown[] {
  return sim.journal.entries.filter(({ kind }) => kind === "warning").map(({ details }) => details["message"]);
}

async function subscribed(fault: object, interval = "month"): Promise<{ merchant: Merchant; id: string }> {
  const merchant = await Merchant.open();
  const { id } = await merchant.subscribe("pm_card_approved", { interval });
  merchant.sim.faults.add({ ...fault, customer: "absent", times: 1 } as never);
  return { merchant, id };
}

test("that lasts longer than a day has one warning, however many months it lasts and periods begin", async () => {
  const { merchant, id } = await subscribed({ kind: "processor.stuck" });
  await merchant.sim.clock.advance("31 days");
  expect(merchant.invoice(id)).toMatchObject({ status: "open", paymentIntent: { status: "processing" } });
  await merchant.sim.clock.advance({ milliseconds: 86_399_999 });
  expect(warningsOf(merchant)).toEqual([]);
  await merchant.sim.clock.advance("1 ms");
  const warning = `The payment of invoice INV-000002 has been in processing for more than a day. The subscription ${id} stays active until that payment fails, and its later invoices wait.`;
  expect(warningsOf(merchant)).toEqual([warning]);
  await merchant.sim.clock.advance("180 days");
  expect(merchant.subscriptionStatus(id)).toBe("active");
  expect(warningsOf(merchant)).toEqual([warning]);
});

test("that is decided within a day has no warning, and neither has a retry, whose subscription is past_due", async () => {
  const late = await subscribed({ kind: "processor.late", delay: "24 hours" });
  await late.merchant.sim.clock.advance("40 days");
  expect(warningsOf(late.merchant)).toEqual([]);
  const { merchant, id } = await subscribed({ kind: "processor.decline", code: "lost_card" });
  await merchant.sim.clock.advance("31 days");
  merchant.sim.faults.add({ kind: "processor.stuck", customer: "absent" });
  await merchant.sim.clock.advance("40 days");
  expect(merchant.invoice(id, 1)).toMatchObject({ status: "open", paymentIntent: { status: "processing" } });
  expect(merchant.subscriptionStatus(id)).toBe("past_due");
  expect(warningsOf(merchant)).toEqual([]);
});

test("that the merchant gave up by a cancellation has no warning", async () => {
  const { merchant, id } = await subscribed({ kind: "processor.stuck" });
  await merchant.sim.clock.advance("31 days");
  await merchant.cancelSubscription(id);
  await merchant.sim.clock.advance("31 days");
  expect(warningsOf(merchant)).toEqual([]);
});

test("keeps its warning in a snapshot", async () => {
  const { merchant } = await subscribed({ kind: "processor.late", delay: "3 days" });
  await merchant.sim.clock.advance("31 days");
  const restored = createSimulator();
  restored.restore(merchant.sim.snapshot());
  expect(restored.clock.pending().map(({ what }) => what)).toContainEqual(
    expect.stringMatching(/^invoice inv_\w+: a warning if its payment is still in processing$/),
  );
  await restored.clock.advance("2 days");
  expect(restored.journal.entries.filter(({ kind }) => kind === "warning")).toHaveLength(1);
});
