"use strict";

const assert = require("node:assert/strict");
const { simulated } = require("centavo/testing");
const { examplesWith } = require("../examples.cjs");

const intercepts = process.env.NODE_OPTIONS.includes("--experimental-vm-modules");
const examples = examplesWith({
  // Jest shows Node's assertions in a way of its own.
  equal: intercepts ? assert.equal : (actual, expected) => expect(actual).toBe(expected),
  fakeTimers: () => jest.useFakeTimers(),
  intercepts,
});

for (const { title, options = {}, timeout, unlessIntercepted, test: run } of examples) {
  if (intercepts || unlessIntercepted === undefined) test(title, simulated(options, run), timeout);
}

afterEach(() => void jest.useRealTimers());
