import { html } from "hono/html";
import * as z from "zod/mini";
import { textIfAny } from "../../kit/engine/row-schema.ts";
import { ApiError } from "../api-error.ts";
import { formatAmount, page, seeOther } from "../page.ts";
import type { RawAnswer } from "../../kit/http/route.ts";
import { cardDetails } from "../payment-methods/schema.ts";
import type { Checkout } from "./commands.ts";
import type { CheckoutRow } from "./machine.ts";

/** The form of the hosted page: a method by its kind or id, the card's fields, and the button that was pressed. */
export const hostedPageForm = z.object({
  action: z.enum(["pay", "cancel"]),
  method: textIfAny,
  cardNumber: textIfAny,
  expMonth: textIfAny,
  expYear: textIfAny,
  cvc: textIfAny,
});
type HostedPageForm = z.output<typeof hostedPageForm>;

/** Renders the hosted page, on which the customer pays or cancels. Redirects once the session is no longer pending. */
export function hostedPage(session: CheckoutRow, checkout: Checkout, publicUrl: string, problem?: ApiError): RawAnswer {
  if (session.state !== "pending") return seeOther(checkout.wayOn(session, publicUrl));
  const { amount, description } = session.data;
  return page(
    `Pay ${formatAmount(amount)}`,
    html`<p>${description}</p>
      ${problem === undefined ? "" : html`<p role="alert">${problem.message}</p>`}
      <form method="post">
        <fieldset>
          <legend>Card</legend>
          <label><input type="radio" name="method" value="card" checked /> Pay by card</label>
          <label>Card number <input name="cardNumber" inputmode="numeric" autocomplete="cc-number" /></label>
          <label>Month <input name="expMonth" inputmode="numeric" autocomplete="cc-exp-month" /></label>
          <label>Year <input name="expYear" inputmode="numeric" autocomplete="cc-exp-year" /></label>
          <label>CVC <input name="cvc" inputmode="numeric" autocomplete="cc-csc" /></label>
        </fieldset>
        <fieldset>
          <legend>Wallets</legend>
          <label><input type="radio" name="method" value="gcash" /> GCash</label>
          <label><input type="radio" name="method" value="grab_pay" /> GrabPay</label>
        </fieldset>
        <button name="action" value="pay">Pay</button> <button name="action" value="cancel">Cancel</button>
      </form>`,
    problem === undefined ? 200 : 400,
  );
}

/** Handles a button of the hosted page. An invalid or declined method is reported on the page, for the customer to correct. */
export function submitHostedPage(
  session: CheckoutRow,
  form: HostedPageForm,
  checkout: Checkout,
  publicUrl: string,
): RawAnswer {
  let problem: ApiError | undefined;
  if (form.action === "cancel") checkout.cancel(session);
  else if (checkout.isPayable(session)) problem = payOnPage(session, form, checkout, publicUrl);
  return hostedPage(checkout.existing(session.data.sessionToken), checkout, publicUrl, problem);
}

function payOnPage(
  session: CheckoutRow,
  form: HostedPageForm,
  checkout: Checkout,
  publicUrl: string,
): ApiError | undefined {
  const { method = "card", cardNumber } = form;
  // A browser always posts the card's fields. Only sim.customer.pay(url, "card") posts the kind alone.
  const details = method === "card" && cardNumber !== undefined ? cardDetails.safeParse(form) : undefined;
  if (details?.success === false)
    return new ApiError("PAYMENT_METHOD_INVALID", { message: "Check the card's number, expiry date and CVC" });
  try {
    const paid = checkout.pay(session, { paymentMethodId: method, creditCardDetails: details?.data }, publicUrl);
    return "declined" in paid ? paid.declined : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code === "PAYMENT_METHOD_INVALID") return error;
    throw error;
  }
}
