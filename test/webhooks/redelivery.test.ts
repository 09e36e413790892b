import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

async function oneEvent(answer: (count: number) => number) {
  const merchant = await Merchant.open(
    {
      assumptions: {
        "webhook.retries": 2,
        "intent.authentication": { card: "1 day", gcash: "1 day", grab_pay: "1 day" },
      },
    },
    (_, count) => new Response(null, { status: answer(count) }),
  );
  const { sim, arrivals } = merchant;
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  const eventId = sim.webhooks.events()[0]?.id ?? "";
  const event = () => sim.webhooks.events()[0];
  return { sim, arrivals, eventId, event };
}

describe("redelivery by hand", () => {
  test("sends a delivered event again: same id, same bytes, when the clock next moves", async () => {
    const { sim, arrivals, eventId, event } = await oneEvent(() => 200);
    await sim.clock.settle();
    sim.webhooks.redeliver(eventId);
    expect(arrivals).toHaveLength(1);
    await sim.clock.settle();
    expect(arrivals[1]?.body).toBe(arrivals[0]?.body);
    expect(event()).toMatchObject({ status: "delivered", attempts: 2 });
  });

  test("is outside the retries: it uses none up and is followed by none", async () => {
    const { sim, eventId, event } = await oneEvent(() => 500);
    await sim.clock.settle();
    sim.webhooks.redeliver(eventId);
    await sim.clock.settle();
    expect(event()).toMatchObject({ status: "pending", attempts: 2 });
    await sim.clock.advance("1 hour");
    expect(sim.webhooks.attempts().map(({ at }) => at.slice(17, 19))).toEqual(["00", "00", "02", "06"]);
    expect(event()).toMatchObject({ status: "exhausted", attempts: 4 });

    sim.webhooks.redeliver(eventId);
    await sim.clock.advance("1 hour");
    expect(event()).toMatchObject({ status: "exhausted", attempts: 5 });
  });

  test("that succeeds ends the schedule", async () => {
    const { sim, eventId, event } = await oneEvent((count) => (count === 1 ? 500 : 200));
    await sim.clock.settle();
    sim.webhooks.redeliver(eventId);
    await sim.clock.advance("1 hour");
    expect(event()).toMatchObject({ status: "delivered", attempts: 2 });
  });

  test("revives an exhausted event", async () => {
    const { sim, eventId, event } = await oneEvent((count) => (count < 4 ? 500 : 200));
    await sim.clock.advance("1 hour");
    expect(event()).toMatchObject({ status: "exhausted" });
    sim.webhooks.redeliver(eventId);
    await sim.clock.settle();
    expect(event()).toMatchObject({ status: "delivered" });
  });

  test("of an unknown event is refused", async () => {
    const { sim } = await oneEvent(() => 200);
    expect(() => sim.webhooks.redeliver("evt_unknown")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    expect(() => sim.webhooks.redeliver("evt_unknown")).toThrow("sim.webhooks.events() lists them");
  });
});
