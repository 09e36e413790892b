"use strict";

const assert = require("node:assert/strict");
const { simulated } = require("centavo/testing");
const { merchantTestsWith } = require("../tests.cjs");
const { server } = require("./long-lived.cjs");

for (const [title, run] of Object.entries(merchantTestsWith(assert.equal, () => server, "second")))
  it(`node:http, second file: ${title}`, simulated({ name: `second ${title}`, keepTokens: true }, run));

it(
  "node:http: the shop has kept its orders and its token",
  simulated({ name: "kept", keepTokens: true }, async ({ sim, network, visit }) => {
    assert.equal(network.kind, "intercept");
    sim.connect("https://shop.example", server);
    assert.deepEqual(await (await visit("/orders/first-1")).json(), { id: "first-1", status: "paid" });
    await visit("POST", "/charges", { id: "kept-1", amount: 49_900, paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    assert.deepEqual(await (await visit("/orders/kept-1")).json(), { id: "kept-1", status: "paid" });
    assert.equal(sim.journal.entries.filter(({ kind }) => kind === "token").length, 0);
  }),
);
