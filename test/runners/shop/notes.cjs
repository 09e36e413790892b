"use strict";

const { appendFileSync } = require("node:fs");

/** Writes down what a test saw, for the suite that runs the runner. */
exports.note = (name, value) => appendFileSync(process.env.NOTES, `${JSON.stringify([name, value])}\n`);
