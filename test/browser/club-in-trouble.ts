import type { Simulator } from "centavo";
import { Merchant } from "../merchant.ts";

/** A shop with members, whose orders and members have names of its own: the run of many resources that the pages are measured with. */
export async function clubInTrouble(): Promise<Simulator> {
  const merchant = await Merchant.open({ seed: "a club in trouble" }, ({ body }, count) =>
    count === 3
      ? Response.json({ error: `No member is known for ${body.slice(0, 60)}` }, { status: 500 })
      : new Response("ok"),
  );
  const { sim } = merchant;
  const ana = { name: "Ana Reyes", email: "ana@example.com" };
  const order = await merchant.createIntent({
    amount: 49_900,
    externalId: "order-1",
    contact: ana,
    description: "1 × The Left Hand of Darkness",
    metadata: { basket: ["9780441478125", "9780765377067"], note: "Leave it with the neighbour if nobody is at home" },
  });
  await merchant.confirm(order.id, "pm_card_challenge", { "idempotency-key": "confirm-order-1" });
  const { checkoutUrl } = await merchant.createCheckout({
    externalId: "order-2",
    amount: 129_900,
    description: "2 × reading lamp",
  });
  await sim.fetch(checkoutUrl);
  const { id: planId } = await merchant.createPlan({ name: "Coffee club", amount: 49_900, interval: "month" });
  const member = await merchant.initiate(planId, { externalId: "ana", contact: ana });
  await merchant.processPayment(member.id, "pm_card_declines_renewals");
  await sim.clock.advance("32 days");
  return sim;
}
