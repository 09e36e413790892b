"use strict";

const assert = require("node:assert/strict");
const { createSimulator } = require("centavo");
const { simulated } = require("centavo/testing");
const { sell } = require("./shop.cjs");

const sent = { status: "completed", parcels: 1 };

/** Tests that each have a world: by `simulated`, made in the test, and made in a hook. */
exports.ownWorlds = ({ describe, it, beforeEach, afterEach }) => {
  it(
    "a simulated test sells",
    simulated({ network: "fetch", name: "sells" }, async ({ sim, network }) => {
      assert.deepEqual(await sell(sim, network.fetch), sent);
    }),
  );

  it("a test sells that makes its simulator", async () => {
    await using sim = createSimulator();
    assert.deepEqual(await sell(sim), sent);
  });

  describe("with hooks", () => {
    let sim;
    beforeEach(() => {
      sim = createSimulator();
    });
    afterEach(() => sim.close());

    it("a test sells whose hook makes its simulator", async () => {
      assert.deepEqual(await sell(sim), sent);
    });
  });
};

/** Tests that share a world. */
exports.sharedWorld = ({ describe, it, beforeAll, afterAll }) => {
  describe("two tests with one simulator", () => {
    let sim;
    beforeAll(() => {
      sim = createSimulator();
    });
    afterAll(() => sim.close());

    it("sells", async () => {
      assert.deepEqual(await sell(sim), sent);
    });

    it("sells once more", async () => {
      assert.deepEqual(await sell(sim, sim.fetch, "order-2"), sent);
    });
  });
};
