import { withSimulator } from "centavo/vitest";
import { test as base } from "vitest";

withSimulator(base)("a challenge that is passed", async ({ client, customer }) => {
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
  await customer.authenticate(redirectUrl);
});
