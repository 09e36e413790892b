import { randomUUID } from "node:crypto";
import express from "express";
import type { Express, Request, Response } from "express";
import { cartPage, membershipPage, orderPage, shelf } from "./pages.ts";
import { createPayments } from "./payments.ts";
import type { Account } from "./payments.ts";
import { books, createShop } from "./shop.ts";
import type { Contact, Store } from "./shop.ts";
import { isGenuine, orderOf } from "./webhooks.ts";

export interface Settings extends Account {
  readonly webhookSecret: string;
  /** The shop's own address. */
  readonly url: string;
}

/** A visitor of the shop, known by a cookie. */
interface Visitor {
  readonly id: string;
  readonly cart: string[];
}

export function createApp(settings: Settings, store: Store): Express {
  const shop = createShop(createPayments(settings), settings.url, store);
  const visitors = new Map<string, Visitor>();
  const app = express();

  function visitorOf(request: Request, response: Response): Visitor {
    const [, known = ""] = /(?:^|; )visitor=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
    const visitor = visitors.get(known) ?? { id: randomUUID(), cart: [] };
    visitors.set(visitor.id, visitor);
    response.cookie("visitor", visitor.id, { httpOnly: true, sameSite: "lax" });
    return visitor;
  }

  // Before the parsers, because the signature is over the text of the body.
  app.post("/webhooks", express.text({ type: "*/*" }), async (request, response) => {
    const body = String(request.body);
    if (!isGenuine(request.get("x-webhook-signature"), body, settings.webhookSecret)) return response.sendStatus(401);
    const id = orderOf(body);
    if (id !== undefined) await shop.refresh(id);
    return response.sendStatus(204);
  });

  app.use(express.urlencoded());

  app.get("/", (_request, response) => response.send(shelf()));

  app.get("/cart", (request, response) => {
    const { cart } = visitorOf(request, response);
    response.send(cartPage(cart, totalOf(cart)));
  });

  app.post("/cart", (request, response) => {
    const { book } = request.body as { book: string };
    if (Object.hasOwn(books, book)) visitorOf(request, response).cart.push(book);
    response.redirect(303, "/cart");
  });

  app.post("/checkout", async (request, response) => {
    const { cart } = visitorOf(request, response);
    const { name, email } = request.body as Contact;
    const order = { id: randomUUID(), amount: totalOf(cart), contact: { name, email }, status: "pending", parcels: 0 };
    const checkoutUrl = await shop.checkOut(order);
    cart.length = 0;
    response.redirect(303, checkoutUrl);
  });

  app.get("/orders/:id", async (request, response) => {
    const order = store.orders.get(request.params.id);
    if (order === undefined) return response.sendStatus(404);
    // The customer comes back from the payment.
    if (request.query["sessionToken"] !== undefined) {
      await shop.refresh(order.id);
      return response.redirect(303, `/orders/${order.id}`);
    }
    return response.send(orderPage(order));
  });

  app.post("/orders/:id/pay", async (request, response) => {
    const order = store.orders.get(request.params.id);
    return order === undefined ? response.sendStatus(404) : response.redirect(303, await shop.checkOut(order));
  });

  app.get("/membership", async (request, response) => {
    const { id } = visitorOf(request, response);
    // The member comes back from the bank.
    if (request.query["subscriptionId"] !== undefined) await shop.refresh(id);
    response.send(membershipPage(store.memberships.get(id)));
  });

  app.post("/membership", async (request, response) => {
    const { id } = visitorOf(request, response);
    const membership = store.memberships.get(id) ?? { id, status: "incomplete" };
    const { card } = request.body as { card: string };
    const contact = { name: "Ana Cruz", email: "ana@customer.example" };
    const { redirectUrl } = await shop.payMembership(membership, contact, card);
    response.redirect(303, redirectUrl ?? "/membership");
  });

  return app;
}

function totalOf(cart: readonly string[]): number {
  return cart.reduce((total, book) => total + (books[book]?.price ?? 0), 0);
}
