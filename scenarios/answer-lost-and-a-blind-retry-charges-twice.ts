import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario(
  "The answer is lost after the payment was made: a blind retry charges twice, an Idempotency-Key once",
  async (stage) => {
    const { sim, client, clock, expect, step, note } = stage;
    const shop = await openShop(stage);
    const charged = (): number => sim.ledger().balances.customers;

    const payBlindly = async (): Promise<void> => {
      const intent = await client.paymentIntents.create({ amount: 49_900, externalId: "blind-1" });
      await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
    };

    step("A careless script pays, does not hear that it did, and starts again from the beginning");
    sim.faults.add({ id: "lost", kind: "response.lost", route: "payment-intent.confirm", nth: 1 });
    try {
      await payBlindly();
    } catch (error) {
      note("script", `gets ${String(error)} and pays once more`);
      await payBlindly();
    }
    await clock.settle();
    const payments = sim.transactions.list().filter(({ externalId }) => externalId === "blind-1");
    expect(payments.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);

    step("The shop loses the same answer, and repeats the call under the same Idempotency-Key");
    sim.faults.remove("lost");
    const lost = sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", nth: 1 });
    const before = charged();
    const order = await shop.order("book", "pm_card_approved");
    await clock.settle();
    expect(lost.hits).toBe(1);
    expect((await shop.read(order)).status).toBe("paid");
    expect(charged() - before).toBe(49_900);
  },
);
