import type { Assumptions } from "../assumption-table.ts";
import { fieldProblems } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { statusOf } from "./status.ts";
import type { IntentRow } from "./machine.ts";
import { filledQuery } from "../wire/return-query.ts";

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

/** Returns the function that finds the URL to which the customer of an intent returns, with the current status (`intent.return`). */
export function returnAddressUnder(assumptions: Assumptions): (intent: IntentRow) => string | undefined {
  return ({ id, state, data }) => {
    if (data.returnUrl === undefined) return undefined;
    const values = { intentId: id, externalId: data.externalId, status: statusOf[state] };
    return withQuery(data.returnUrl, filledQuery(assumptions.value("intent.return"), values));
  };
}

/** The fields of new terms that assumptions may refuse, whatever the terms are for. */
export interface FieldsOfTerms {
  readonly merchantId: string;
  readonly body: { readonly returnUrl?: string | undefined; readonly externalId?: string | undefined };
}

/** Returns a problem with a scheme other than http, https and those of `return.schemes`. */
export function returnUrlProblems(returnUrl: string | undefined, assumptions: Assumptions): FieldProblem[] {
  if (returnUrl === undefined || /^https?:/i.test(returnUrl)) return [];
  const scheme = returnUrl.slice(0, returnUrl.indexOf(":"));
  return assumptions.value("return.schemes").includes(scheme)
    ? []
    : fieldProblems(["returnUrl"], `must be an http or https URL; the assumption return.schemes can allow "${scheme}"`);
}
