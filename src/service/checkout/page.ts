import { html } from "hono/html";
import * as z from "zod/mini";
import { textIfAny } from "../../kit/engine/row-schema.ts";
import { ApiError } from "../api-error.ts";
import {
  declineInWords,
  fact,
  formatAmount,
  orderFact,
  outcomePage,
  page,
  seeOther,
  timeLeft,
  whoAsks,
} from "../page.ts";
import type { Markup, Outcome } from "../page.ts";
import type { RawAnswer } from "../../kit/http/route.ts";
import { kindNames, offeredCards } from "../payment-methods/offered.ts";
import type { OfferedCard } from "../payment-methods/offered.ts";
import { cardDetails } from "../schemas/payment-methods.ts";
import type { CardDetails } from "../schemas/payment-methods.ts";
import type { Checkout } from "./commands.ts";
import type { CheckoutRow, CheckoutState } from "./machine.ts";

/** The form of the hosted page: a method by its kind or id, the card's fields, and the button that was pressed. */
export const hostedPageForm = z
  .object({
    action: z.enum(["pay", "cancel"]),
    method: textIfAny,
    cardNumber: textIfAny,
    expMonth: textIfAny,
    expYear: textIfAny,
    cvc: textIfAny,
  })
  .check(
    // A browser posts every field of a form, also those of a card that the customer did not choose.
    z.overwrite(({ action, method, ...card }) =>
      action === "pay" && (method === undefined || method === "card")
        ? { action, method, ...card }
        : { action, ...(action === "pay" ? { method } : {}) },
    ),
  );
type HostedPageForm = z.output<typeof hostedPageForm>;

/** What is wrong with a form, or with the payment that it asked for. */
interface Trouble {
  readonly message: string;
  /** What is wrong with fields of the card, in words for the customer. */
  readonly fields?: Partial<CardDetails>;
}

/** The fields of a card, each with what to enter when it cannot be read. */
const CARD_FIELDS = [
  ["cardNumber", "card-number", "Card number", "cc-number", "Enter the number on the front of the card"],
  ["expMonth", "expiry-month", "Month", "cc-exp-month", "Enter a month from 1 to 12"],
  ["expYear", "expiry-year", "Year", "cc-exp-year", "Enter a year, such as 30"],
  ["cvc", "cvc", "CVC", "cc-csc", "Enter the 3 or 4 digits"],
] as const;

/** What the page says about a session that takes no payment now. */
const OUTCOMES: Readonly<Record<Exclude<CheckoutState, "pending">, Pick<Outcome, "title" | "sentence" | "end">>> = {
  processing: {
    title: "Your payment is being processed",
    sentence: "You do not have to pay again. The merchant hears by itself how it ends.",
    end: "open",
  },
  completed: { title: "Paid", sentence: "The payment has succeeded. It was charged once.", end: "good" },
  failed: { title: "Payment declined", sentence: "Nothing was charged.", end: "bad" },
  cancelled: { title: "Payment cancelled", sentence: "Nothing was charged.", end: "shut" },
  expired: {
    title: "This payment has expired",
    sentence: "Nothing was charged. To pay, start again at the merchant.",
    end: "shut",
  },
};

/**
 * Renders the hosted page, on which the customer pays or cancels. Once the session is no longer pending, it redirects to an open challenge;
 * it shows a browser what became of the payment, and redirects a program to the merchant.
 */
export function hostedPage(
  session: CheckoutRow,
  checkout: Checkout,
  publicUrl: string,
  asksForPage: boolean,
): RawAnswer {
  const { state } = session;
  if (state === "pending") return paymentPage(session, checkout, {}, lastDecline(session, checkout));
  const intent = checkout.intentOf(session);
  if (!asksForPage || intent.state === "requires_action") return seeOther(checkout.wayOn(session, publicUrl));
  return outcomePage({
    ...OUTCOMES[state],
    reason: intent.data.declineCode,
    payment: session.data,
    merchant: { name: merchantOf(session, checkout), address: checkout.returnAddress(session) },
  });
}

/** Handles a button of the hosted page. An invalid or declined method is reported on the page, for the customer to correct. */
export function submitHostedPage(
  session: CheckoutRow,
  form: HostedPageForm,
  checkout: Checkout,
  publicUrl: string,
): RawAnswer {
  let trouble: Trouble | undefined;
  if (form.action === "cancel") checkout.cancel(session);
  else if (checkout.isPayable(session)) trouble = payOnPage(session, form, checkout, publicUrl);
  const after = checkout.existing(session.data.sessionToken);
  return after.state === "pending"
    ? paymentPage(after, checkout, form, trouble ?? lastDecline(after, checkout), trouble === undefined ? 200 : 400)
    : seeOther(checkout.wayOn(after, publicUrl));
}

function payOnPage(
  session: CheckoutRow,
  form: HostedPageForm,
  checkout: Checkout,
  publicUrl: string,
): Trouble | undefined {
  const { method = "card", cardNumber } = form;
  // A browser always posts the card's fields. Only sim.customer.pay(url, "card") posts the kind alone.
  const details = method === "card" && cardNumber !== undefined ? cardDetails.safeParse(form) : undefined;
  if (details?.success === false) {
    const wrong = new Set(details.error.issues.map(({ path }) => path[0]));
    const fields = CARD_FIELDS.filter(([name]) => wrong.has(name)).map(([name, , , , enter]) => [name, enter]);
    return {
      message: "Check the card's number, expiry date and CVC",
      fields: Object.fromEntries(fields) as Partial<CardDetails>,
    };
  }
  try {
    const paid = checkout.pay(session, { paymentMethodId: method, creditCardDetails: details?.data }, publicUrl);
    return "declined" in paid ? paid.declined : undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "PAYMENT_METHOD_INVALID") throw error;
    return { message: error.message, ...(details === undefined ? {} : { fields: { cardNumber: error.message } }) };
  }
}

function merchantOf({ data }: CheckoutRow, { intents }: Checkout): string {
  return intents.merchantName(data.merchantId);
}

/** Says why the last try was declined, when the customer may try again (`checkout.retry`). */
function lastDecline({ data }: CheckoutRow, checkout: Checkout): Trouble | undefined {
  const code = checkout.intents.get(data.replacedIntentIds?.at(-1) ?? "")?.data.declineCode;
  return code === undefined ? undefined : { message: `Your payment was declined: ${declineInWords(code)}` };
}

function paymentPage(
  session: CheckoutRow,
  checkout: Checkout,
  typed: Partial<HostedPageForm>,
  trouble: Trouble | undefined,
  status = 200,
): RawAnswer {
  const { amount, expiresAt, triesLeft } = session.data;
  const merchant = merchantOf(session, checkout);
  const price = formatAmount(amount);
  const title = `${trouble === undefined ? "" : "Problem: "}Pay ${price} to ${merchant}`;
  const content = html`<section class="panel summary">
      ${whoAsks(merchant, "merchant")}
      <h1 class="pay">Pay <span class="amount" data-testid="amount">${price}</span></h1>
      <dl>${orderFact(session.data)} ${fact("Time left", timeLeft(expiresAt, checkout.intents.now), "time-left")}</dl>
    </section>
    ${trouble === undefined ? "" : problem(trouble, triesLeft === 0)}
    <section class="panel">${methodForm(price, typed, trouble?.fields ?? {})}</section>
    <section class="panel">
      <h2>Test cards</h2>
      <small>One click pays. No number has to be typed.</small>
      <form method="post" action="?">
        <input type="hidden" name="action" value="pay" />
        ${offers(
          "These pay",
          offeredCards.filter(({ ends }) => ends === "paid"),
        )}
        ${offers(
          "These are declined",
          offeredCards.filter(({ ends }) => ends === "declined"),
        )}
      </form>
    </section>`;
  return page({ title, content, look: "hosted", status });
}

/** A summary of what is wrong. It takes the focus, so that a screen reader says it, and leads to each field. */
function problem({ message, fields = {} }: Trouble, isLast: boolean): Markup | Promise<Markup> {
  const wrong = CARD_FIELDS.filter(([name]) => fields[name] !== undefined);
  return html`<div class="problem" tabindex="-1" autofocus>
    <strong data-testid="problem" role="alert">${message}</strong>
    ${
      wrong.length === 0
        ? ""
        : html`<ul>
            ${wrong.map(([name, id]) => html`<li><a href="#${id}">${fields[name]}</a></li>`)}
          </ul>`
    }
    <p>
      Nothing was
      charged.${wrong.length > 0 ? "" : ` You can try another method.${isLast ? " This is the last try." : ""}`}
    </p>
  </div>`;
}

function methodForm(
  price: string,
  { method = "card", expMonth = "", expYear = "" }: Partial<HostedPageForm>,
  wrong: Partial<CardDetails>,
): Markup | Promise<Markup> {
  // Numbers and CVCs are not sent back, so that they stand in no answer.
  const values: Partial<CardDetails> = { expMonth, expYear };
  const chosen = Object.hasOwn(kindNames, method) ? method : "card";
  return html`<form method="post" action="?">
    <fieldset>
      <legend>How do you want to pay?</legend>
      <div class="tiles">
        ${Object.entries(kindNames).map(
          ([kind, name]) =>
            html`<label class="tile ${kind}">
              <input
                type="radio"
                name="method"
                value="${kind}"
                data-testid="method-${kind}"
                ${kind === chosen ? "checked" : ""}
              />
              ${name}
            </label>`,
        )}
      </div>
      <div class="fields">
        ${CARD_FIELDS.map(
          ([name, id, label, purpose]) =>
            html`<div class="${name === "cardNumber" ? "wide" : ""}">
              <label for="${id}">${label}</label>
              <input
                id="${id}"
                data-testid="${id}"
                name="${name}"
                value="${values[name] ?? ""}"
                inputmode="numeric"
                autocomplete="${purpose}"
                ${wrong[name] === undefined ? "" : html`aria-invalid="true" aria-describedby="${id}-wrong"`}
              />
              ${wrong[name] === undefined ? "" : html`<span class="wrong" id="${id}-wrong">${wrong[name]}</span>`}
            </div>`,
        )}
      </div>
      <p class="for-wallet soft">You go on to the wallet, log in there and confirm.</p>
    </fieldset>
    <button class="first" name="action" value="pay" data-testid="pay">Pay ${price}</button>
    <button class="plain" name="action" value="cancel" data-testid="cancel">Cancel</button>
  </form>`;
}

function offers(title: string, cards: readonly OfferedCard[]): Markup | Promise<Markup> {
  return html`<h3>${title}</h3>
    <ul class="offers">
      ${cards.map(
        ({ id, face, does }) =>
          html`<li>
            <button name="method" value="${id}" data-testid="test-card-${id}">
              <b>${face}</b> <span>${does}</span> <small>${id}</small>
            </button>
          </li>`,
      )}
    </ul>`;
}
