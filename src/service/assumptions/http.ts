import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { duration } from "./duration.ts";

/** HTTP and time: bodies, errors, bounds, idempotency (parts 1 and 7). */
export const httpAssumptions = {
  "http.success-status": choice(
    "Success status codes",
    "200 for every endpoint; with `201`, calls that create something answer 201",
    z.literal([200, 201]),
    200,
  ),
  "http.error-body": fixed("Wire shape of errors that are not validation errors", "The validation shape plus `code`"),
  "http.error-codes": fixed(
    "Codes and messages",
    "The document's codes keep their names and get a message; its messages keep their words and get a code",
  ),
  "http.error-status": fixed(
    "HTTP status of each error",
    "400 validation, 401 credentials, 402 declines, 404 unknown, 405, 409 state, 413, 415, 429, 500",
  ),
  "http.token-messages": fixed(
    "When each token error applies",
    "No header: UNAUTHORIZED; unknown token: Invalid access token; past `exp`: Token expired",
  ),
  "http.refusals": fixed(
    "What an error changes",
    "A refusal changes nothing; a decline is committed, although its answer is an error",
  ),
  "http.rate-limit": choice(
    "Rate limits",
    "None by default; otherwise a fixed window per merchant, on the virtual clock",
    z.union([z.literal("none"), z.strictObject({ requests: z.int().check(z.minimum(1)), per: duration })]),
    "none",
  ),
  "http.bounds": fixed(
    "Maximum amount, field lengths, metadata size",
    "Amount to 99 999 999 999, strings to 1 000, URLs to 2 048, metadata 50 keys of 500 characters, depth 32, 10 000 fields, objects and lists, body 1 MiB, also after decompression (gzip, deflate, br, zstd)",
  ),
  "http.unknown-fields": choice(
    "Fields that the document does not name",
    "Ignored, and noted in the journal",
    z.enum(["ignore", "refuse"]),
    "ignore",
  ),
  "http.idempotency-key": choice(
    "Idempotency",
    "Header `Idempotency-Key`, kept this long per merchant, method and path; bodies are compared by the fields that the service knows, in any order of keys; 409 `IDEMPOTENCY_KEY_IN_USE` while the first call is being answered; `off` ignores the header",
    z.union([z.literal("off"), duration]),
    "24 hours",
  ),
  "http.external-id": choice(
    "Whether `externalId` must be unique",
    "No; a second use is noted in the journal",
    z.enum(["note", "refuse"]),
    "note",
  ),
  "http.routing": fixed("Overlap of fixed and variable segments", "Fixed segments win"),
  "http.versioning": fixed(
    "Versioning scheme",
    "None in path or header; version headers are ignored and noted in the journal",
  ),
  "http.base-urls": fixed("Base addresses", "The options `baseUrl` and `authUrl`; no environments"),
  "time.boundaries": fixed("Whether a deadline has passed at its exact instant", "Yes"),
  "time.format": fixed("Timestamps", "Always `YYYY-MM-DDTHH:mm:ss.sssZ`"),
} as const satisfies AssumptionTable;
