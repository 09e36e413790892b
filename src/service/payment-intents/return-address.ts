import type { IntentRow } from "./commands.ts";
import { statusOf } from "./schema.ts";

/** Adds to an address what a returning customer brings along; its own query stays as it was written, absent values are left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  const added = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  // URLSearchParams of the address itself would rewrite what the merchant put there, such as %20 or a name without a value.
  url.search = [url.search.slice(1), String(added)].filter((part) => part !== "").join("&");
  return url.href;
}

/** Where the customer of an intent of its own goes after a challenge (`intent.return`). */
export function returnAddressOf({ id, state, data }: IntentRow): string | undefined {
  return data.returnUrl === undefined
    ? undefined
    : withQuery(data.returnUrl, { intentId: id, externalId: data.externalId, status: statusOf[state] });
}
