import type { Merchant } from "../merchant.ts";

/** Which of so many charges, a second apart, a fault declines. */
export async function declinedOf(merchant: Merchant, count: number): Promise<number[]> {
  const declined: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_approved");
    await merchant.sim.clock.settle();
    if (merchant.sim.intents.get(id)?.status === "failed") declined.push(number);
    await merchant.sim.clock.advance("1 second");
  }
  return declined;
}
