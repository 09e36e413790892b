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
  fork.faults.add({ kind: "bank.refusal" });
  const [paid, refused] = [await charge(sim), await charge(fork)];
  expect(refused.id).toBe(paid.id);
  await sim.clock.advance("2 seconds");
  await fork.clock.advance("2 seconds");
  expect(await retrieve(sim, paid.id)).toMatchObject({ status: "succeeded" });
  expect(await retrieve(fork, refused.id)).toMatchObject({ status: "failed" });
});

test("a world that is reset has neither charges nor events", async () => {
  const sim = simulate();
  const { id } = await charge(sim);
  sim.reset();
  expect(await retrieve(sim, id)).toMatchObject({ error: { code: "resource_missing" } });
});
