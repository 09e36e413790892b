import { html } from "hono/html";
import { formatAmount, page, seeOther } from "../page.ts";
import type { RawAnswer } from "../../http/route.ts";
import type { PaymentIntents } from "./commands.ts";
import type { IntentRow } from "./machine.ts";

const WALLETS: Readonly<Record<string, string>> = { gcash: "GCash", grab_pay: "GrabPay" };

/** The bank's or the wallet's page: the customer authorises the payment, or fails to. */
export function challengePage(intent: IntentRow, intents: PaymentIntents): RawAnswer {
  if (intent.state !== "requires_action") return leadBack(intent, intents);
  const { amount, description, method } = intent.data;
  const who = WALLETS[method?.kind ?? ""] ?? "Your bank";
  return page(
    `${who}: authorise this payment`,
    html`<p>${formatAmount(amount)}${description === "" ? "" : ` for ${description}`}</p>
      <form method="post">
        <button name="result" value="pass">Authorise</button> <button name="result" value="fail">Fail</button>
      </form>`,
  );
}

/** Sends the customer back to the merchant with the status of this moment, or ends on a plain page where no address was given. */
export function leadBack(intent: IntentRow, intents: PaymentIntents): RawAnswer {
  const address = intents.returnAddress(intent);
  return address === undefined ? page("Done", html`<p>You can close this page.</p>`) : seeOther(address);
}
