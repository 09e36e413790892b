import { html } from "hono/html";
import { formatAmount, page, seeOther } from "../http/page.ts";
import type { RawAnswer } from "../http/route.ts";
import type { Checkout, CheckoutRow } from "./commands.ts";

/** The hosted page: the customer chooses a method and pays, or gives up. A session that is over leads back to the merchant. */
export function checkoutPage(session: CheckoutRow, checkout: Checkout, problem?: string): RawAnswer {
  if (session.state !== "pending") return seeOther(checkout.returnAddress(session));
  const { amount, description } = session.data;
  return page(
    `Pay ${formatAmount(amount)}`,
    html`<p>${description}</p>${problem === undefined ? "" : html`<p role="alert">${problem}</p>`}
<form method="post">
<fieldset><legend>Card</legend>
<label><input type="radio" name="method" value="card" checked> Pay by card</label>
<label>Card number <input name="cardNumber" inputmode="numeric" autocomplete="cc-number"></label>
<label>Month <input name="expMonth" inputmode="numeric" autocomplete="cc-exp-month"></label>
<label>Year <input name="expYear" inputmode="numeric" autocomplete="cc-exp-year"></label>
<label>CVC <input name="cvc" inputmode="numeric" autocomplete="cc-csc"></label>
</fieldset>
<fieldset><legend>Wallets</legend>
<label><input type="radio" name="method" value="gcash"> GCash</label>
<label><input type="radio" name="method" value="grab_pay"> GrabPay</label>
</fieldset>
<button name="action" value="pay">Pay</button> <button name="action" value="cancel">Cancel</button>
</form>`,
    problem === undefined ? 200 : 400,
  );
}
