import { bySessionToken } from "../fields.ts";
import { defineRoute } from "../route.ts";
import { SESSION_PATH, pathsOfDocument } from "../wire/paths.ts";
import type { Subscriptions } from "./commands.ts";
import { sessionProblems } from "./refusals.ts";
import {
  cancelQuery,
  changedSubscription,
  changeMethodBody,
  changePlanBody,
  createPlanBody,
  initiateBody,
  initiatedSubscription,
  listPlansQuery,
  listSubscriptionsQuery,
  planList,
  planPath,
  planView,
  processedPayment,
  processPaymentBody,
  subscriptionList,
  subscriptionPath,
  subscriptionView,
} from "../schemas/subscriptions.ts";

const route = defineRoute<Subscriptions>();

/** Plans and subscriptions (4.3). */
export const subscriptionRoutes = [
  route({
    name: "subscription-plan.create",
    /** Creates a plan (`subscription.plan`). */
    client: "plans.create",
    summary: "Create a plan",
    source: "4.3",
    service: "api",
    method: "POST",
    path: pathsOfDocument["subscription-plan.create"],
    credential: "bearer",
    body: createPlanBody,
    data: planView,
    creates: true,
    errors: [],
    assumes: ["auth.scope", "http.routing", "http.minimum-amount", "subscription.plan"],
    check: ({ body }, subscriptions) => subscriptions.plans.problems(body),
    handle: ({ body, merchantId }, subscriptions) => ({ data: subscriptions.plans.create(merchantId, body) }),
  }),
  route({
    name: "subscription-plan.list",
    /**
     * Lists plans, newest first (`subscription.bodies`).
     * @param query.limit 1 to 100, 10 by default
     * @param query.after the id of a plan; the page starts after it
     */
    client: "plans.list",
    summary: "List plans",
    source: "4.3",
    service: "api",
    method: "GET",
    path: pathsOfDocument["subscription-plan.list"],
    credential: "bearer",
    query: listPlansQuery,
    data: planList,
    errors: [],
    assumes: ["auth.scope", "http.routing", "subscription.plan", "subscription.bodies"],
    check: ({ query, merchantId }, { plans }) => plans.cursorProblems(merchantId, query.after),
    handle: ({ query, merchantId }, subscriptions) => ({ data: subscriptions.plans.list(merchantId, query) }),
  }),
  route({
    name: "subscription-plan.get",
    /** Reads a plan. @throws {ServiceError} `PLAN_NOT_FOUND` */
    client: "plans.get",
    summary: "Read a plan",
    source: "4.3",
    service: "api",
    method: "GET",
    path: pathsOfDocument["subscription-plan.get"],
    credential: "bearer",
    params: planPath,
    data: planView,
    errors: ["PLAN_NOT_FOUND"],
    assumes: ["auth.scope", "http.routing", "subscription.plan"],
    handle: ({ params, merchantId }, subscriptions) => ({ data: subscriptions.plans.show(merchantId, params.planId) }),
  }),
  route({
    name: "subscription.initiate",
    /** Starts a subscription with an open first invoice. It is cancelled if that stays unpaid for 24 hours (`subscription.initiate`). */
    client: "subscriptions.initiate",
    summary: "Start a subscription",
    source: "4.3",
    service: "api",
    method: "POST",
    path: pathsOfDocument["subscription.initiate"],
    credential: "bearer",
    body: initiateBody,
    data: initiatedSubscription,
    creates: true,
    errors: ["PLAN_NOT_FOUND"],
    assumes: [
      "auth.scope",
      "http.routing",
      "subscription.initiate",
      "subscription.fields",
      "subscription.invoice",
      "http.external-id",
      "http.texts",
      "intent.ids",
    ],
    check: (fields, subscriptions) => subscriptions.problems(fields),
    handle: ({ body, merchantId, publicUrl }, subscriptions) => ({
      data: subscriptions.initiate(merchantId, body, publicUrl),
    }),
  }),
  route({
    name: "subscription.process-payment",
    /**
     * Pays the first invoice (`subscription.process-payment`), or later an open invoice whose payment failed
     * (`subscription.manual-payment`).
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED` when nothing is due,
     *   `INVALID_STATE`, `PAYMENT_METHOD_INVALID`
     */
    client: "subscriptions.processPayment",
    summary: "Pay the open invoice of a subscription",
    source: "4.3",
    service: "api",
    method: "POST",
    path: pathsOfDocument["subscription.process-payment"],
    credential: "bearer",
    body: processPaymentBody,
    data: processedPayment,
    errors: [
      "SUBSCRIPTION_NOT_FOUND",
      "SESSION_NOT_FOUND",
      "PAYMENT_METHOD_INVALID",
      "INTENT_ALREADY_CONFIRMED",
      "INVALID_STATE",
      "INSUFFICIENT_FUNDS",
      "3D_SECURE_REQUIRED",
    ],
    assumes: [
      "auth.scope",
      "http.routing",
      "subscription.process-payment",
      "subscription.first-failure",
      "subscription.manual-payment",
      "subscription.off-session-challenge",
      "subscription.wallets",
      "subscription.wrong-state",
      "intent.challenge-error",
      "intent.display-details",
    ],
    check: ({ body: { subscriptionId = "", sessionToken }, merchantId }, subscriptions) =>
      sessionProblems(merchantId, subscriptions.get(subscriptionId), sessionToken),
    handle({ body, merchantId, publicUrl }, subscriptions) {
      const processed = subscriptions.processPayment(merchantId, body, publicUrl);
      return "declined" in processed ? processed : { data: processed };
    },
  }),
  route({
    name: "subscription.session",
    /** Reads a subscription by its session token (`subscription.session`). @throws {ServiceError} `SESSION_NOT_FOUND` */
    client: "subscriptions.session",
    summary: "Read the session of a subscription",
    source: "subscription.session",
    service: "api",
    method: "GET",
    path: SESSION_PATH,
    credential: "bearer",
    ...bySessionToken,
    data: initiatedSubscription,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["auth.scope", "http.routing", "subscription.session", "subscription.fields"],
    handle: ({ params, merchantId, publicUrl }, subscriptions) => ({
      data: subscriptions.session(merchantId, params.sessionToken, publicUrl),
    }),
  }),
  route({
    name: "subscription.get",
    /** Reads a subscription with its latest invoice. @throws {ServiceError} `SUBSCRIPTION_NOT_FOUND` */
    client: "subscriptions.get",
    summary: "Read a subscription",
    source: "4.3",
    service: "api",
    method: "GET",
    path: pathsOfDocument["subscription.get"],
    credential: "bearer",
    params: subscriptionPath,
    data: subscriptionView,
    errors: ["SUBSCRIPTION_NOT_FOUND"],
    assumes: ["auth.scope", "subscription.fields", "subscription.invoice"],
    handle: ({ params, merchantId, publicUrl }, subscriptions) => ({
      data: subscriptions.show(merchantId, params.subscriptionId, publicUrl),
    }),
  }),
  route({
    name: "subscription.list",
    /**
     * Lists subscriptions, newest first (`subscription.bodies`).
     * @param query.limit 1 to 100, 10 by default
     */
    client: "subscriptions.list",
    summary: "List subscriptions",
    source: "4.3",
    service: "api",
    method: "GET",
    path: pathsOfDocument["subscription.list"],
    credential: "bearer",
    query: listSubscriptionsQuery,
    data: subscriptionList,
    errors: [],
    assumes: ["auth.scope", "subscription.bodies", "subscription.fields"],
    handle: ({ query, merchantId }, subscriptions) => ({ data: subscriptions.list(merchantId, query) }),
  }),
  route({
    name: "subscription.change-plan",
    /** Changes the plan from the next invoice on (`subscription.plan-change`). @throws {ServiceError} `PLAN_NOT_FOUND`, `INVALID_STATE` */
    client: "subscriptions.changePlan",
    summary: "Change the plan from the next cycle on",
    source: "4.3",
    service: "api",
    method: "PATCH",
    path: pathsOfDocument["subscription.change-plan"],
    credential: "bearer",
    params: subscriptionPath,
    body: changePlanBody,
    data: subscriptionView,
    errors: ["SUBSCRIPTION_NOT_FOUND", "PLAN_NOT_FOUND", "INVALID_STATE"],
    assumes: ["auth.scope", "subscription.bodies", "subscription.plan-change", "subscription.wrong-state"],
    find: ({ params, merchantId }, subscriptions) => void subscriptions.owned(merchantId, params.subscriptionId),
    handle: ({ params, body, merchantId, publicUrl }, subscriptions) => ({
      data: subscriptions.changePlan(merchantId, params.subscriptionId, body.planId, publicUrl),
    }),
  }),
  route({
    name: "subscription.change-payment-method",
    /**
     * Changes the payment method. A `past_due` or `unpaid` subscription charges it at once for the oldest open invoice
     * (`subscription.manual-payment`). The answer has that invoice as `invoice`; if the card requires a challenge, its
     * `paymentIntent.redirectUrl` leads to it.
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `PAYMENT_METHOD_INVALID`, `INVALID_STATE`
     */
    client: "subscriptions.changePaymentMethod",
    summary: "Change the payment method",
    source: "4.3",
    service: "api",
    method: "PATCH",
    path: pathsOfDocument["subscription.change-payment-method"],
    credential: "bearer",
    params: subscriptionPath,
    body: changeMethodBody,
    data: changedSubscription,
    errors: ["SUBSCRIPTION_NOT_FOUND", "PAYMENT_METHOD_INVALID", "INVALID_STATE", "INSUFFICIENT_FUNDS"],
    assumes: [
      "auth.scope",
      "subscription.bodies",
      "subscription.manual-payment",
      "subscription.wallets",
      "subscription.wrong-state",
    ],
    find: ({ params, merchantId }, subscriptions) => void subscriptions.owned(merchantId, params.subscriptionId),
    handle({ params, body, merchantId, publicUrl }, subscriptions) {
      const changed = subscriptions.changeMethod(merchantId, params.subscriptionId, body.paymentMethodId, publicUrl);
      return "declined" in changed ? changed : { data: changed };
    },
  }),
  route({
    name: "subscription.cancel",
    /** Cancels at once (`subscription.cancel`). @throws {ServiceError} `INVALID_STATE` if it has already ended */
    client: "subscriptions.cancel",
    summary: "Cancel a subscription",
    source: "4.3",
    service: "api",
    method: "DELETE",
    path: pathsOfDocument["subscription.cancel"],
    credential: "bearer",
    params: subscriptionPath,
    query: cancelQuery,
    data: subscriptionView,
    errors: ["SUBSCRIPTION_NOT_FOUND", "INVALID_STATE"],
    assumes: ["auth.scope", "subscription.bodies", "subscription.cancel", "subscription.wrong-state"],
    find: ({ params, merchantId }, subscriptions) => void subscriptions.owned(merchantId, params.subscriptionId),
    handle: ({ params, query, merchantId, publicUrl }, subscriptions) => ({
      data: subscriptions.cancel(
        merchantId,
        params.subscriptionId,
        query.reason === "" ? undefined : query.reason,
        publicUrl,
      ),
    }),
  }),
];
