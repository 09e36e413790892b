import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { filledPath, pathComplaint } from "../../kit/http/route-path.ts";

/** The paths that the document gives (parts 4 and 5), by the operations that stand there. */
export const pathsOfDocument = {
  "payment-intent.create": "/api/payment-intent",
  "payment-intent.confirm": "/api/payment-intent/{intentId}/confirm",
  "payment-intent.status": "/api/payment-intent/{intentId}/status",
  "checkout.create": "/api/checkout",
  "checkout.session": "/api/checkout/session/{sessionToken}",
  "checkout.process": "/api/checkout/process/{sessionToken}",
  "checkout.polling": "/api/checkout/polling/{sessionToken}",
  "subscription-plan.create": "/api/subscription/plans",
  "subscription-plan.list": "/api/subscription/plans",
  "subscription-plan.get": "/api/subscription/plans/{planId}",
  "subscription.initiate": "/api/subscription/initiate",
  "subscription.process-payment": "/api/subscription/process-payment",
  "subscription.get": "/api/subscription/{subscriptionId}",
  "subscription.list": "/api/subscription",
  "subscription.change-plan": "/api/subscription/{subscriptionId}/plan",
  "subscription.change-payment-method": "/api/subscription/{subscriptionId}/payment-method",
  "subscription.cancel": "/api/subscription/{subscriptionId}",
  "transaction.list": "/api/transactions",
  "transaction.list-payment-sessions": "/api/transactions/payment-sessions",
  "transaction.payment-session": "/api/transactions/payment-sessions/{sessionToken}",
  "transaction.get": "/api/transactions/transactions/{transactionId}",
} as const;

/** The paths below the base URL of the token service (`auth.paths`). A refresh is a token call unless it has a path of its own. */
export const authPaths = {
  token: "/oauth",
  refresh: "/oauth",
  registration: "/merchants",
  keys: "/.well-known/jwks.json",
} as const;

/** The path of a subscription by its session token (`subscription.session`). */
export const SESSION_PATH = "/api/subscription/session/{sessionToken}";

/** The paths of the customer's pages (`checkout.url`). */
export const pagePaths = { session: "/pay/{sessionToken}", challenge: "/authenticate/{challengeId}" } as const;

export type DocumentedOperation = keyof typeof pathsOfDocument;
export type AuthPaths = Readonly<Record<keyof typeof authPaths, string>>;
export type PagePaths = Readonly<Record<keyof typeof pagePaths, string>>;

/** The values of the rows that say where an operation stands. */
export interface PathRows {
  readonly "http.endpoints"?: { readonly [Operation in DocumentedOperation]?: string | undefined } | undefined;
  readonly "auth.paths"?: { readonly [Call in keyof AuthPaths]?: string | undefined } | undefined;
  readonly "subscription.session"?: string | undefined;
  readonly "checkout.url"?: { readonly [Page in keyof PagePaths]?: string | undefined } | undefined;
}

/** The ids of these rows. */
export const rowsOfPaths = ["http.endpoints", "auth.paths", "subscription.session", "checkout.url"] as const;

/**
 * Checks the paths that a client was told of.
 * @param call the call that was given them, for the message
 * @throws {CentavoError} `INVALID_ASSUMPTION` for a path that cannot be called
 */
export function checkPaths(rows: PathRows, call: string): void {
  const { "http.endpoints": endpoints, "auth.paths": calls, "subscription.session": session } = rows;
  check("http.endpoints", endpoints, pathsOfDocument);
  check("auth.paths", calls, authPaths);
  check("subscription.session", { session }, { session: SESSION_PATH });

  function check(id: string, given: object | undefined, declared: Readonly<Record<string, string>>): void {
    for (const [name, path] of Object.entries(given ?? {}) as [string, string | undefined][]) {
      const complaint = path === undefined ? undefined : pathComplaint(path, declared[name] ?? "");
      if (complaint !== undefined)
        throw new CentavoError("INVALID_ASSUMPTION", `${call}: the assumption "${id}" cannot be called: ${complaint}.`);
    }
  }
}

/** Returns the paths of the token service in force. */
export function authPathsUnder({ "auth.paths": given = {} }: PathRows): AuthPaths {
  const { token = authPaths.token, registration = authPaths.registration, keys = authPaths.keys } = given;
  return { token, refresh: given.refresh ?? token, registration, keys };
}

/** Returns the paths of the customer's pages in force. */
export function pagePathsUnder({ "checkout.url": given = {} }: PathRows): PagePaths {
  const { session = pagePaths.session, challenge = pagePaths.challenge } = given;
  return { session, challenge };
}

/** Returns the path in force of an operation of the API. */
export function pathUnder(rows: PathRows, operation: string, declared: string): string {
  if (operation === "subscription.session") return rows["subscription.session"] ?? declared;
  const given: Readonly<Partial<Record<string, string>>> = rows["http.endpoints"] ?? {};
  return given[operation] ?? declared;
}

/** Returns the path in force of an operation that the document gives, with its variables filled in. */
export function pathOf(
  rows: PathRows,
  operation: DocumentedOperation,
  values: Readonly<Record<string, string>> = {},
): string {
  return filledPath(pathUnder(rows, operation, pathsOfDocument[operation]), values);
}
