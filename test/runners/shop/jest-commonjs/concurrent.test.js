"use strict";

const { simulated } = require("centavo/testing");
const { note, noted } = require("../notes.cjs");

const started = Date.now();
note("process of concurrent tests", process.pid);
beforeAll(() => noted("process of orders"));

for (const name of ["one", "two", "three"]) {
  const options = { name, fakeDate: false, baseUrl: `https://${name}.pay.example` };
  test.concurrent(
    `concurrent tests have a world each: ${name}`,
    simulated(options, async ({ sim, client, network }) => {
      await sim.clock.advance("1 year");
      const { id } = await client.paymentIntents.create({ amount: 10000 });
      expect(sim.intents.list().map((intent) => intent.id)).toEqual([id]);
      const call = network.kind === "fetch" ? network.fetch : fetch;
      expect((await call(`https://${name}.pay.example/api/transactions`)).status).toBe(401);
      expect(Date.now()).toBeGreaterThanOrEqual(started);
    }),
  );
}
