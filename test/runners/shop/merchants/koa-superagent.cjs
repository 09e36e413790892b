"use strict";

const { buffer } = require("node:stream/consumers");
const Koa = require("koa");
const superagent = require("superagent");
const { createCore } = require("./core.cjs");

/** A merchant on Koa without a router that calls the service with superagent. */
exports.openMerchant = (configuration) => {
  const core = createCore({
    ...configuration,
    send: async ({ method, url, headers, body }) => {
      const answer = await superagent(method, url)
        .set(headers)
        .send(body)
        .ok(() => true);
      return { status: answer.status, json: answer.body };
    },
  });
  const posts = { "/orders": core.checkOut, "/charges": core.charge, "/memberships": core.join };
  const reads = { orders: core.order, memberships: core.membership };
  const app = new Koa();
  app.use(async (context) => {
    const body = await buffer(context.req);
    if (context.path === "/hooks") {
      context.status = await core.receive({ headers: context.headers, body });
      return;
    }
    if (context.method === "POST") {
      context.body = await posts[context.path](JSON.parse(body));
      return;
    }
    const [, kind, id] = context.path.split("/");
    context.body = reads[kind]?.(id) ?? "Thank you!";
  });
  return app;
};
