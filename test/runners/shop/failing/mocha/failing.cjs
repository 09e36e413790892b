"use strict";

const assert = require("node:assert/strict");
const { install } = require("@sinonjs/fake-timers");
const { simulated } = require("centavo/testing");
const { examplesWith } = require("../examples.cjs");

let clock;
const examples = examplesWith({
  equal: assert.equal,
  fakeTimers: () => {
    clock = install();
  },
});

for (const { title, options = {}, timeout = 20_000, test } of examples)
  it(title, simulated(options, test)).timeout(timeout);

afterEach(() => {
  clock?.uninstall();
  clock = undefined;
});
