import { expect, test } from "vitest";
import { simulate, charge, retrieve } from "./world.ts";

test("a restored world goes on as the one that was kept", async () => {
  const sim = simulate();
  const { id } = await charge(sim);
  const kept = sim.snapshot();
  await sim.clock.advance("1 day");
  const digest = sim.journal.digest();
  sim.restore(JSON.parse(JSON.stringify(kept)) as typeof kept);
  expect(sim.webhooks.events()).toEqual([]);
  await sim.clock.advance("1 day");
  expect(sim.journal.digest()).toBe(digest);
  expect(await retrieve(sim, id)).toMatchObject({ status: "succeeded" });
});

test("a fork meets a fault that its parent does not", async () => {
  const sim = simulate();
  const fork = sim.fork();
  fork.faults.add({ kind: "webhook.drop", event: "charge.succeeded" });
  const [parents, forks] = [await charge(sim), await charge(fork)];
  expect(forks.id).toBe(parents.id);
  await sim.clock.advance("2 seconds");
  await fork.clock.advance("2 seconds");
  expect(sim.webhooks.attempts()).toHaveLength(1);
  expect(fork.webhooks.attempts()).toHaveLength(0);
});

test("a world that is reset has neither charges nor events", async () => {
  const sim = simulate();
  const { id } = await charge(sim);
  sim.reset();
  expect(await retrieve(sim, id)).toMatchObject({ error: { code: "resource_missing" } });
});
