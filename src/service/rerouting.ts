import type { Rerouting } from "../kit/declaration/rerouting.ts";
import type { AnyRoute } from "../kit/http/route.ts";
import type { AssumptionOverrides } from "./assumption-table.ts";
import { tokenRoute } from "./auth/routes.ts";
import { boundedBy } from "./bounds.ts";
import type { Check } from "./bounds.ts";
import { ofAnyMetadata, ofTextsAlone } from "./fields.ts";
import type { Credential, PaymentWords } from "./route.ts";
import { confirmBodyOf, createIntentBodyWith } from "./schemas/payment-intents.ts";
import { checksOf, usualForms } from "./text-forms.ts";
import type { PathRows } from "./wire/paths.ts";
import { authPathsUnder, pagePathsUnder, pathUnder, rowsOfPaths } from "./wire/paths.ts";

/** How assumptions change the routes of the service: where they stand, and what their bodies have to hold. */
export const rerouting: Rerouting<PaymentWords, AssumptionOverrides> = {
  by: [
    ...rowsOfPaths,
    "auth.token-request",
    "auth.scope",
    "auth.client-key",
    "intent.create-fields",
    "intent.confirm-request",
    "http.bounds",
    "http.metadata",
    "http.paths",
    "http.texts",
  ],
  routesOf(route, overrides) {
    if (route.name === "oauth.token") return tokenRoutes(overrides);
    const { "http.bounds": bounds = {} } = overrides;
    const body = bodyUnder(route, overrides);
    const path = pathInForce(route, overrides);
    const credential = credentialOf(route, overrides);
    const changed = body === undefined ? {} : { body: boundedBy(body, bounds, checksUnder(overrides)) };
    return [{ ...route, path, credential, ...changed }];
  },
  pathsUnder: ({ "http.paths": rules }) => rules,
  secretFields({ "auth.token-request": { names = {} } = {} }) {
    return [names.client_secret, names.refresh_token].filter((name) => name !== undefined);
  },
};

function credentialOf({ name, credential }: AnyRoute<PaymentWords>, overrides: AssumptionOverrides): Credential {
  const { "auth.scope": open = [], "auth.client-key": ofClientKeys } = overrides;
  if (open.some((each) => each === name)) return "none";
  const isClosed = ofClientKeys !== undefined && ofClientKeys.every((each) => each !== name);
  return credential === "bearer-or-client-key" && isClosed ? "bearer" : credential;
}

/** Returns the checks that take the places of those in the schemas. */
function checksUnder({
  "http.metadata": holds,
  "http.texts": forms = usualForms,
}: AssumptionOverrides): ReadonlyMap<unknown, readonly Check[]> {
  const ofMetadata: readonly (readonly [unknown, readonly Check[]])[] =
    holds === "texts" ? [[ofAnyMetadata, [ofTextsAlone]]] : [];
  return new Map([...ofMetadata, ...checksOf(forms)]);
}

function bodyUnder({ name, body }: AnyRoute<PaymentWords>, overrides: AssumptionOverrides): typeof body {
  const { "intent.create-fields": required = [], "intent.confirm-request": form } = overrides;
  if (name === "payment-intent.create" && required.length > 0) return createIntentBodyWith(required);
  return name === "payment-intent.confirm" && form !== undefined ? confirmBodyOf(form) : body;
}

/** Returns the path at which an operation stands. A refresh may stand elsewhere than the token call. */
export function pathInForce(
  { name, path }: Pick<AnyRoute<PaymentWords>, "name" | "path">,
  overrides: PathRows,
): string {
  switch (name) {
    case "oauth.token":
      return authPathsUnder(overrides).token;
    case "merchant.register":
      return authPathsUnder(overrides).registration;
    case "oauth.keys":
      return authPathsUnder(overrides).keys;
    case "checkout.page":
    case "checkout.submit":
      return pagePathsUnder(overrides).session;
    case "challenge.show":
    case "challenge.answer":
      return pagePathsUnder(overrides).challenge;
    default:
      return pathUnder(overrides, name, path);
  }
}

/** Where refreshes have a path of their own, each of the two paths takes one grant. Both are the same operation to faults and coverage. */
function tokenRoutes(overrides: AssumptionOverrides): readonly AnyRoute<PaymentWords>[] {
  const { token, refresh } = authPathsUnder(overrides);
  const form = overrides["auth.token-request"];
  if (token === refresh) return [{ ...tokenRoute(form), path: token }];
  const summary = "Exchange a refresh token for an access token";
  return [
    {
      ...tokenRoute(form, "client_credentials"),
      summary: "Exchange client credentials for an access token",
      path: token,
    },
    { ...tokenRoute(form, "refresh_token"), operationId: "oauth.refresh", summary, path: refresh },
  ];
}
