import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { confirmation, optionalIntentFields } from "../schemas/payment-intents.ts";
import { usualConfirmForm } from "../wire/confirm-call.ts";
import { bodiesOf } from "../wire/route-bodies.ts";
import { queryOf } from "../wire/return-query.ts";
import { duration } from "./duration.ts";
import { otherBodies } from "./other-bodies.ts";

const answerOfConfirm = { "payment-intent.confirm": confirmation };

const ratio = z.strictObject({
  /** Percent of the amount. */
  percent: z.number().check(z.minimum(0), z.maximum(100)),
  /** Centavos on top. */
  fixed: z.int().check(z.minimum(0)),
});

/** Payment intents (4.1). */
export const intentAssumptions = {
  "intent.create-fields": choice(
    "Which fields of create are required",
    "Only `amount`; a list names others that are required, too. `description` is empty by default",
    z.array(z.enum(optionalIntentFields)),
    [],
    { alternatives: [["description", "externalId"], ["contact.name", "contact.email"], ["returnUrl"]] },
  ),
  "intent.pending": choice(
    "The status at creation",
    "The create response says `pending`; the next status read says `requires_payment_method`",
    z.enum(["pending", "requires_payment_method"]),
    "pending",
    { departs: { part: "4.1" } },
  ),
  "intent.moves": fixed(
    "What causes each move",
    "Confirming attaches the method and confirms it at once; while the processor is down, the intent stays `requires_confirmation`",
    "A recording shows what an intent becomes, not what moves it, and nobody can let the real processor fail.",
  ),
  "intent.processing-time": choice(
    "How long `processing` lasts",
    "Until the clock next settles or moves",
    duration,
    "0 seconds",
    { alternatives: ["10 seconds"] },
  ),
  "intent.authentication": choice(
    "How long a challenge stays open",
    "Card 1 hour, GCash 4 hours, GrabPay 15 minutes; then it fails with `authentication_expired`",
    z.strictObject({ card: duration, gcash: duration, grab_pay: duration }),
    { card: "1 hour", gcash: "4 hours", grab_pay: "15 minutes" },
    {
      alternatives: [
        { card: "10 minutes", gcash: "15 minutes", grab_pay: "5 minutes" },
        { card: "24 hours", gcash: "24 hours", grab_pay: "24 hours" },
      ],
    },
  ),
  "intent.challenge-error": choice(
    "When `3D_SECURE_REQUIRED` is answered",
    "When confirm, process or process-payment is repeated while the challenge is open. With `never`, the repeated call answers the open challenge again, as the first did. With `first`, the first call is answered with it already; the error has the fields of the challenge",
    z.enum(["repeat", "never", "first"]),
    "repeat",
    { departs: { part: "3.1", when: (answered) => answered === "first" } },
  ),
  "intent.confirm-twice": choice(
    "Confirm in `processing` or a final state, and process of such a session",
    "`INTENT_ALREADY_CONFIRMED`. With `repeat`, the answer is the intent or the session as it is, whatever method the call names, and nothing is charged",
    z.enum(["refuse", "repeat"]),
    "refuse",
    { departs: { part: "3.1" } },
  ),
  "intent.confirm-request": choice(
    "Body of confirm",
    "`paymentMethodId` or `paymentMethod`, neither if one is attached; `creditCardDetails` with `card`. `method` names the only field of the two that is read, and with `required` a call names the method also when one is attached",
    z.strictObject({
      method: z.enum(["either", "paymentMethodId", "paymentMethod"]),
      attached: z.enum(["optional", "required"]),
    }),
    usualConfirmForm,
    { departs: { part: "4.1", when: ({ method }) => method === "paymentMethod" } },
  ),
  "intent.contact": fixed(
    "`contact` of an intent",
    "Optional, and each of its fields too; that of confirm replaces that of create field by field",
    "No answer and no event shows the contact of an intent; `intent.create-fields` says whether it is required.",
  ),
  "intent.methods": fixed(
    "What a payment method is named by",
    "The id of a test method, a kind (`card`, `gcash`, `grab_pay`), or the id of a card that the merchant stored; any other is `PAYMENT_METHOD_INVALID`",
    "Test methods are Centavo's own, and each real service has others.",
  ),
  "intent.cards": fixed(
    "Cards sent by number",
    "Must pass the Luhn check; a number that no test method has is approved; after its month a card is declined as `card_expired`",
    "Test cards are Centavo's own, and no recording holds the number of a card.",
  ),
  "intent.payment-methods": choice(
    "`paymentMethods` of an intent",
    "`gcash`, `grab_pay` and `card`, for every merchant. A list names those that answers show; any method can pay",
    z.array(z.enum(["gcash", "grab_pay", "card"])),
    ["gcash", "grab_pay", "card"],
    { alternatives: [["card"], ["card", "gcash", "grab_pay"]] },
  ),
  "intent.session-token": fixed(
    "What the `sessionToken` of an intent opens",
    "Nothing; only checkout sessions have a page",
    "No call of the document takes it, so no exchange shows what it opens.",
  ),
  "intent.currency": fixed(
    "Currency of intents and checkout sessions",
    "PHP; an invoice has that of its plan",
    "No answer and no event of the document shows the currency of an intent or a session.",
  ),
  "intent.card-details": choice(
    "`creditCardDetails` beside a method's id instead of `card`",
    "The id decides; the details are not used, which is noted in the journal",
    z.enum(["note", "refuse"]),
    "note",
  ),
  "intent.confirm-response": choice(
    "Answer of confirm",
    "The SDK shape in the envelope, with `id` beside `intentId`; a template for `payment-intent.confirm` shapes it otherwise",
    bodiesOf(answerOfConfirm),
    {},
    { departs: { part: "2.4" }, alternatives: otherBodies(answerOfConfirm) },
  ),
  "intent.decline": choice(
    "Declined at once or later",
    "The test method decides; most declines come later. With `at-once`, confirm, process and process-payment answer each decline that needs no challenge: `INSUFFICIENT_FUNDS` with its error, all others, for which the document has no error, with the status `failed`. With `later`, `processing` comes before each decline. A fault that is `synchronous` comes at once in any case",
    z.enum(["by-method", "at-once", "later"]),
    "by-method",
    { departs: { part: "7", when: (declined) => declined === "later" } },
  ),
  "intent.cancel": fixed(
    "How an intent is canceled",
    "By the service's back office; `sim.intents.cancel(id)` plays its part",
    "The document has no call that cancels an intent, so a recording shows that one is canceled, not by what.",
  ),
  "intent.display-details": fixed(
    "What produces `display_details`",
    "The method `pm_display_details`",
    "Test methods are Centavo's own, and each real service has others.",
  ),
  "intent.return": choice(
    "Query added to the return URL",
    "`intentId`, `externalId`, `status`, appended to `returnUrl`. An object by parameter has others, as texts with these in braces",
    queryOf(["intentId", "externalId", "status"]),
    { intentId: "{intentId}", externalId: "{externalId}", status: "{status}" },
    { alternatives: [{}, { payment_intent: "{intentId}", redirect_status: "{status}" }] },
  ),
  "intent.fee": choice(
    "Unit and size of `fee`",
    "Centavos, rounded half up, never above the amount; 0 until the method is known",
    z.strictObject({ card: ratio, gcash: ratio, grab_pay: ratio }),
    { card: { percent: 3.5, fixed: 1500 }, gcash: { percent: 2.5, fixed: 0 }, grab_pay: { percent: 2.2, fixed: 0 } },
    {
      alternatives: [
        {
          card: { percent: 3.125, fixed: 1339 },
          gcash: { percent: 2.23, fixed: 0 },
          grab_pay: { percent: 1.96, fixed: 0 },
        },
      ],
    },
  ),
  "intent.ids": fixed(
    "Shapes of ids",
    "A prefix and 24 base-62 characters, of which 20 are from the seed and the last are `Fake`; session tokens are UUIDs",
    "Ids differ in every world, so recordings are compared without them.",
  ),
} as const satisfies AssumptionTable;
