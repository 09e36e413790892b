import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario(
  "The shop's endpoint is unreachable for an hour, and then the retries of many events land together",
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);

    step("Nobody can connect to the shop's endpoint from midnight on, while five customers buy");
    const outage = sim.faults.add({ kind: "webhook.refused", until: "2026-01-01T01:00:00Z" });
    const orders = [];
    for (const sku of ["book", "notebook", "pen", "book", "pen"]) {
      orders.push(await shop.order(sku, "pm_card_approved"));
      await clock.advance("3 seconds");
    }

    step("After an hour the shop knows of no payment, although all five are made");
    await clock.advanceTo("2026-01-01T00:59:59Z");
    const before = await Promise.all(orders.map((order) => shop.read(order)));
    expect(before.map(({ status }) => status)).toEqual(Array.from(orders, () => "pending"));
    expect(sim.ledger().balances.customers).toBe(49_900 + 12_500 + 3500 + 49_900 + 3500);

    step("The endpoint is back: the twelfth tries of ten events land within seconds, and each is applied once");
    await clock.advance("15 minutes");
    const after = await Promise.all(orders.map((order) => shop.read(order)));
    expect(after.map(({ status }) => status)).toEqual(Array.from(orders, () => "paid"));
    const delivered = sim.webhooks.attempts().filter((attempt) => attempt.delivered);
    expect(delivered).toHaveLength(10);
    expect(Date.parse(delivered.at(-1)?.at ?? "") - Date.parse(delivered[0]?.at ?? "")).toBeLessThan(15_000);
    expect(outage.hits).toBe(110);
  },
);
