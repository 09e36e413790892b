"use strict";

const { test } = require("node:test");
const { simulated } = require("centavo/testing");
const { testsWith } = require("../tests.cjs");

for (const [title, run] of Object.entries(testsWith(simulated))) test(title, run);
