import assert from "node:assert/strict";
import { afterAll, afterEach, test } from "vitest";
import { BASE, pay } from "./calls.mjs";
import { mocks } from "./mocks.mjs";

const { MOCK, TESTS } = process.env;
if (MOCK === "documented") {
  const { withSimulator } = await import("centavo/vitest");
  const payment = withSimulator(test, { baseUrl: BASE });
  for (let index = 0; index < TESTS; index += 1)
    payment(`test ${index}`, async ({ network, sim }) => {
      assert.notEqual(network, undefined);
      await pay(sim.credentials);
    });
} else {
  const mock = await mocks[MOCK]();
  afterEach(() => mock.afterEach?.());
  afterAll(() => mock.end?.());
  for (let index = 0; index < TESTS; index += 1) test(`test ${index}`, mock.test);
}
