import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { BASE, pay } from "./calls.mjs";
import { mocks } from "./mocks.mjs";

const { MOCK, TESTS } = process.env;
if (MOCK === "documented") {
  const { simulated } = await import("centavo/testing");
  for (let index = 0; index < TESTS; index += 1)
    test(
      `test ${index}`,
      // Their names give tests their seeds, as vitest does. Without one, the source of a test does, which these tests share.
      simulated({ baseUrl: BASE, name: `test ${index}` }, async ({ sim, network }) => {
        assert.notEqual(network, undefined);
        await pay(sim.credentials);
      }),
    );
} else {
  const mock = await mocks[MOCK]();
  afterEach(() => mock.afterEach?.());
  after(() => mock.end?.());
  for (let index = 0; index < TESTS; index += 1) test(`test ${index}`, mock.test);
}
