import { readersIn } from "../../src/kit/declaration/views.ts";
import { expect, test } from "vitest";
import { charges } from "./charge-api.ts";
import { simulate, charge, post, retrieve, eventsOf, type ChargeObject, worldOf } from "./world.ts";

const monthly = { amount: "3000", source: "tok_visa", every: "month" };
const renewed = ["charge.renewed", "charge.succeeded"];

test("a charge is pending until the bank settles it, and answers without an envelope", async () => {
  const sim = simulate();
  const { id, ...created } = await charge(sim);
  expect(id).toMatch(/^ch_\w{24}$/);
  expect(created).toEqual({
    object: "charge",
    status: "pending",
    amount: 1250,
    source: "tok_visa",
    account: "acct_1",
    due: 1_767_225_602_000,
  });
  await sim.clock.advance("2 seconds");
  expect(await retrieve(sim, id)).toMatchObject({ status: "succeeded" });
});

test("a monthly charge renews by timer: it is pending again, and the bank settles it again", async () => {
  const sim = simulate({ now: "2026-01-31T00:00:00Z" });
  const { id } = (await (await post(sim, "/v1/charges", monthly)).json()) as ChargeObject;
  await sim.clock.advance("3 months");
  expect(eventsOf(sim)).toEqual(["charge.succeeded", ...renewed, ...renewed, ...renewed].slice(0, 7));
  const [, first] = sim.webhooks.events();
  expect(first).toMatchObject({
    createdAt: "2026-02-28T00:00:02.000Z",
    body: { data: { object: { id, amount: 3000, status: "pending" } } },
  });
  expect(await retrieve(sim, id)).toMatchObject({ status: "renewing" });
});

test("a charge that the bank refuses fails, and never renews", async () => {
  const sim = simulate();
  const { id } = (await (await post(sim, "/v1/charges", { ...monthly, source: "tok_bad" })).json()) as ChargeObject;
  await sim.clock.advance("3 months");
  expect(await retrieve(sim, id)).toMatchObject({ status: "failed" });
  expect(eventsOf(sim)).toEqual(["charge.failed"]);
});

test("the simulator reads the objects of the service by their names", async () => {
  const sim = simulate();
  const { id } = await charge(sim);
  expect(readersIn([charges])(worldOf(sim)).charges.get(id)).toMatchObject({ id, status: "pending" });
});
