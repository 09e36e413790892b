import { expect, test } from "vitest";
import { simulate, charge, retrieve } from "./world.ts";

test("a bounded world forgets charges that are settled, and keeps what goes on", async () => {
  const sim = simulate({ keep: 10 });
  const oldest = await charge(sim);
  await sim.clock.advance("1 minute");
  for (let count = 0; count < 200; count += 1) {
    await charge(sim);
    await sim.clock.advance("1 minute");
  }
  const newest = await charge(sim);
  expect(await retrieve(sim, oldest.id)).toMatchObject({ error: { code: "resource_missing" } });
  expect(await retrieve(sim, newest.id)).toMatchObject({ status: "pending" });
  expect(sim.snapshot().world.tables["charge"]?.length).toBeLessThan(100);
});
