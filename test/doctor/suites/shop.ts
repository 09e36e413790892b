import type { createSimulator } from "../../../src/index.ts";
import { createClient } from "../../../src/client.ts";

/** Pays at a base URL, as a shop does. */
export async function paid(baseUrl: string, { credentials }: ReturnType<typeof createSimulator>): Promise<void> {
  const client = createClient({ ...credentials, baseUrl });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
}
