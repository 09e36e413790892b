import { expect, test } from "vitest";
import { charge, retrieve, simulate } from "./world.ts";

test("an auto clock settles a charge and tells of it while the code under test waits", async () => {
  await using sim = simulate({ clock: "auto" });
  const told = Promise.withResolvers<void>();
  sim.connect("https://gym.example", () => {
    told.resolve();
    return new Response();
  });
  const { id, status } = await charge(sim);
  expect(status).toBe("pending");
  await told.promise;
  expect(await retrieve(sim, id)).toMatchObject({ status: "succeeded" });
});
