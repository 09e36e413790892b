import { bySessionToken } from "../fields.ts";
import { errorPage } from "../page.ts";
import { defineRoute } from "../route.ts";
import { pagePaths, pathsOfDocument } from "../wire/paths.ts";
import type { Checkout } from "./commands.ts";
import { hostedPage, hostedPageForm, submitHostedPage } from "./page.ts";
import {
  checkoutSession,
  createCheckoutBody,
  createdCheckout,
  polledCheckout,
  processCheckoutBody,
  processedCheckout,
} from "../schemas/checkout.ts";

const route = defineRoute<Checkout>();

/** Checkout (4.2), and the hosted page. */
export const checkoutRoutes = [
  route({
    name: "checkout.create",
    /** Creates a checkout session (4.2, answer 2.5). */
    client: "checkout.create",
    summary: "Create a checkout session",
    source: "4.2",
    service: "api",
    method: "POST",
    path: pathsOfDocument["checkout.create"],
    credential: "bearer",
    body: createCheckoutBody,
    data: createdCheckout,
    creates: true,
    errors: [],
    assumes: [
      "checkout.lifetime",
      "checkout.url",
      "checkout.payment",
      "checkout.retry",
      "checkout.third-party",
      "intent.currency",
      "intent.fee",
      "intent.ids",
      "http.external-id",
      "http.bounds",
      "http.texts",
      "http.bodies",
    ],
    check: (fields, checkout) => checkout.problems(fields),
    handle: ({ body, merchantId, publicUrl }, checkout) => ({ data: checkout.create(merchantId, body, publicUrl) }),
  }),
  route({
    name: "checkout.session",
    /** Reads a session as the administrator; needs the option `adminKey` (4.2, `checkout.bodies`). */
    client: "checkout.session",
    summary: "Read a checkout session as the administrator",
    source: "4.2",
    service: "api",
    method: "GET",
    path: pathsOfDocument["checkout.session"],
    credential: "admin-key",
    ...bySessionToken,
    data: checkoutSession,
    crossOrigin: false,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["checkout.bodies", "checkout.expired-token"],
    handle: ({ params, publicUrl }, checkout) => ({ data: checkout.session(params.sessionToken, publicUrl) }),
  }),
  route({
    name: "checkout.process",
    /** Pays a session without the hosted page (4.2, `checkout.bodies`). */
    client: "checkout.process",
    summary: "Process the payment of a checkout session",
    source: "4.2",
    service: "api",
    method: "POST",
    path: pathsOfDocument["checkout.process"],
    credential: "bearer",
    ...bySessionToken,
    body: processCheckoutBody,
    data: processedCheckout,
    errors: [
      "SESSION_NOT_FOUND",
      "PAYMENT_METHOD_INVALID",
      "INTENT_ALREADY_CONFIRMED",
      "INSUFFICIENT_FUNDS",
      "3D_SECURE_REQUIRED",
    ],
    assumes: [
      "auth.scope",
      "checkout.bodies",
      "checkout.moves",
      "checkout.expired-token",
      "intent.processing-time",
      "intent.decline",
      "intent.confirm-twice",
      "intent.challenge-error",
      "intent.display-details",
    ],
    find: ({ params, merchantId }, checkout) => void checkout.existing(params.sessionToken, merchantId),
    handle({ params, body, merchantId, publicUrl }, checkout) {
      const processed = checkout.process(merchantId, params.sessionToken, body, publicUrl);
      return "declined" in processed ? processed : { data: processed };
    },
  }),
  route({
    name: "checkout.polling",
    /** Polls the status of a session (4.2, `checkout.bodies`). */
    client: "checkout.poll",
    summary: "Poll the status of a checkout session",
    source: "4.2",
    service: "api",
    method: "GET",
    path: pathsOfDocument["checkout.polling"],
    credential: "bearer",
    ...bySessionToken,
    data: polledCheckout,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["auth.scope", "checkout.bodies", "checkout.expired-token"],
    handle: ({ params, merchantId }, checkout) => ({ data: checkout.poll(merchantId, params.sessionToken) }),
  }),
  route({
    name: "checkout.page",
    summary: "Open the hosted page",
    source: "checkout.url",
    service: "api",
    method: "GET",
    path: pagePaths.session,
    credential: "none",
    errorPage,
    ...bySessionToken,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["checkout.url", "checkout.return"],
    handle: ({ params, publicUrl, asksForPage }, checkout) => ({
      raw: hostedPage(checkout.existing(params.sessionToken), checkout, publicUrl, asksForPage),
    }),
  }),
  route({
    name: "checkout.submit",
    summary: "Pay or cancel on the hosted page",
    source: "checkout.url",
    service: "api",
    method: "POST",
    path: pagePaths.session,
    credential: "none",
    errorPage,
    ...bySessionToken,
    body: hostedPageForm,
    accepts: ["form"],
    idempotent: false,
    errors: ["SESSION_NOT_FOUND", "PAYMENT_METHOD_INVALID"],
    assumes: ["checkout.url", "checkout.return", "checkout.moves"],
    handle: ({ params, body, publicUrl }, checkout) => ({
      raw: submitHostedPage(checkout.existing(params.sessionToken), body, checkout, publicUrl),
    }),
  }),
];
