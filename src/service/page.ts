import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { html, raw } from "hono/html";
import { toBase64 } from "../kit/base/runtime/base64.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import type { ApiError } from "./api-error.ts";
import type { DeclineCode } from "./decline-codes.ts";
import { DEFAULT_CURRENCY } from "./currencies.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** Markup that is already escaped. */
export type Markup = ReturnType<typeof html>;

/** A page for the customer. */
export interface CustomerPage {
  readonly title: string;
  readonly content: Markup | Promise<Markup>;
  /** Whose page it is, which its colours show; the service's own by default. */
  readonly look?: string;
  /** 200 by default. */
  readonly status?: number;
  /** The code of the error that the page shows, for the journal. */
  readonly code?: string;
}

/** Whole, because the formatter would add spaces, which the hash of the policy does not have. */
const STYLE = raw(`<style>${PAGE_STYLE}</style>`);
/**
 * No form-action: browsers apply it to every redirect after a form, so it would block the way back into an app with its own scheme, and
 * redirects of the merchant's own. No text can add a form, because every text is escaped.
 */
const POLICY = `default-src 'none'; style-src 'sha256-${toBase64(sha256(utf8ToBytes(PAGE_STYLE)))}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

/** Renders a page for the customer, with a note that no money moves. It needs no script, and loads nothing. */
export function page({ title, content, look = "", status = 200, code }: CustomerPage): RawAnswer {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${STYLE}
      </head>
      <body class="${look}">
        <header><strong>Simulation</strong> by Centavo: no money moves</header>
        <main>${content}</main>
      </body>
    </html>`;
  if (document instanceof Promise) throw new TypeError("A page must render synchronously.");
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": POLICY,
  };
  return { status, headers, body: String(document), ...(code === undefined ? {} : { code }) };
}

/** What a payment is for, as its customer sees it. */
export interface PaymentTerms {
  readonly amount: number;
  readonly currency?: string;
  readonly externalId?: string;
  readonly description: string;
}

/** The end of a payment, as its customer sees it. */
export interface Outcome {
  readonly title: string;
  /** What became of the money, and what to do now. */
  readonly sentence: string;
  /** How it ended, which a sign shows. */
  readonly end: "good" | "bad" | "shut" | "open";
  /** The code with which the payment was declined. */
  readonly reason?: DeclineCode | undefined;
  readonly payment?: PaymentTerms;
  readonly status?: number;
  readonly code?: string;
  /** The merchant to whom the customer returns, if there is an address. */
  readonly merchant?: { readonly name: string; readonly address: string } | undefined;
}

/** Renders the end of a payment, with the way back to the merchant. */
export function outcomePage({ title, sentence, end, reason, payment, merchant, ...rest }: Outcome): RawAnswer {
  const content = html`<section class="panel outcome">
    <span class="mark ${end}" aria-hidden="true"></span>
    <h1 data-testid="outcome">${title}</h1>
    <p>${sentence}${reason === undefined ? "" : ` Reason: ${declineInWords(reason)}.`}</p>
    ${
      payment === undefined
        ? ""
        : html`<dl>
            ${fact("Amount", formatAmount(payment.amount, payment.currency), "amount")} ${orderFact(payment)}
          </dl>`
    }
    ${wayBack(merchant)}
  </section>`;
  return page({ title, content, ...rest });
}

/** Renders an error for a customer who cannot be led back, because the page knows no merchant. */
export function errorPage({ status, code, message }: ApiError): RawAnswer {
  const sentence =
    status === 404
      ? "Nothing was charged here. Check the address, or start again at the merchant."
      : `${message}. Go back, and try again.`;
  return outcomePage({
    title: status === 404 ? "There is no such payment" : "Something went wrong",
    sentence,
    end: "shut",
    status,
    code,
  });
}

/** Renders the link back to the merchant; without an address, there is only a window to close. */
export function wayBack(merchant: Outcome["merchant"]): Markup | Promise<Markup> {
  return merchant === undefined
    ? html`<p>You can close this page.</p>`
    : html`<a class="button first" data-testid="return-to-merchant" href="${merchant.address}">
        Return to <bdi>${merchant.name}</bdi>
      </a>`;
}

/** Writes a decline code as people say it. */
export function declineInWords(code: DeclineCode): string {
  return code === "3D_SECURE_REQUIRED" ? "3-D Secure is needed" : code.replaceAll("_", " ").replace("cvc", "CVC");
}

/**
 * Renders who asks for a payment, with the first letter as a mark.
 * @param testId the test id of the name, if it has one
 */
export function whoAsks(name: string, testId = ""): Markup | Promise<Markup> {
  return html`<p class="who">
    <span class="mark" aria-hidden="true">${/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase()}</span>
    <span data-testid="${testId}" dir="auto">${name}</span>
  </p>`;
}

/** Renders a fact of a payment for the list on its page. */
export function fact(
  term: string | Markup | Promise<Markup>,
  value: string | Markup | Promise<Markup>,
  testId: string,
): Markup | Promise<Markup> {
  return html`<div>
    <dt>${term}</dt>
    <dd data-testid="${testId}" dir="auto">${value}</dd>
  </div>`;
}

/** Renders the order that a payment is for: the merchant's description and number. */
export function orderFact({ description, externalId }: PaymentTerms): Markup | Promise<Markup> {
  const number = externalId === undefined ? "" : html`<small>${externalId}</small>`;
  return fact("Order", html`${description} ${number}`, "order");
}

/** Redirects the customer with 303, so that the browser follows a posted form with GET. */
export function seeOther(location: string): RawAnswer {
  return { status: 303, headers: { location, "cache-control": "no-store" }, body: "" };
}

/** Formats an amount for the customer. It is given in the currency's smallest unit, of which 1, 100 or 1000 make one main unit. */
export function formatAmount(amount: number, currency = DEFAULT_CURRENCY): string {
  const format = new Intl.NumberFormat("en-PH", { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/**
 * Renders a deadline with the time that is left until then, as of this moment: a page without a script cannot count down.
 * @param now virtual time in milliseconds, as is `end`
 */
export function timeLeft(end: number, now: number): Markup | Promise<Markup> {
  let rest = Math.max(0, end - now);
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest %= length;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`];
  }).slice(0, 2);
  const moment = toTimestamp(end);
  return html`${parts.join(" and ") || "less than a minute"}, until
    <time datetime="${moment}">${moment.slice(0, 16).replace("T", " ")} UTC</time>`;
}
