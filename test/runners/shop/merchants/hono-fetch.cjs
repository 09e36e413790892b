"use strict";

const { Hono } = require("hono");
const { createCore, sendBy } = require("./core.cjs");

/** A merchant on Hono, a fetch handler, that calls the service with the global `fetch`. */
exports.openMerchant = (configuration) => {
  const core = createCore({
    ...configuration,
    send: sendBy(),
  });
  const app = new Hono();
  app.post("/hooks", async ({ req, body }) => body(null, await core.receive(req.raw)));
  app.post("/orders", async ({ req, json }) => json(await core.checkOut(await req.json())));
  app.post("/charges", async ({ req, json }) => json(await core.charge(await req.json())));
  app.post("/memberships", async ({ req, json }) => json(await core.join(await req.json())));
  app.get("/orders/:id", ({ req, json }) => json(core.order(req.param("id"))));
  app.get("/memberships/:id", ({ req, json }) => json(core.membership(req.param("id"))));
  app.get("/thanks", ({ text }) => text("Thank you!"));
  return app;
};
