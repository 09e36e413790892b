import express from "express";
import type { Express, Request } from "express";
import type { ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { Desk } from "./refunding-desk.ts";
import type { Books } from "./refunding-desk.ts";

function openRefundingShop(opening: Opening<Books>): Express {
  const desk = new Desk(opening);
  const app = express();
  app.post("/hooks", express.text({ type: "*/*" }), async (request: Request<object, object, string>, response) => {
    const { webhookSecret } = opening.sim.credentials;
    const event = await verifyWebhook(request, webhookSecret, { now: opening.now }).catch(() => undefined);
    if (event === undefined) response.sendStatus(401);
    else if ("data" in event && event.data.type === "payment_intent") {
      // The shop may not have stored the payment yet. A conflict makes the service try again.
      const isKnown = desk.hear(event.data.id, event.data.attributes.status);
      response.sendStatus(isKnown ? 200 : 409);
    } else response.sendStatus(200);
  });
  app.post(
    "/orders/:id",
    express.json(),
    async (request: Request<{ id: string }, object, { method: string }>, response) => {
      const order = desk.place(request.params.id);
      if (order === undefined) response.status(409).json({ problem: "All umbrellas are sold." });
      else response.json({ next: await desk.pay(order, request.body.method), order });
    },
  );
  app.get("/back/:id", (request, response) => response.redirect(303, `/orders/${request.params.id}`));
  app.get("/orders/:id", async (request, response) => {
    const order = opening.store.orders.get(request.params.id);
    if (order !== undefined) await desk.settle(order);
    response.status(order === undefined ? 404 : 200).json(order ?? {});
  });
  app.post("/tidy", async (_, response) => {
    await desk.tidy();
    response.sendStatus(204);
  });
  return app;
}

export const refundingShop: ExamOptions<Books> = {
  open: openRefundingShop,
  store: { orders: new Map(), shelf: { umbrellas: 2 } },
  acts: {
    order: ({ visit, id, method }) => visit("POST", `/orders/${id}`, { method }),
    payAgain: ({ visit, id, method }) => visit("POST", `/orders/${id}`, { method }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
  },
  books: ({ store: { orders, shelf } }) => ({
    orders: [...orders.values()].map(({ id, status, amount, refunded, shipments }) => ({
      id,
      status,
      amount,
      refunded,
      fulfilments: shipments,
    })),
    stock: { ...shelf },
  }),
  jobs: [{ every: "15 minutes", run: ({ visit }) => visit("POST", "/tidy") }],
};
