import { html } from "hono/html";
import type { RawAnswer } from "../http/route.ts";
import { DEFAULT_CURRENCY } from "./currencies.ts";

/** Markup that is already escaped. */
export type Markup = ReturnType<typeof html>;

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem; color: #1d2433; background: #f4f5f8; overflow-wrap: anywhere }
  main { background: #fff; border-radius: 12px; padding: 1.5rem; box-shadow: 0 1px 4px #0002 }
  h1 { font-size: 1.2rem; margin: 0 0 1rem } fieldset { border: 1px solid #d5d9e2; border-radius: 8px; margin: 0 0 1rem }
  [role=alert] { border-left: 4px solid #c4262e; padding: .4rem .8rem; color: #8c1d23; background: #fdf0f0 }
  label { display: block; margin: .4rem 0 } input:not([type=radio]) { width: 100%; box-sizing: border-box; padding: .4rem; font: inherit }
  button { font: inherit; padding: .5rem 1rem; border-radius: 8px; border: 1px solid #2a4bd7; background: #2a4bd7; color: #fff; cursor: pointer }
  button[value=cancel], button[value=fail] { background: #fff; color: #2a4bd7 } .note { color: #5b6472; font-size: .85rem }
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
          <p class="note">Centavo test payment: no money moves.</p>
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

/** Formats an amount for the customer. It is given in the currency's smallest unit, of which one is 1, 100 or 1000 to the main unit. */
export function formatAmount(amount: number, currency = DEFAULT_CURRENCY): string {
  const format = new Intl.NumberFormat("en-PH", { style: "currency", currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}
