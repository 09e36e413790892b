"use strict";

const { createServer } = require("node:http");
const { buffer } = require("node:stream/consumers");
const { createCore, sendBy } = require("./core.cjs");

/** A merchant on plain `node:http` that calls the service with the global `fetch`. */
exports.openMerchant = (configuration) => {
  const core = createCore({
    ...configuration,
    send: sendBy(),
  });
  const posts = { "/orders": core.checkOut, "/charges": core.charge, "/memberships": core.join };
  const reads = { orders: core.order, memberships: core.membership };

  async function serve(request, response) {
    const body = await buffer(request);
    if (request.url === "/hooks") {
      response.writeHead(await core.receive({ headers: request.headers, body })).end();
      return;
    }
    const [, kind, id] = request.url.split("/");
    const content = request.method === "POST" ? await posts[request.url](JSON.parse(body)) : reads[kind]?.(id);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(content ?? {}));
  }

  return createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
};
