import type { Assumptions } from "./assumption-table.ts";
import type { HttpPolicies } from "../kit/http/policies.ts";
import { errorOf, failure, success } from "./envelope.ts";
import type { Caller, PaymentWords } from "./route.ts";

/** The service's HTTP policies: from the document, and from assumptions for what the document leaves open. */
export function httpPolicies(
  assumptions: Assumptions,
  authenticate: HttpPolicies<PaymentWords>["authenticate"],
): HttpPolicies<PaymentWords> {
  return {
    headers: ["x-admin-key"],
    versionHeaders: ["accept-version", "api-version", "stripe-version", "x-api-version"],
    authenticate,
    nameOf,
    success,
    failure,
    errorOf,
    createdStatus: () => assumptions.value("http.success-status"),
    idempotencyLifetime: () => assumptions.value("http.idempotency-key"),
    // A decline stands, and so does its answer.
    keepsAnswer: (status) => status < 300 || status === 402,
    unknownFields: () => assumptions.value("http.unknown-fields"),
    rateLimit: () => assumptions.value("http.rate-limit"),
    crossOrigin: () => assumptions.value("http.cors"),
    onCall: ({ assumes }) => assumptions.use(assumes),
    onFailure: () => assumptions.use(["http.error-body", "http.error-codes", "http.error-status", "http.refusals"]),
    onVersion: () => assumptions.use(["http.versioning"]),
  };
}

function nameOf(caller: Caller): string {
  if (caller.kind === "merchant") return caller.merchantId;
  return caller.kind === "client-key" ? `client key of ${caller.intentId}` : caller.kind;
}
