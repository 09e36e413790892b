import type { AnyRoute } from "../../src/http/route.ts";
import { assumed, notBuilt } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** An endpoint of parts 4 and 5, or one of Centavo's own that an assumption calls for. */
export interface Endpoint {
  readonly part: string;
  readonly method: AnyRoute["method"];
  readonly path: string;
  /** The credential that the document asks for; undefined where it does not say. */
  readonly credential?: "bearer" | "admin-key";
  readonly query?: readonly string[];
  readonly verdict: Verdict;
}

const subscription = (method: Endpoint["method"], path: string, ...query: readonly string[]): Endpoint => ({
  part: "4.3",
  method,
  path,
  query,
  verdict: notBuilt("subscriptions"),
});
const transaction = (path: string, ...query: readonly string[]): Endpoint => ({
  part: "4.4",
  method: "GET",
  path,
  query,
  verdict: notBuilt("transactions"),
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
  subscription("POST", "/api/subscription/plans"),
  subscription("GET", "/api/subscription/plans", "limit", "after"),
  subscription("GET", "/api/subscription/plans/{planId}"),
  subscription("POST", "/api/subscription/initiate"),
  subscription("POST", "/api/subscription/process-payment"),
  subscription("GET", "/api/subscription/{subscriptionId}"),
  subscription("GET", "/api/subscription", "status", "limit"),
  subscription("PATCH", "/api/subscription/{subscriptionId}/plan"),
  subscription("PATCH", "/api/subscription/{subscriptionId}/payment-method"),
  subscription("DELETE", "/api/subscription/{subscriptionId}", "reason"),
  transaction(
    "/api/transactions",
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
  transaction("/api/transactions/payment-sessions", "status", "limit"),
  transaction("/api/transactions/payment-sessions/{sessionToken}"),
  transaction("/api/transactions/transactions/{transactionId}"),
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
