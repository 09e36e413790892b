import type { Assumptions } from "../assumption-table.ts";
import { invalidField } from "../api-error.ts";
import { statusOf } from "./schema.ts";
import type { IntentRow } from "./machine.ts";

/** Adds to an address what a returning customer brings along. Its own query stays as it was written; absent values are left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  const added = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  // URLSearchParams of the address itself would rewrite what the merchant put there, such as %20 or a name without a value.
  url.search = [url.search.slice(1), String(added)].filter((part) => part !== "").join("&");
  return url.href;
}

/** Answers where the customer goes after the challenge of an intent with a return address of its own (`intent.return`). */
export function returnAddressOf({ id, state, data }: IntentRow): string | undefined {
  return data.returnUrl === undefined
    ? undefined
    : withQuery(data.returnUrl, { intentId: id, externalId: data.externalId, status: statusOf[state] });
}

/** @throws {ApiError} for a scheme that neither the web nor `return.schemes` knows */
export function checkReturnUrl(returnUrl: string | undefined, assumptions: Assumptions): void {
  if (returnUrl === undefined || /^https?:/i.test(returnUrl)) return;
  const scheme = returnUrl.slice(0, returnUrl.indexOf(":"));
  if (!assumptions.value("return.schemes").includes(scheme)) {
    throw invalidField(
      "returnUrl",
      `must be an http or https address; the assumption return.schemes may allow "${scheme}"`,
    );
  }
}
