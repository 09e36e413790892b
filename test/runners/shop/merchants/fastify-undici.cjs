"use strict";

const fastify = require("fastify");
const { request: call } = require("undici");
const { createCore } = require("./core.cjs");

/** A merchant on Fastify that calls the service with undici. */
exports.openMerchant = (configuration) => {
  const core = createCore({
    ...configuration,
    send: async ({ url, ...init }) => {
      const { statusCode, body } = await call(url, init);
      return { status: statusCode, json: await body.json() };
    },
  });
  const app = fastify();
  app.post("/orders", ({ body }) => core.checkOut(body));
  app.post("/charges", ({ body }) => core.charge(body));
  app.post("/memberships", ({ body }) => core.join(body));
  app.get("/orders/:id", ({ params }) => core.order(params.id));
  app.get("/memberships/:id", ({ params }) => core.membership(params.id));
  app.get("/thanks", () => "Thank you!");
  // A scope of its own keeps the bytes of webhooks, and leaves other bodies parsed.
  app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    hooks.post("/hooks", async ({ headers, body }, reply) => {
      await reply.code(await core.receive({ headers, body })).send();
    });
  });
  return app;
};
