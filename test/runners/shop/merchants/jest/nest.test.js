"use strict";

const { simulated } = require("centavo/testing");
const { openMerchant } = require("../nest-fetch.cjs");
const { merchantTestsWith } = require("../tests.cjs");

const tests = merchantTestsWith((actual, expected) => expect(actual).toBe(expected), openMerchant);

for (const [title, run] of Object.entries(tests)) test(`Nest and fetch: ${title}`, simulated({ name: title }, run));
