"use strict";

const { simulated } = require("centavo/testing");
const { openMerchant } = require("../koa-superagent.cjs");
const { merchantTestsWith } = require("../tests.cjs");

const tests = merchantTestsWith((actual, expected) => expect(actual).toBe(expected), openMerchant);

for (const [title, run] of Object.entries(tests))
  test(`Koa and superagent: ${title}`, simulated({ name: title, network: "server" }, run));
