"use strict";

const assert = require("node:assert/strict");
const { simulated } = require("centavo/testing");
const { merchantTestsWith } = require("../tests.cjs");
const { server } = require("./long-lived.cjs");

for (const [title, run] of Object.entries(merchantTestsWith(assert.equal, () => server, "first")))
  it(`node:http, first file: ${title}`, simulated({ name: `first ${title}`, keepTokens: true }, run));
