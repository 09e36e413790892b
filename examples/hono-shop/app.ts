import { Hono } from "hono";
import { createPayments } from "./payments.ts";
import type { Account } from "./payments.ts";
import { createShop, plans } from "./shop.ts";
import type { Store } from "./shop.ts";
import { isGenuine, orderOf } from "./webhooks.ts";

interface Settings extends Account {
  readonly webhookSecret: string;
  /** The shop's own address. */
  readonly url: string;
}

type Form = { readonly [Field in "id" | "plan" | "card"]: string } & { readonly customer: object };

export function createApp(settings: Settings, store: Store): Hono {
  const shop = createShop(createPayments(settings), settings.url, store);
  const app = new Hono();

  app.post("/orders", async (context) => {
    const { id, customer } = await context.req.json<Form>();
    return context.json(await shop.checkOut(id, customer), 201);
  });

  app.post("/memberships", async (context) => {
    const { id, plan, customer, card } = await context.req.json<Form>();
    if (!Object.hasOwn(plans, plan)) return context.json({ problem: "We do not sell this plan" }, 400);
    return context.json(await shop.join(id, plan, customer, card), 201);
  });

  app.put("/memberships/:id/card", async (context) => {
    const membership = store.memberships.get(context.req.param("id"));
    const { card } = await context.req.json<Form>();
    return membership === undefined ? context.notFound() : context.json(await shop.changeCard(membership, card));
  });

  // Customers come back here, too.
  app.on("GET", ["/orders/:id", "/memberships/:id"], async (context) => {
    const found = await shop.refresh(context.req.param("id"));
    return found === undefined ? context.notFound() : context.json(found);
  });

  app.post("/webhooks", async (context) => {
    const body = await context.req.text();
    if (!isGenuine(context.req.header("x-webhook-signature"), body, settings.webhookSecret))
      return context.body(null, 401);
    const id = orderOf(body);
    if (id !== undefined) await shop.refresh(id);
    return context.body(null, 204);
  });

  app.post("/jobs/refresh", async (context) => {
    await shop.refreshAll();
    return context.body(null, 204);
  });

  app.onError((error, context) => context.json({ problem: error.message }, 502));

  return app;
}
