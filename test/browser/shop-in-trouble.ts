import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

/** A shop whose webhook handler breaks on the second kind of event: the run that the pictures show. */
export async function shopInTrouble(): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: HOOKS, seed: "a shop in trouble" });
  sim.connect(SHOP, async (request: Request) => {
    if (request.method === "GET") return new Response("Thank you");
    const { type } = (await request.json()) as { readonly type: string };
    return type === "payment_intent.failed"
      ? Response.json(
          { error: "TypeError: Cannot read properties of undefined (reading 'declineCode')" },
          { status: 500 },
        )
      : new Response("ok");
  });
  const merchant = await Merchant.of(sim);
  const book = await merchant.createIntent({ amount: 49_900, description: "1 × The Left Hand of Darkness" });
  await merchant.confirm(book.id, "pm_card_approved", { "idempotency-key": "order-1" });
  const { checkoutUrl } = await merchant.createCheckout({ amount: 129_900, description: "2 × reading lamp" });
  await sim.customer.pay(checkoutUrl, "pm_card_approved");
  await sim.clock.advance("5 seconds");
  const sticker = await merchant.createIntent({ amount: 7900, description: "Sticker sheet" });
  await merchant.confirm(sticker.id, "pm_card_insufficient_funds");
  await sim.clock.advance("20 seconds");
  const poster = await merchant.createIntent({ amount: 35_000, description: "Poster" });
  await merchant.confirm(poster.id, "pm_card_challenge");
  await sim.clock.advance("1 second");
  return sim;
}
