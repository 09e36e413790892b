"use strict";

const { createSimulator } = require("centavo");
const { openMerchant } = require("../node-http.cjs");

const { baseUrl, authUrl, credentials } = createSimulator();

/** A merchant that lives as long as the process, with its server, its orders and its access token. It reads its configuration once. */
exports.server = openMerchant({ baseUrl, authUrl, ...credentials });
exports.server.listen(0, "127.0.0.1").unref();
