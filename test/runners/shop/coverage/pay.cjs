/** Pays in a simulator that nobody closes, as tests that make their own do. */
exports.pay = async ({ createSimulator }, { createClient }, paymentMethodId) => {
  const sim = createSimulator();
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  await client.paymentIntents.confirm(id, { paymentMethodId });
  await sim.clock.settle();
};
