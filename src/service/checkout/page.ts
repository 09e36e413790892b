import { html } from "hono/html";
import { z } from "zod";
import { ApiError } from "../api-error.ts";
import { formatAmount, page, seeOther } from "../page.ts";
import type { RawAnswer } from "../../http/route.ts";
import { cardDetails } from "../payment-methods/schema.ts";
import type { Checkout } from "./commands.ts";
import type { CheckoutRow } from "./machine.ts";

/** What the hosted page posts: a method by its kind or id, the card's fields beside it, and which button was pressed. */
export const hostedPageForm = z.object({
  action: z.enum(["pay", "cancel"]),
  method: z.string().optional(),
  cardNumber: z.string().optional(),
  expMonth: z.string().optional(),
  expYear: z.string().optional(),
  cvc: z.string().optional(),
});
type HostedPageForm = z.output<typeof hostedPageForm>;

/** The hosted page: the customer chooses a method and pays, or gives up. Once the session is no longer pending, it leads on. */
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

/** The customer pressed a button. What cannot be paid as it stands is shown on the page, to be corrected. */
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
  // The page always posts the card's fields; the plain kind alone is what sim.customer.pay(url, "card") gives.
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
