import { expect, test } from "vitest";
import { charges } from "./charge-api.ts";
import { simulate, charge, post, retrieve, eventsOf } from "./world.ts";

test("a charge is pending until the bank settles it, and answers without an envelope", async () => {
  const sim = simulate();
  const { id, ...created } = await charge(sim);
  expect(id).toMatch(/^ch_\w{24}$/);
  expect(created).toEqual({ object: "charge", status: "pending", amount: 1250, source: "tok_visa" });
  await sim.clock.advance("2 seconds");
  expect(await retrieve(sim, id)).toMatchObject({ status: "succeeded" });
});

test("an assumption of the service changes when a charge settles, and the run says that it used it", async () => {
  const sim = simulate({ assumptions: { "charge.settling": "1 hour" } });
  const { id } = await charge(sim);
  await sim.clock.advance("59 minutes");
  expect(await retrieve(sim, id)).toMatchObject({ status: "pending" });
  expect(sim.assumptions.used()).toMatchObject([{ id: "charge.settling", value: "1 hour", changed: true }]);
});

test("a membership charges its source every month, by timer", async () => {
  const sim = simulate({ now: "2026-01-31T00:00:00Z" });
  await post(sim, "/v1/memberships", { amount: "3000", source: "tok_visa" });
  await sim.clock.advance("3 months");
  const month = ["membership.renewed", "charge.succeeded"];
  expect(eventsOf(sim)).toEqual([...month, ...month, ...month]);
  const [, first] = sim.webhooks.events();
  expect(first).toMatchObject({ createdAt: "2026-02-28T00:00:02.000Z", body: { data: { object: { amount: 3000 } } } });
});

test("the simulator reads the objects of the service by their names", async () => {
  const sim = simulate();
  const { id } = await charge(sim);
  const { viewOf } = sim.internals.parts;
  expect(viewOf(charges)["charge"]?.get(id)).toMatchObject({ id, status: "pending" });
});
