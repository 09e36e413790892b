"use strict";

const { simulated } = require("centavo/testing");
const { note } = require("../notes.cjs");
const { testsWith } = require("../tests.cjs");

note("process of orders", process.pid);

for (const [title, run] of Object.entries(testsWith(simulated))) test(title, run);
