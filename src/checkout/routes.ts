import { z } from "zod";
import { ApiError } from "../http/errors.ts";
import { seeOther } from "../http/page.ts";
import { defineRoute } from "../http/route.ts";
import { cardDetails } from "../payment-methods/schema.ts";
import type { Checkout, CheckoutRow } from "./commands.ts";
import { checkoutPage } from "./page.ts";
import { checkoutSession, createCheckoutBody, createdCheckout, polledCheckout, processCheckoutBody, processedCheckout, sessionPath } from "./schema.ts";

const route = defineRoute<Checkout>();

/** What the hosted page posts: a method by its kind or id, the card's fields beside it, and which button was pressed. */
const hostedPageForm = z.object({
  action: z.enum(["pay", "cancel"]),
  method: z.string().optional(),
  cardNumber: z.string().optional(),
  expMonth: z.string().optional(),
  expYear: z.string().optional(),
  cvc: z.string().optional(),
});

/** Checkout (4.2), and the hosted page. */
export const checkoutRoutes = [
  route({
    name: "checkout.create",
    summary: "Create a checkout session",
    source: "4.2",
    service: "api",
    method: "POST",
    path: "/api/checkout",
    credential: "bearer",
    body: createCheckoutBody,
    data: createdCheckout,
    creates: true,
    errors: [],
    assumes: ["checkout.lifetime", "checkout.url", "checkout.payment", "checkout.retry", "intent.fee", "intent.ids", "http.external-id", "http.bounds"],
    handle: ({ body, merchantId, publicUrl }, checkout) => ({ data: checkout.create(merchantId, body, publicUrl) }),
  }),
  route({
    name: "checkout.session",
    summary: "Read a checkout session as an administrator",
    source: "4.2",
    service: "api",
    method: "GET",
    path: "/api/checkout/session/{sessionToken}",
    credential: "admin-key",
    params: sessionPath,
    data: checkoutSession,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["checkout.bodies", "checkout.expired-token"],
    handle: ({ params, publicUrl }, checkout) => ({ data: checkout.session(params.sessionToken, publicUrl) }),
  }),
  route({
    name: "checkout.process",
    summary: "Process the payment of a checkout session",
    source: "4.2",
    service: "api",
    method: "POST",
    path: "/api/checkout/process/{sessionToken}",
    credential: "bearer",
    params: sessionPath,
    body: processCheckoutBody,
    data: processedCheckout,
    errors: ["SESSION_NOT_FOUND", "PAYMENT_METHOD_INVALID", "INTENT_ALREADY_CONFIRMED", "INSUFFICIENT_FUNDS", "3D_SECURE_REQUIRED"],
    assumes: ["auth.scope", "checkout.bodies", "checkout.moves", "checkout.expired-token", "intent.processing-time", "intent.decline"],
    handle({ params, body, merchantId, publicUrl }, checkout) {
      const processed = checkout.process(merchantId, params.sessionToken, body, publicUrl);
      return "declined" in processed ? processed : { data: processed };
    },
  }),
  route({
    name: "checkout.polling",
    summary: "Poll the status of a checkout session",
    source: "4.2",
    service: "api",
    method: "GET",
    path: "/api/checkout/polling/{sessionToken}",
    credential: "bearer",
    params: sessionPath,
    data: polledCheckout,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["auth.scope", "checkout.bodies", "checkout.expired-token"],
    handle: ({ params, merchantId }, checkout) => ({ data: checkout.poll(merchantId, params.sessionToken) }),
  }),
  route({
    name: "checkout.page",
    summary: "The hosted page on which the customer pays",
    source: "checkout.url",
    service: "api",
    method: "GET",
    path: "/pay/{sessionToken}",
    credential: "none",
    params: sessionPath,
    errors: ["SESSION_NOT_FOUND"],
    assumes: ["checkout.url", "checkout.return"],
    handle: ({ params }, checkout) => ({ raw: checkoutPage(known(checkout, params.sessionToken), checkout) }),
  }),
  route({
    name: "checkout.submit",
    summary: "The customer pays or gives up on the hosted page",
    source: "checkout.url",
    service: "api",
    method: "POST",
    path: "/pay/{sessionToken}",
    credential: "none",
    params: sessionPath,
    body: hostedPageForm,
    accepts: ["form"],
    idempotent: false,
    errors: ["SESSION_NOT_FOUND", "PAYMENT_METHOD_INVALID"],
    assumes: ["checkout.url", "checkout.return", "checkout.moves"],
    handle({ params, body, publicUrl }, checkout) {
      const session = known(checkout, params.sessionToken);
      const back = (): { raw: ReturnType<typeof seeOther> } => ({ raw: seeOther(checkout.returnAddress(known(checkout, params.sessionToken))) });
      if (session.state !== "pending") return back();
      if (body.action === "cancel") {
        checkout.cancel(session);
        return back();
      }
      const { method = "card", cardNumber = "", expMonth = "", expYear = "", cvc = "" } = body;
      const details = cardDetails.safeParse({ cardNumber, expMonth, expYear, cvc });
      const filled = cardNumber !== "";
      if (method === "card" && !details.success) return { raw: checkoutPage(session, checkout, "Check the card's number, expiry date and CVC.") };
      const paid = payOnPage(() => checkout.pay(session, { paymentMethodId: method, ...(filled && details.success ? { creditCardDetails: details.data } : {}) }, publicUrl));
      if (!("declined" in paid)) return paid.redirectUrl === undefined ? back() : { raw: seeOther(paid.redirectUrl) };
      const stillPending = known(checkout, params.sessionToken).state === "pending";
      return stillPending ? { raw: checkoutPage(session, checkout, paid.declined.message) } : back();
    },
  }),
];

/** On a page a method that does not exist is something to correct, not an error to read as JSON. */
function payOnPage<Paid>(pay: () => Paid): Paid | { readonly declined: ApiError } {
  try {
    return pay();
  } catch (error) {
    if (error instanceof ApiError && error.code === "PAYMENT_METHOD_INVALID") return { declined: error };
    throw error;
  }
}

function known(checkout: Checkout, sessionToken: string): CheckoutRow {
  const session = checkout.byToken(sessionToken);
  if (session === undefined) throw new ApiError("SESSION_NOT_FOUND");
  return session;
}
