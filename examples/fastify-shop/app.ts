import { fastify } from "fastify";
import type { FastifyInstance } from "fastify";
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

interface Form {
  readonly Body: { readonly [Field in "id" | "plan" | "card"]: string } & { readonly customer: object };
  readonly Params: { readonly id: string };
}

const body = (...required: readonly string[]) => ({ schema: { body: { type: "object", required } } });

export function createApp(settings: Settings, store: Store): FastifyInstance {
  const shop = createShop(createPayments(settings), settings.url, store);
  const app = fastify();

  app.post<Form>("/orders", body("id", "customer"), async (request, reply) =>
    reply.code(201).send(await shop.checkOut(request.body.id, request.body.customer)),
  );

  app.post<Form>("/memberships", body("id", "plan", "customer", "card"), async (request, reply) => {
    const { id, plan, customer, card } = request.body;
    if (!Object.hasOwn(plans, plan)) return reply.code(400).send({ problem: "We do not sell this plan" });
    return reply.code(201).send(await shop.join(id, plan, customer, card));
  });

  app.put<Form>("/memberships/:id/card", body("card"), async (request, reply) => {
    const membership = store.memberships.get(request.params.id);
    return membership === undefined ? reply.callNotFound() : shop.changeCard(membership, request.body.card);
  });

  // Customers come back to these, too.
  for (const path of ["/orders/:id", "/memberships/:id"])
    app.get<Form>(path, async (request, reply) => (await shop.refresh(request.params.id)) ?? reply.callNotFound());

  // In a scope of their own, where bodies stay text, because the signature is over the text.
  app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) =>
      done(null, text),
    );
    webhooks.post<{ Body: string }>("/webhooks", async (request, reply) => {
      const header = request.headers["x-webhook-signature"];
      if (!isGenuine(String(header), request.body, settings.webhookSecret)) return reply.code(401).send();
      const id = orderOf(request.body);
      if (id !== undefined) await shop.refresh(id);
      return reply.code(204).send();
    });
  });

  app.post("/jobs/refresh", async (_request, reply) => {
    await shop.refreshAll();
    return reply.code(204).send();
  });

  return app;
}
