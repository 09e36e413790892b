import { html } from "hono/html";
import { fact, formatAmount, orderFact, outcomePage, page, seeOther, timeLeft, wayBack, whoAsks } from "../page.ts";
import type { Markup, Outcome } from "../page.ts";
import type { RawAnswer } from "../../kit/http/route.ts";
import { kindNames } from "../payment-methods/offered.ts";
import type { PaymentIntents } from "./commands.ts";
import type { Challenge, IntentRow, IntentState } from "./machine.ts";

/** What a page says, by whose it is: of the customer's bank, of a wallet, or of displayed details. */
interface Words {
  readonly who: string;
  readonly title: string;
  readonly asks: string;
  readonly pass: string;
  readonly fail: string;
}

const OF_BANK: Words = {
  who: "Your bank",
  title: "Authorise this payment",
  asks: "Your bank wants to know that it is you who pays (3-D Secure).",
  pass: "Authorise",
  fail: "Fail the check",
};
const OF_DETAILS: Words = {
  who: "Payment details",
  title: "Pay with these details",
  asks: "Quote the reference where you pay, such as at a counter.",
  pass: "I have paid",
  fail: "The payment was refused",
};

function ofWallet(who: string): Words {
  return {
    who,
    title: "Authorise this payment",
    asks: `You are logged in to ${who}. Do you confirm this payment?`,
    pass: "Confirm",
    fail: "Refuse",
  };
}

/** What became of a payment whose challenge is closed. */
const OUTCOMES: Readonly<Partial<Record<IntentState, Pick<Outcome, "title" | "sentence" | "end">>>> = {
  processing: {
    title: "Done",
    sentence: "Your answer has arrived, and the payment is being processed.",
    end: "open",
  },
  succeeded: { title: "Paid", sentence: "The payment has succeeded. It was charged once.", end: "good" },
  failed: { title: "Payment declined", sentence: "Nothing was charged.", end: "bad" },
  canceled: { title: "Payment cancelled", sentence: "Nothing was charged.", end: "shut" },
};

/** Renders the page of the bank or wallet, on which the customer passes or fails a challenge. Once it is closed, it shows a browser what became of the payment, and redirects a program to the merchant. */
export function challengePage(intent: IntentRow, intents: PaymentIntents, asksForPage: boolean): RawAnswer {
  const { challenge, method } = intent.data;
  if (intent.state !== "requires_action" || challenge === undefined)
    return asksForPage ? closed(intent, intents) : leadBack(intent, intents);
  const kind = method?.kind ?? "card";
  const isWallet = kind !== "card";
  const words =
    challenge.nextAction === "display_details" ? OF_DETAILS : isWallet ? ofWallet(kindNames[kind]) : OF_BANK;
  const content = html`${summary(intent, challenge, words, intents)}
    <section class="panel">
      ${isWallet ? html`<div class="step" id="confirm" tabindex="-1">${question(words)}</div>` : ""}
      <div class="step" id="left" tabindex="-1">
        <h2>You have left this page</h2>
        <p>The payment waits for your answer. Without one, it is declined in the end.</p>
        ${wayBack(merchantOf(intent, intents))}
        <a class="button" href="#">Go back to the question</a>
      </div>
      <div class="start">${isWallet ? logIn(kindNames[kind], intent) : question(words)}</div>
      <a class="button plain leave" href="#left" data-testid="leave">Leave without an answer</a>
    </section>`;
  return page({ title: `${words.who}: ${words.title}`, content, look: kind });
}

/** Redirects the customer to the merchant with the current status, or renders a page if the intent has no return URL. */
export function leadBack(intent: IntentRow, intents: PaymentIntents): RawAnswer {
  const address = intents.returnAddress(intent);
  return address === undefined ? closed(intent, intents) : seeOther(address);
}

function closed(intent: IntentRow, intents: PaymentIntents): RawAnswer {
  const done = { title: "Done", sentence: "There is nothing to do here now.", end: "shut" } as const;
  return outcomePage({
    ...(OUTCOMES[intent.state] ?? done),
    reason: intent.data.declineCode,
    payment: intent.data,
    merchant: merchantOf(intent, intents),
  });
}

function merchantOf(intent: IntentRow, intents: PaymentIntents): Outcome["merchant"] {
  const address = intents.returnAddress(intent);
  return address === undefined ? undefined : { name: intents.merchantName(intent.data.merchantId), address };
}

function summary(
  { data }: IntentRow,
  { nextAction, expiresAt }: Challenge,
  { who, title }: Words,
  intents: PaymentIntents,
): Markup | Promise<Markup> {
  const { merchantId, amount, currency, transactionId } = data;
  return html`<section class="panel">
    ${whoAsks(who)}
    <h1 class="pay">${title} <span class="amount" data-testid="amount">${formatAmount(amount, currency)}</span></h1>
    <dl>
      ${fact("To", intents.merchantName(merchantId), "merchant")} ${orderFact(data)}
      ${nextAction === "display_details" ? fact("Reference", html`<strong>${transactionId}</strong>`, "reference") : ""}
      ${fact("Time left", timeLeft(expiresAt, intents.now), "time-left")}
    </dl>
  </section>`;
}

/** The first step in a wallet. No money is at stake yet, so it is a link to the next step, and the service does not hear of it. */
function logIn(wallet: string, { data: { contact } }: IntentRow): Markup | Promise<Markup> {
  return html`<h2>Log in to ${wallet}</h2>
    <p>
      ${contact?.name === undefined ? "There is nothing to type." : html`You are <bdi>${contact.name}</bdi>, and there is nothing to type.`}
    </p>
    <a class="button first" href="#confirm" data-testid="log-in">Log in</a>`;
}

function question({ asks, pass, fail }: Words): Markup | Promise<Markup> {
  return html`<form method="post" action="?">
    <p>${asks}</p>
    <button class="first" name="result" value="pass" data-testid="pass">${pass}</button>
    <button name="result" value="fail" data-testid="fail">${fail}</button>
  </form>`;
}
