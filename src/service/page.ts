import { html } from "hono/html";
import type { RawAnswer } from "../kit/http/route.ts";
import { DEFAULT_CURRENCY } from "./currencies.ts";

/** Markup that is already escaped. */
export type Markup = ReturnType<typeof html>;

const STYLE = `
  body { font: 1em/1.5 sans-serif; max-width: 26em; margin: 3em auto; padding: 0 1em; color: #123; background: #eee; overflow-wrap: anywhere }
  main { padding: 1.5em; background: #fff } fieldset { margin: 0 0 1em }
  [role=alert] { border-left: 4px solid; padding: .4em .8em; color: #a00 }
  label { display: block; margin: .4em 0 } input:not([type=radio]) { width: 100%; box-sizing: border-box; padding: .4em; font: inherit }
  button { font: inherit; padding: .5em 1em }
`;

/** Renders a page for the customer, with a note that no money moves. */
export function page(title: string, content: Markup | Promise<Markup>, status = 200): RawAnswer {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
          <p>Centavo test payment: no money moves.</p>
        </main>
      </body>
    </html>`;
  if (document instanceof Promise) throw new TypeError("A page must render synchronously.");
  // No form-action: it would also block the redirect after a form into an app with its own scheme.
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  };
  return { status, headers, body: String(document) };
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
