import { scenario } from "../../../src/scenario/scenario.ts";

export default scenario("A stolen card pays, or so somebody thought", async ({ client, clock, expect }) => {
  const intent = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_stolen" });
  await clock.settle();
  expect((await client.paymentIntents.status(intent.id)).status).toBe("succeeded");
});
