"use strict";

const assert = require("node:assert/strict");
const { simulated } = require("centavo/testing");
const { openMerchant } = require("../hono-fetch.cjs");
const { merchantTestsWith } = require("../tests.cjs");

for (const [title, run] of Object.entries(merchantTestsWith(assert.equal, openMerchant)))
  it(`Hono and fetch: ${title}`, simulated({ name: title }, run));
