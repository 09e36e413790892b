import type { AnyRoute } from "../../src/kit/http/route.ts";
import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** An endpoint of parts 4 and 5, or one of Centavo's own that an assumption calls for. */
export interface Endpoint {
  readonly part: string;
  readonly method: AnyRoute["method"];
  readonly path: string;
  /** The credential that the document asks for; undefined if it does not say. */
  readonly credential?: "bearer" | "admin-key";
  /** The document's query parameters, and those of its open lists. */
  readonly query?: readonly string[];
  readonly verdict: Verdict;
}

const subscription = (method: Endpoint["method"], path: string, ...query: readonly string[]): Endpoint => ({
  part: "4.3",
  method,
  path: `/api/subscription${path}`,
  query,
  verdict: "supported",
});
const transaction = (path: string, ...query: readonly string[]): Endpoint => ({
  part: "4.4",
  method: "GET",
  path: `/api/transactions${path}`,
  query,
  verdict: "supported",
});

export const endpoints: readonly Endpoint[] = [
  { part: "4.1", method: "POST", path: "/api/payment-intent", credential: "bearer", verdict: "supported" },
  {
    part: "4.1",
    method: "POST",
    path: "/api/payment-intent/{intentId}/confirm",
    credential: "bearer",
    verdict: "supported",
  },
  {
    part: "4.1",
    method: "GET",
    path: "/api/payment-intent/{intentId}/status",
    credential: "bearer",
    verdict: "supported",
  },
  { part: "4.2", method: "POST", path: "/api/checkout", credential: "bearer", verdict: "supported" },
  {
    part: "4.2",
    method: "GET",
    path: "/api/checkout/session/{sessionToken}",
    credential: "admin-key",
    verdict: "supported",
  },
  {
    part: "4.2",
    method: "POST",
    path: "/api/checkout/process/{sessionToken}",
    credential: "bearer",
    verdict: "supported",
  },
  {
    part: "4.2",
    method: "GET",
    path: "/api/checkout/polling/{sessionToken}",
    credential: "bearer",
    verdict: "supported",
  },
  subscription("POST", "/plans"),
  subscription("GET", "/plans", "limit", "after"),
  subscription("GET", "/plans/{planId}"),
  subscription("POST", "/initiate"),
  subscription("POST", "/process-payment"),
  {
    part: "4.3",
    method: "GET",
    path: "/api/subscription/session/{sessionToken}",
    verdict: assumed("subscription.session"),
  },
  subscription("GET", "/{subscriptionId}"),
  subscription("GET", "", "status", "limit"),
  subscription("PATCH", "/{subscriptionId}/plan"),
  subscription("PATCH", "/{subscriptionId}/payment-method"),
  subscription("DELETE", "/{subscriptionId}", "reason"),
  transaction(
    "",
    "external_id",
    "limit",
    "offset",
    "status",
    "paymentMethod",
    "dateFrom",
    "dateTo",
    "amountMin",
    "amountMax",
  ),
  transaction("/payment-sessions", "status", "limit", "external_id", "offset"),
  transaction("/payment-sessions/{sessionToken}"),
  transaction("/transactions/{transactionId}"),
  { part: "5", method: "POST", path: "/oauth", verdict: "supported" },
  { part: "5", method: "POST", path: "/merchants", credential: "admin-key", verdict: assumed("auth.registration") },
  { part: "5", method: "GET", path: "/.well-known/jwks.json", verdict: assumed("auth.jwt") },
  { part: "5", method: "GET", path: "/.well-known/oauth-authorization-server", verdict: assumed("auth.jwt") },
  { part: "5", method: "GET", path: "/.well-known/openid-configuration", verdict: assumed("auth.jwt") },
  { part: "2.5", method: "GET", path: "/pay/{sessionToken}", verdict: assumed("checkout.url") },
  { part: "2.5", method: "POST", path: "/pay/{sessionToken}", verdict: assumed("checkout.url") },
  { part: "2.4", method: "GET", path: "/authenticate/{challengeId}", verdict: assumed("checkout.url") },
  { part: "2.4", method: "POST", path: "/authenticate/{challengeId}", verdict: assumed("checkout.url") },
];
