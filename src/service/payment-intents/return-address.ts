import type { Assumptions } from "../assumption-table.ts";
import { invalidField } from "../api-error.ts";
import { statusOf } from "./schema.ts";
import type { IntentRow } from "./machine.ts";

/** Appends parameters to the query of a URL, and leaves out those that are undefined. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  const added = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  // `url.searchParams` would rewrite the merchant's own query, such as %20 or a name without a value.
  url.search = [url.search.slice(1), String(added)].filter((part) => part !== "").join("&");
  return url.href;
}

/** Returns the URL to which the customer of an intent returns, with the current status (`intent.return`). */
export function returnAddressOf({ id, state, data }: IntentRow): string | undefined {
  return data.returnUrl === undefined
    ? undefined
    : withQuery(data.returnUrl, { intentId: id, externalId: data.externalId, status: statusOf[state] });
}

/** @throws {ApiError} a validation error for a scheme other than http, https and those of `return.schemes` */
export function checkReturnUrl(returnUrl: string | undefined, assumptions: Assumptions): void {
  if (returnUrl === undefined || /^https?:/i.test(returnUrl)) return;
  const scheme = returnUrl.slice(0, returnUrl.indexOf(":"));
  if (!assumptions.value("return.schemes").includes(scheme)) {
    throw invalidField(
      "returnUrl",
      `must be an http or https URL; the assumption return.schemes can allow "${scheme}"`,
    );
  }
}
