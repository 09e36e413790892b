import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { templateOf } from "../../kit/assumptions/template-schema.ts";
import { errorTable } from "../error-table.ts";
import type { ErrorCode } from "../error-table.ts";
import { LARGEST_BODY } from "../../kit/http/body.ts";
import { bounds } from "../bounds.ts";
import { LARGEST_AMOUNT } from "../fields.ts";
import { createdCheckout } from "../schemas/checkout.ts";
import { createdIntent, intentStatusResult } from "../schemas/payment-intents.ts";
import { textForms, usualForms } from "../text-forms.ts";
import { bodiesOf } from "../wire/route-bodies.ts";
import { envelopeOfDocument, envelopeParts, errorBodyOfDocument, errorParts } from "../wire/shapes.ts";
import { pathsOfDocument } from "../wire/paths.ts";
import type { DocumentedOperation } from "../wire/paths.ts";
import { changesDocumentedErrors, changesTokenMessages, changesValidationErrors } from "./departures.ts";
import { duration } from "./duration.ts";
import { otherBodies } from "./other-bodies.ts";
import { otherCodes, otherStatuses } from "./other-errors.ts";
import { philippineService, stripe } from "./other-services.ts";
import { pathsInsteadOf } from "./path.ts";

const bodiesOfDocument = {
  "payment-intent.create": createdIntent,
  "payment-intent.status": intentStatusResult,
  "checkout.create": createdCheckout,
};
const operationsWithData = [
  ...(Object.keys(pathsOfDocument) as DocumentedOperation[]),
  "subscription.session",
  "merchant.register",
] as const;
const statusOfSuccess = z
  .int()
  .check(z.minimum(200), z.maximum(299))
  .check(
    z.refine((status) => ![204, 205].includes(status), "an answer of 204 or 205 has no body, and the client reads one"),
  );
function upTo(most: number) {
  return z.int().check(z.minimum(1), z.maximum(most));
}
const codes = Object.keys(errorTable) as ErrorCode[];
const errorCode = z.enum(codes);
/** Of an invalid refresh token, the status is another row's. */
const codeWithStatus = z.enum(codes.filter((code) => code !== "INVALID_REFRESH_TOKEN"));
const exactness = z.enum(["exact", "ignored"]);
const text = z.string().check(z.minLength(1), z.maxLength(200));
const problemOrder = z.strictObject({
  credential: z.enum(["after-path", "first"]),
  body: z.enum(["after-credential", "first"]),
  resource: z.enum(["after-fields", "before-fields"]),
  fields: z.enum(["all", "first"]),
});

/** HTTP and time: bodies, errors, bounds, idempotency (parts 1 and 7). */
export const httpAssumptions = {
  "http.success-status": choice(
    "Success status codes",
    "200 for every endpoint; with `201`, calls that create something answer 201. An object by operation gives some of them another status, and leaves 200 to all others",
    z.union([z.literal([200, 201]), z.partialRecord(z.enum(operationsWithData), statusOfSuccess)]),
    200,
    { alternatives: { "200 for a cancelled subscription": { "subscription.cancel": 202 } } },
  ),
  "http.envelope": choice(
    "Envelope of a success",
    "`{ success: true, data }`; a template shapes it otherwise, and `{data}` alone leaves it out",
    templateOf(envelopeParts),
    envelopeOfDocument,
    { document: "2", alternatives: [philippineService["http.envelope"], stripe["http.envelope"]] },
  ),
  "http.bodies": choice(
    "Bodies that the document gives",
    "Create and status of a payment intent, and create of a checkout session, as parts 2 and 4 have them; templates by route shape them otherwise",
    bodiesOf(bodiesOfDocument),
    {},
    { document: "2", alternatives: otherBodies(bodiesOfDocument) },
  ),
  "http.error-body": choice(
    "Wire shape of errors that are not validation errors",
    "The validation shape plus `code`; a template shapes all errors otherwise, with `errors` for the fields that are wrong, or `problems` for these or else the error itself. The members of RFC 6749 win in errors of the token call",
    templateOf(errorParts),
    errorBodyOfDocument,
    {
      departs: { part: "7", when: changesValidationErrors },
      alternatives: [philippineService["http.error-body"], stripe["http.error-body"]],
    },
  ),
  "http.error-codes": choice(
    "Codes and messages",
    "The document's codes keep their names and get a message; its messages keep their words and get a code. An object by these codes gives some of them another `code` or `message`, or both",
    z.partialRecord(errorCode, z.strictObject({ code: z.optional(text), message: z.optional(text) })),
    {},
    { departs: { part: "7", when: changesDocumentedErrors }, alternatives: otherCodes },
  ),
  "http.error-status": choice(
    "HTTP status of each error",
    "400 validation, 401 credentials, 402 declines, 404 unknown, 405, 409 state, 413, 415, 429, 500. An object by code gives some of them another status, but for `INVALID_REFRESH_TOKEN` (`auth.token-errors`)",
    z.partialRecord(
      codeWithStatus,
      z.int().check(
        z.minimum(400),
        z.maximum(599),
        z.refine((status) => status !== 407, "407 is the answer of a proxy, and clients of HTTP take it for one"),
      ),
    ),
    {},
    { alternatives: otherStatuses },
  ),
  "http.token-messages": choice(
    "When each token error applies, and its message",
    "No header: UNAUTHORIZED; unknown token: Invalid access token; past `exp`: Token expired. An object gives some of these errors another message; a message of `UNAUTHORIZED` in `http.error-codes` is that of all",
    z.strictObject({ missing: z.optional(text), unknown: z.optional(text), expired: z.optional(text) }),
    {},
    {
      departs: { part: "7", when: changesTokenMessages },
      alternatives: {
        "the message without a header": { missing: "Unauthorized" },
        "the message of a token that has expired": { expired: "Invalid access token" },
      },
    },
  ),
  "http.refusals": fixed(
    "What an error changes",
    "A refusal changes nothing; a decline is committed, although its answer is an error",
    "What an error changes besides, other rows say, such as `intent.decline` and `checkout.retry`.",
  ),
  "http.rate-limit": choice(
    "Rate limits",
    "None by default; otherwise a fixed window per merchant, on the virtual clock",
    z.union([z.literal("none"), z.strictObject({ requests: z.int().check(z.minimum(1)), per: duration })]),
    "none",
    {
      alternatives: [
        { requests: 100, per: "1 minute" },
        { requests: 10, per: "1 second" },
      ],
    },
  ),
  "http.bounds": choice(
    "Maximum amount, field lengths, metadata size",
    "Amount to 99 999 999 999, strings to 1 000, URLs to 2 048, metadata 50 keys of 500 characters, depth 32, 10 000 fields, objects and lists, body 1 MiB, also after decompression (gzip, deflate, br, zstd). An object makes some of them smaller; Centavo itself takes no more",
    z.strictObject({
      amount: z.optional(upTo(bounds.amount.usual)),
      text: z.optional(upTo(bounds.text.usual)),
      url: z.optional(upTo(bounds.url.usual)),
      metadataKeys: z.optional(upTo(bounds.metadataKeys.usual)),
      metadataValue: z.optional(upTo(bounds.metadataValue.usual)),
      body: z.optional(upTo(LARGEST_BODY)),
    }),
    {},
    { alternatives: { "texts of 1 000 characters": { text: 255 }, "50 keys of metadata": { metadataKeys: 20 } } },
  ),
  "http.minimum-amount": choice(
    "Least amount of an intent and of a plan",
    "1 centavo, with the message that the document has for checkout sessions; a larger value does not change those",
    z.int().check(z.minimum(1), z.maximum(LARGEST_AMOUNT)),
    1,
    { alternatives: [2000, 10_000] },
  ),
  "http.texts": choice(
    "Form of names, e-mail addresses, phone numbers and URLs",
    "A name, an address and a number are any text that is not empty (`filled`); a URL is http or https, without a user name or password. With `any`, the text may be empty. With `address`, it is an e-mail address, and with `international` a number as E.164 has it, such as `+639171234567`. With `https`, no URL is http",
    textForms,
    usualForms,
  ),
  "http.metadata": choice(
    "What `metadata` may hold",
    "Any JSON values under any keys, returned as sent, but no list; `{}` where an answer or event shows it and none was sent. With `texts`, each value has to be a text",
    z.enum(["any", "texts"]),
    "any",
  ),
  "http.unknown-fields": choice(
    "Fields that the document does not name",
    "Ignored, and noted in the journal",
    z.enum(["ignore", "refuse"]),
    "ignore",
  ),
  "http.idempotency-key": choice(
    "Idempotency",
    "Header `Idempotency-Key`, kept this long per merchant, method and path; bodies are compared by the fields that the service knows, in any order of keys; 409 `IDEMPOTENCY_KEY_IN_USE` while the first call is being answered; successes and declines are kept, and come again with `Idempotent-Replayed: true`; `off` ignores the header",
    z.union([z.literal("off"), duration]),
    "24 hours",
    { alternatives: ["5 minutes"] },
  ),
  "http.external-id": choice(
    "Whether `externalId` must be unique",
    "No; a second use is noted in the journal",
    z.enum(["note", "refuse"]),
    "note",
  ),
  "http.routing": fixed(
    "Overlap of fixed and variable segments",
    "Fixed segments win",
    "No id of a real service is spelled like a fixed segment, so no call shows which of the two wins.",
  ),
  "http.paths": choice(
    "A slash at the end of a path, and its case",
    "Both make another path, which is not found, unless they are `ignored`; variable segments are percent-decoded, and keep their case",
    z.strictObject({ slash: exactness, case: exactness }),
    { slash: "exact", case: "exact" },
  ),
  "http.endpoints": choice(
    "Paths of the endpoints",
    "Those of part 4. An object by operation gives some of them another path, with the same variables; the method stays. The rows `auth.paths`, `subscription.session` and `checkout.url` have the other paths",
    pathsInsteadOf(pathsOfDocument),
    {},
    {
      document: "4",
      alternatives: { "the path of a new payment intent": { "payment-intent.create": "/v1/payment_intents" } },
    },
  ),
  "http.methods": fixed(
    "HEAD and OPTIONS",
    "HEAD is answered as GET, without a body; OPTIONS as a preflight, with 204; neither has a row in the document",
    "No client of the service sends HEAD, and what a page may read after OPTIONS, `http.cors` says.",
  ),
  "http.media-types": fixed(
    "What counts as a JSON body",
    "`application/json` and `application/…+json`, in UTF-8 with or without a byte order mark; of two fields of one name the last counts; a call without required fields may leave its body out",
    "Every client of the service sends `application/json` in UTF-8 and names a field once, so recordings hold nothing else.",
  ),
  "http.repeated-parameters": fixed(
    "A parameter that a query or form gives twice",
    "400 for one that the service knows; any other is ignored like an unknown field",
    "No client sends a parameter twice, so recordings hold no such call.",
  ),
  "http.order": choice(
    "Which of several problems is answered",
    "The first of: path, method, credential, rate limit, body, then all offending fields at once, then what the call names, then its state. The credential or the body can come `first`, what the path names `before-fields`, and of the fields the `first` alone can be answered",
    problemOrder,
    { credential: "after-path", body: "after-credential", resource: "after-fields", fields: "all" },
  ),
  "http.cors": choice(
    "Whether a page of another origin may read answers",
    "Any page (`*`), except those of `/oauth`, `/merchants` and the administrator's read, for which a page would hold a secret; `none` allows no page anything",
    z.enum(["any", "none"]),
    "any",
  ),
  "http.versioning": fixed(
    "Versioning scheme",
    "None in path or header; version headers are ignored and noted in the journal",
    "A version in a path is a part of it, which `http.endpoints` can say, and no answer tells that a header was read.",
  ),
  "http.base-urls": fixed(
    "Base addresses",
    "The options `baseUrl` and `authUrl`; no environments",
    "Whoever records says at which addresses the real service is.",
  ),
  "time.boundaries": fixed(
    "Whether a deadline has passed at its exact instant",
    "Yes",
    "The clocks of two machines differ, so no recording shows what happens at an exact instant.",
  ),
  "time.format": fixed(
    "Timestamps",
    "Always `YYYY-MM-DDTHH:mm:ss.sssZ`",
    "Times differ in every recording, so recordings are compared without them.",
  ),
} as const satisfies AssumptionTable;
