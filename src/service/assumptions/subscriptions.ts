import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { duration, isIncreasing } from "./duration.ts";
import {
  changedSubscription,
  initiatedSubscription,
  planList,
  planView,
  processedPayment,
  subscriptionEventTypes,
  subscriptionList,
  subscriptionView,
} from "../schemas/subscriptions.ts";
import { pathInsteadOf } from "./path.ts";
import { SESSION_PATH } from "../wire/paths.ts";
import { eventBodies, eventShapeOf } from "../wire/event-parts.ts";
import { bodiesOf } from "../wire/route-bodies.ts";
import { otherBodies } from "./other-bodies.ts";
import { philippineService, stripe } from "./other-services.ts";

const plans = { "subscription-plan.create": planView, "subscription-plan.get": planView };
const initiated = { "subscription.initiate": initiatedSubscription };
const processed = { "subscription.process-payment": processedPayment };
const bodies = {
  "subscription-plan.list": planList,
  "subscription.list": subscriptionList,
  "subscription.change-plan": subscriptionView,
  "subscription.change-payment-method": changedSubscription,
  "subscription.cancel": subscriptionView,
};
const fields = { "subscription.get": subscriptionView, "subscription.session": initiatedSubscription };

/** Plans, subscriptions, invoices and their events (4.3). */
export const subscriptionAssumptions = {
  "subscription.plan": choice(
    "Plan fields",
    "`name`, `amount`, `interval` required; `currency` an ISO 4217 code in upper case, PHP by default; `intervalCount` 1. Templates by route shape the answers otherwise",
    bodiesOf(plans),
    {},
    { alternatives: otherBodies(plans) },
  ),
  "subscription.initiate": choice(
    "Body and answer of initiate",
    "`planId` and `contact` required; the subscription with its session token and first invoice. A template for `subscription.initiate` shapes the answer otherwise",
    bodiesOf(initiated),
    {},
    { alternatives: otherBodies(initiated) },
  ),
  "subscription.process-payment": choice(
    "Body of process-payment",
    "`subscriptionId` or `sessionToken`, and `paymentMethodId`; confirm's answer with the subscription. A template for `subscription.process-payment` shapes the answer otherwise",
    bodiesOf(processed),
    {},
    { alternatives: otherBodies(processed) },
  ),
  "subscription.bodies": choice(
    "The other bodies and lists",
    "PATCH `{ planId }` or `{ paymentMethodId }`; the latter also answers `invoice` if one is charged; lists `{ items, hasMore }`, newest first, with a `limit` of 1 to 100, 10 by default. Templates by route shape the answers otherwise",
    bodiesOf(bodies),
    {},
    { alternatives: otherBodies(bodies) },
  ),
  "subscription.session": choice(
    "Path of a subscription session",
    "`GET /api/subscription/session/{sessionToken}`",
    pathInsteadOf(SESSION_PATH),
    SESSION_PATH,
    { alternatives: ["/api/subscription/sessions/{sessionToken}"] },
  ),
  "subscription.fields": choice(
    "Subscription fields",
    "See the schema in the OpenAPI document; period fields are absent until activation. Templates by route shape them otherwise",
    bodiesOf(fields),
    {},
    { alternatives: otherBodies(fields) },
  ),
  "subscription.invoice": fixed(
    "Invoice fields",
    "See the schema; each attempt has its own payment intent, which carries the plan's `currency`; `nextAttemptAt` is the next retry, absent while a payment is under way",
    "An invoice is shown within a subscription or its event alone, and templates shape these (`subscription.fields`, `webhook.subscription`).",
  ),
  "subscription.first-failure": choice(
    "First payment fails",
    "The subscription stays `incomplete` and can be paid until 24 h have passed. With `expire`, it becomes `incomplete_cancelled` at the first failure, as otherwise after 24 h; a payment that is canceled, or that the processor was unavailable for, has not failed",
    z.enum(["retry", "expire"]),
    "retry",
    { departs: { part: "3.3" } },
  ),
  "subscription.late-first-payment": fixed(
    "First payment in flight after 24 h",
    "A payment in `processing` can still activate the subscription; an open challenge is canceled",
    "Nobody can keep a payment of the real service from being decided for 24 hours.",
  ),
  "subscription.renewal": choice(
    "Billing cycle",
    "The anchor is the instant of activation; its day of the month is kept, or the last day of a shorter month, in UTC; a plan with another interval starts a new one at the end of the period. With `day`, the anchor is 00:00 UTC of the day of activation, so all periods begin and end at midnight, and the first is shorter by the time of day",
    z.enum(["instant", "day"]),
    "instant",
  ),
  "subscription.retries": choice(
    "When the 3 retries happen",
    "24, 48 and 72 h after the invoice's first failure; a retry that falls due during another payment of the invoice waits for its end",
    z
      .tuple([duration, duration, duration])
      .check(z.refine(isIncreasing, "each has to be longer than the one before, and the first longer than nothing")),
    ["24 hours", "48 hours", "72 hours"],
    {
      alternatives: [
        ["1 day", "3 days", "5 days"],
        ["6 hours", "12 hours", "24 hours"],
      ],
    },
  ),
  "subscription.off-session-challenge": choice(
    "A renewal whose card asks for a challenge",
    "Is declined with `3D_SECURE_REQUIRED`; with `redirect` the invoice's intent waits in `requires_action`, with the challenge's address, for as long as `intent.authentication` says",
    z.enum(["decline", "redirect"]),
    "decline",
  ),
  "subscription.open-invoices": fixed(
    "Several open invoices",
    "The oldest is charged first, the others once it is paid. An invoice whose payment is in `processing` is not yet unpaid, so the subscription stays `active`; after a failed payment, it is `active` again once all are paid",
    "Two invoices are open only after two failed cycles, and no recording waits for these.",
  ),
  "subscription.recovery": fixed(
    "How a subscription recovers",
    "A paid retry, a new method or a payment by hand makes it `active` again; period boundaries do not move",
    "A renewal of the real service fails after a whole cycle at the earliest, and no recording waits for one.",
  ),
  "subscription.manual-payment": fixed(
    "Paying by hand",
    "With the customer present; counted in `attemptCount`, but not among the 3 retries",
    "It takes a failed renewal, which comes after a whole cycle at the earliest, and no recording waits for one.",
  ),
  "subscription.plan-change": choice(
    "Plan change",
    "Kept as `pendingPlan`, used by the next invoice; a change to the current plan undoes it. Not before the first payment, but also while `past_due` or `unpaid`, unless the value is `refuse-unpaid`; what is pending then stays so",
    z.enum(["allow-unpaid", "refuse-unpaid"]),
    "allow-unpaid",
  ),
  "subscription.cancel": choice(
    "What cancellation does to open invoices",
    "Voids them at once; `keep` leaves them open",
    z.enum(["void", "keep"]),
    "void",
  ),
  "subscription.wrong-state": choice(
    "Commands in the wrong state",
    "409 `INVALID_STATE` naming the state, and `INTENT_ALREADY_CONFIRMED` for a payment of an `active` one. With `ignore`, a call that would change nothing answers the subscription as it is: to cancel one that has ended, or to set the plan or the method that it has. No payment is taken twice: the answer is the payment that is under way or, while `active`, the latest. What would change something is refused as before",
    z.enum(["refuse", "ignore"]),
    "refuse",
  ),
  "subscription.wallets": choice(
    "GCash and GrabPay for renewals",
    "Refused; `allow` accepts them",
    z.enum(["refuse", "allow"]),
    "refuse",
  ),
  "subscription.events": choice(
    "Which events, in which order",
    "The intent's, the invoice's, then the subscription's, of each payment. What a list leaves out, no merchant is told of",
    z
      .array(z.enum(["intent", "invoice", "subscription"]))
      .check(z.refine((parts) => new Set(parts).size === parts.length, "names one of them twice")),
    ["intent", "invoice", "subscription"],
    {
      departs: { part: "6", when: (told) => !told.includes("invoice") || !told.includes("subscription") },
      alternatives: [["subscription", "invoice", "intent"], ["invoice", "subscription"], ["subscription"]],
    },
  ),
  "webhook.subscription": choice(
    "Subscription events",
    "`data.id` is the subscription's id, `attributes` the subscription, with `invoice` if the event is about one; `types` and `body` as in `webhook.checkout`",
    eventShapeOf(subscriptionEventTypes, eventBodies.subscription),
    {},
    {
      departs: { part: "6", when: ({ types = {} }) => Object.keys(types).length > 0 },
      alternatives: [philippineService["webhook.subscription"], stripe["webhook.subscription"]],
    },
  ),
} as const satisfies AssumptionTable;
