"use strict";

const { simulated } = require("centavo/testing");
const { testsWith } = require("../tests.cjs");

for (const [title, run] of Object.entries(testsWith(simulated))) it(title, run);
