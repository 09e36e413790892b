import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { simulated } from "centavo/testing";
import { examplesWith } from "../examples.cjs";

const examples = examplesWith({ equal: assert.equal, fakeTimers: () => mock.timers.enable() });

// node:test has no limit of its own.
for (const { title, options = {}, timeout, test: run } of examples) {
  test(title, simulated({ ...options, ...(timeout !== undefined && { timeout }) }, run));
}

afterEach(() => mock.timers.reset());
