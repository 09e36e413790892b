"use strict";

const axios = require("axios");
const express = require("express");
const { createCore } = require("./core.cjs");

/** A merchant on Express that calls the service with axios. */
exports.openMerchant = (configuration) => {
  const core = createCore({
    ...configuration,
    send: async ({ method, url, headers, body }) => {
      const { status, data } = await axios.request({ method, url, headers, data: body, validateStatus: null });
      return { status, json: data };
    },
  });
  const app = express();
  app.post("/hooks", express.raw({ type: "application/json" }), async (request, response) => {
    response.sendStatus(await core.receive(request));
  });
  app.use(express.json());
  app.post("/orders", async (request, response) => void response.json(await core.checkOut(request.body)));
  app.post("/charges", async (request, response) => void response.json(await core.charge(request.body)));
  app.post("/memberships", async (request, response) => void response.json(await core.join(request.body)));
  app.get("/orders/:id", (request, response) => void response.json(core.order(request.params.id)));
  app.get("/memberships/:id", (request, response) => void response.json(core.membership(request.params.id)));
  app.get("/thanks", (_request, response) => void response.send("Thank you!"));
  return app;
};
