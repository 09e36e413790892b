/** The lines of a test in the reference that create an intent. */
export const CREATE = `const { id } = await client.paymentIntents.create({ amount: 10000 });`;
/** The lines of a test in the reference in which a customer pays with a good card. */
export const PAY = `${CREATE}
await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });`;
