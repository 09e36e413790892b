"use strict";

const { simulated } = require("centavo/testing");
const { note, noted } = require("../notes.cjs");
const { testsWith } = require("../tests.cjs");

note("process of orders", process.pid);
beforeAll(() => noted("process of concurrent tests"));

for (const [title, run] of Object.entries(testsWith(simulated))) test(title, run);
