import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario("The failure of an old attempt is told after the success of the new one", async (stage) => {
  const { sim, clock, expect, step } = stage;
  const shop = await openShop(stage);

  step("A member's renewal fails, and the events that say so are stuck on their way for three days");
  const member = await shop.join("reader", "pm_card_recovers");
  await clock.settle();
  sim.faults.add({ kind: "webhook.delay", event: "*failed", delay: "3 days", times: 2 });
  sim.faults.add({ kind: "webhook.delay", event: "subscription.past_due", delay: "3 days", times: 1 });
  await clock.advanceTo("2026-02-01T12:00:00Z");
  expect(sim.subscriptions.last()?.status).toBe("past_due");
  expect((await shop.membership(member)).status).toBe("active");

  step("The second retry is paid, and the shop hears of that at once");
  await clock.advanceUntil(() => sim.subscriptions.last()?.status === "active");
  await clock.settle();
  expect(await shop.membership(member)).toMatchObject({ status: "active", paidUntil: "2026-03-01T00:00:00.000Z" });

  step("Then the old news arrives: it is older than what the shop knows, and closes nothing");
  await clock.advance("2 days");
  const late = sim.webhooks.events({ type: "subscription.past_due" });
  expect(late.map(({ status }) => status)).toEqual(["delivered"]);
  expect(await shop.membership(member)).toMatchObject({ status: "active", paidUntil: "2026-03-01T00:00:00.000Z" });
  expect(await shop.opensLibrary(member)).toBe(true);
});
