import { z } from "zod";
import { choice, fixed } from "../../assumptions/entry.ts";
import type { AssumptionTable } from "../../assumptions/entry.ts";
import { duration } from "./duration.ts";

/** HTTP and time: bodies, errors, bounds, idempotency (parts 1 and 7). */
export const httpAssumptions = {
  "http.success-status": choice(
    "Success status codes",
    "200 for every endpoint; 201 for what creates something is the other value",
    z.literal([200, 201]),
    200,
  ),
  "http.error-body": fixed("Wire shape of errors that are not validation errors", "The validation shape plus `code`"),
  "http.error-codes": fixed(
    "Codes and messages",
    "Named codes keep their name and get a sentence; sentences keep their words and get a code",
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
    "A refusal changes nothing; a decline is a committed command whose answer is an error",
  ),
  "http.rate-limit": choice(
    "Rate limits",
    "None; else a fixed window per merchant on the virtual clock",
    z.union([z.literal("none"), z.strictObject({ requests: z.int().min(1), per: duration })]),
    "none",
  ),
  "http.bounds": fixed(
    "Maximum amount, field lengths, metadata size",
    "Amount to 99 999 999 999, strings to 1 000, URLs to 2 048, metadata 50 keys of 500 characters, depth 32, body 1 MiB",
  ),
  "http.unknown-fields": choice(
    "Fields that the document does not name",
    "Ignored, and noted in the journal",
    z.enum(["ignore", "refuse"]),
    "ignore",
  ),
  "http.idempotency-key": choice(
    "Idempotency",
    "Header `Idempotency-Key`, kept this long per merchant, method and path; bodies are compared by the fields that the service knows; `off` ignores the header",
    z.union([z.literal("off"), duration]),
    "24 hours",
  ),
  "http.external-id": choice(
    "Is `externalId` enforced to be unique",
    "No; a second use is noted in the journal",
    z.enum(["note", "refuse"]),
    "note",
  ),
  "http.routing": fixed("Overlap of fixed and variable segments", "Fixed segments win"),
  "http.versioning": fixed("Versioning scheme", "None in path or header; version headers are ignored and noted"),
  "http.base-urls": fixed("Base addresses", "The options `baseUrl` and `authUrl`; no environments"),
  "time.boundaries": fixed("Is a deadline passed at its exact instant", "Yes"),
  "time.format": fixed("Timestamps", "Always `YYYY-MM-DDTHH:mm:ss.sssZ`"),
} as const satisfies AssumptionTable;
