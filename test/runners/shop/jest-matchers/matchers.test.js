"use strict";

const { simulated } = require("centavo/testing");
const { matcherTests } = require("../matchers.cjs");

for (const [title, run] of Object.entries(matcherTests(simulated, expect))) test(title, run);
