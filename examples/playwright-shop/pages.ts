import type { Membership, Order } from "./shop.ts";
import { books } from "./shop.ts";

/** Text that is safe in a page. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Writes markup; whatever stands in it is escaped, unless it is markup. */
function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  const written = values.map((value) => {
    if (Array.isArray(value)) return value.join("");
    if (value instanceof Markup) return value.text;
    return String(value).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
  });
  return new Markup(String.raw({ raw: parts }, ...written));
}

const peso = new Intl.NumberFormat("en-PH", { style: "currency", currency: "PHP" });
const inPesos = (centavos: number): string => peso.format(centavos / 100);

function page(title: string, content: Markup): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" />
        <title>${title} · Aklat Bookshop</title>
        <h1>${title}</h1>
        ${content}
        <nav><a href="/">Books</a> <a href="/cart">Cart</a> <a href="/membership">Membership</a></nav>
      </html>`,
  );
}

export function shelf(): string {
  const items = Object.entries(books).map(
    ([id, { title, price }]) =>
      html`<li>
        ${title}, ${inPesos(price)}
        <form method="post" action="/cart"><button name="book" value="${id}">Add ${title} to the cart</button></form>
      </li>`,
  );
  return page(
    "Books",
    html`<ul>
      ${items}
    </ul>`,
  );
}

export function cartPage(cart: readonly string[], total: number): string {
  if (cart.length === 0) return page("Cart", html`<p>Your cart is empty.</p>`);
  const items = cart.map((id) => html`<li>${books[id]?.title}</li>`);
  return page(
    "Cart",
    html`<ul>
        ${items}
      </ul>
      <p>Total: <output>${inPesos(total)}</output></p>
      <form method="post" action="/checkout">
        <label>Name <input name="name" required autocomplete="name" /></label>
        <label>Email <input name="email" type="email" required autocomplete="email" /></label>
        <button>Pay</button>
      </form>`,
  );
}

/** What the customer reads of each status of an order. */
const words: Readonly<Record<string, string>> = {
  pending: "is not paid yet",
  processing: "is being paid",
  completed: "is paid, and on its way to you",
  failed: "could not be paid",
  cancelled: "was cancelled",
  expired: "waited too long to be paid",
};

export function orderPage({ id, status }: Order): string {
  const isOver = ["failed", "cancelled", "expired"].includes(status);
  const again = html`<form method="post" action="/orders/${id}/pay"><button>Pay again</button></form>`;
  return page(
    "Your order",
    html`<p role="status">Your order ${words[status] ?? status}.</p>
      ${isOver ? again : ""}`,
  );
}

const states: Readonly<Record<string, string>> = {
  incomplete: "waits for its first payment",
  active: "is active",
  past_due: "is past due: your card was declined",
};

export function membershipPage(membership: Membership | undefined): string {
  const isOpen = membership !== undefined && membership.status !== "cancelled";
  const content = isOpen
    ? html`<p role="status">Your membership ${states[membership.status] ?? `is ${membership.status}`}.</p>`
    : html`<p>Members read everything for ${inPesos(19_900)} a month.</p>`;
  // A real shop lets the payment service keep the card, and gets its id.
  return page(
    "Membership",
    html`${content}
      <form method="post">
        <label>Card <input name="card" required /></label>
        <button>${isOpen ? "Use this card" : "Join"}</button>
      </form>`,
  );
}
