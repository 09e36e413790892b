import { html } from "hono/html";
import { formatAmount, page, seeOther } from "../page.ts";
import type { RawAnswer } from "../../kit/http/route.ts";
import type { PaymentIntents } from "./commands.ts";
import type { IntentRow } from "./machine.ts";

const WALLETS: Readonly<Record<string, string>> = { gcash: "GCash", grab_pay: "GrabPay" };

/** Renders the page of the bank or wallet, on which the customer passes or fails a challenge. Redirects once it is no longer open. */
export function challengePage(intent: IntentRow, intents: PaymentIntents): RawAnswer {
  if (intent.state !== "requires_action") return leadBack(intent, intents);
  const { amount, currency, description, method } = intent.data;
  const who = WALLETS[method?.kind ?? ""] ?? "Your bank";
  return page(
    `${who}: authorise this payment`,
    html`<p>${formatAmount(amount, currency)}${description === "" ? "" : ` for ${description}`}</p>
      <form method="post">
        <button name="result" value="pass">Authorise</button> <button name="result" value="fail">Fail</button>
      </form>`,
  );
}

/** Redirects the customer to the merchant with the current status, or renders a plain page if the intent has no return URL. */
export function leadBack(intent: IntentRow, intents: PaymentIntents): RawAnswer {
  const address = intents.returnAddress(intent);
  return address === undefined ? page("Done", html`<p>You can close this page.</p>`) : seeOther(address);
}
