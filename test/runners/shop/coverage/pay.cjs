/** Pays in a simulator that nobody closes, as tests that make their own do. */
exports.pay = async ({ createSimulator }, { createClient }, paymentMethodId) => {
  const sim = createSimulator();
  sim.connect("https://shop.example", () => new Response());
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
  await client.paymentIntents.confirm(id, { paymentMethodId });
  await sim.clock.settle();
};
