import type { Transaction } from "centavo/client";
import type { Merchant } from "../merchant.ts";

/** Creates an intent, confirms it with a method if one is given, and returns its transaction's id. */
export async function transact(merchant: Merchant, body: object = {}, paymentMethodId?: string): Promise<string> {
  const { id, transactionId } = await merchant.client.paymentIntents.create({ amount: 10_000, ...body });
  if (paymentMethodId !== undefined) await merchant.client.paymentIntents.confirm(id, { paymentMethodId });
  return transactionId;
}

/** Every transaction that the API lists, page by page. */
export async function transactionsOf({ client }: Merchant): Promise<Transaction[]> {
  const found: Transaction[] = [];
  for (let hasMore = true; hasMore;) {
    const page = await client.transactions.list({ limit: 100, offset: found.length });
    found.push(...page.items);
    ({ hasMore } = page);
  }
  return found;
}
