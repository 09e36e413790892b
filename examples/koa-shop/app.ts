import { json, text } from "node:stream/consumers";
import { Router } from "@koa/router";
import Koa from "koa";
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

export function createApp(settings: Settings, store: Store): Koa {
  const shop = createShop(createPayments(settings), settings.url, store);

  const router = new Router();

  router.post("/orders", async (context) => {
    const { id, customer } = (await json(context.req)) as Form;
    context.body = await shop.checkOut(id, customer);
    context.status = 201;
  });

  router.post("/memberships", async (context) => {
    const { id, plan, customer, card } = (await json(context.req)) as Form;
    if (!Object.hasOwn(plans, plan)) return context.throw(400, "We do not sell this plan");
    context.body = await shop.join(id, plan, customer, card);
    context.status = 201;
  });

  router.put("/memberships/:id/card", async (context) => {
    const membership = store.memberships.get(context.params["id"] ?? "");
    if (membership === undefined) return context.throw(404);
    const { card } = (await json(context.req)) as Form;
    context.body = await shop.changeCard(membership, card);
  });

  // Customers come back to these, too.
  router.get(["/orders/:id", "/memberships/:id"], async (context) => {
    const found = await shop.refresh(context.params["id"] ?? "");
    if (found === undefined) return context.throw(404);
    context.body = found;
  });

  router.post("/webhooks", async (context) => {
    const body = await text(context.req);
    if (!isGenuine(context.get("x-webhook-signature"), body, settings.webhookSecret)) return context.throw(401);
    const id = orderOf(body);
    if (id !== undefined) await shop.refresh(id);
    context.status = 204;
  });

  router.post("/jobs/refresh", async (context) => {
    await shop.refreshAll();
    context.status = 204;
  });

  const app = new Koa();
  app.on("error", (error: Error & { readonly expose?: boolean }) => {
    // What the shop itself refuses is exposed, and no failure of its own.
    if (error.expose !== true) console.error(error.message);
  });
  app.use(router.routes());
  return app;
}
