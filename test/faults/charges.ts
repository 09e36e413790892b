import type { Merchant } from "../merchant.ts";

/** Which of so many charges, a second apart, a fault declines. */
export async function declinedOf(shop: Merchant, count: number): Promise<number[]> {
  const declined: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await shop.createIntent();
    await shop.confirm(id, "pm_card_approved");
    await shop.sim.clock.settle();
    if (shop.sim.intents.get(id)?.status === "failed") declined.push(number);
    await shop.sim.clock.advance("1 second");
  }
  return declined;
}
