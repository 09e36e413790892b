import { scenario } from "../../../src/scenario/scenario.ts";

export default scenario("A card pays at once", async ({ client, clock, expect, step, note }) => {
  step("The customer pays");
  const intent = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
  await clock.settle();
  note("shop", "looks how it went");
  expect((await client.paymentIntents.status(intent.id)).status).toBe("succeeded");
});
