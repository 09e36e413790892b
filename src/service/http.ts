import type { AssumptionId, Assumptions, AssumptionValue } from "./assumption-table.ts";
import { LARGEST_BODY } from "../kit/http/body.ts";
import type { HttpPolicies } from "../kit/http/policies.ts";
import type { AnyRoute } from "../kit/http/route.ts";
import { ApiError } from "./api-error.ts";
import { errorOf } from "./envelope.ts";
import { isDecline, meantStatus } from "./error-table.ts";
import type { ErrorCode } from "./error-table.ts";
import type { Caller, PaymentWords } from "./route.ts";
import { Writing } from "./wire/writing.ts";

const OF_REQUESTS: readonly AssumptionId[] = ["http.base-urls", "http.endpoints", "http.paths"];
const OF_OTHER_METHODS: readonly AssumptionId[] = [...OF_REQUESTS, "http.methods"];
const OF_FAILURES: readonly AssumptionId[] = [
  "http.error-body",
  "http.error-codes",
  "http.error-status",
  "http.refusals",
  "http.order",
];

/** The service's HTTP policies: from the document, and from assumptions for what the document leaves open. */
export function httpPolicies(
  assumptions: Assumptions,
  authenticate: HttpPolicies<PaymentWords>["authenticate"],
): HttpPolicies<PaymentWords> {
  const writing = new Writing(assumptions);
  return {
    headers: ["x-admin-key"],
    versionHeaders: ["accept-version", "api-version", "stripe-version", "x-api-version"],
    authenticate,
    nameOf,
    success: (data, route) => writing.success(data, route?.name),
    failure: (error) => writing.failure(error),
    statusOf: (error) => writing.statusOf(error),
    errorOf: (problem, route) =>
      errorOf(problem, route?.assumes.includes("http.minimum-amount") ? assumptions.value("http.minimum-amount") : 1),
    errorOfCode: (code) => new ApiError(code as ErrorCode),
    largestBody: () => assumptions.overrides["http.bounds"]?.body ?? LARGEST_BODY,
    successStatus: (route) => successStatusOf(assumptions.value("http.success-status"), route),
    idempotencyLifetime: () => assumptions.value("http.idempotency-key"),
    failureOfStatus: (status) => writing.failure(new ApiError(writing.codeOfStatus(status), { status })),
    // A decline stands, and so does its answer.
    keepsAnswer: ({ status, code }) => status < 300 || isDecline(code),
    isRefusal({ status, code }) {
      const meant = meantStatus({ status, code });
      return meant >= 400 && meant < 500 && !isDecline(code);
    },
    unknownFields: () => assumptions.value("http.unknown-fields"),
    order: () => assumptions.overrides["http.order"],
    usualCredential: "bearer",
    rateLimit: () => assumptions.value("http.rate-limit"),
    crossOrigin: () => assumptions.value("http.cors"),
    onRequest: (method) => assumptions.use(method === "HEAD" || method === "OPTIONS" ? OF_OTHER_METHODS : OF_REQUESTS),
    onCall({ assumes, query, body, accepts = ["json"] }) {
      assumptions.use(assumes);
      if (body !== undefined && accepts.includes("json")) assumptions.use(["http.media-types"]);
      if (query !== undefined || accepts.includes("form")) assumptions.use(["http.repeated-parameters"]);
    },
    onFailure: () => assumptions.use(OF_FAILURES),
    onVersion: () => assumptions.use(["http.versioning"]),
  };
}

/** Returns the status of a route's success (`http.success-status`). */
export function successStatusOf(
  value: AssumptionValue<"http.success-status">,
  { name, creates }: AnyRoute<PaymentWords>,
): number {
  if (typeof value === "number") return creates === true ? value : 200;
  const statuses: Readonly<Partial<Record<string, number>>> = value;
  return statuses[name] ?? 200;
}

function nameOf(caller: Caller): string {
  if (caller.kind === "merchant") return caller.merchantId;
  return caller.kind === "client-key" ? `client key of ${caller.intentId}` : caller.kind;
}
