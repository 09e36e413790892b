import { expect, test } from "vitest";
import { simulate, replayed, charge, post } from "./world.ts";

test("a recording replays to the same digest, with its faults, answers and renewals", async () => {
  const sim = simulate({ seed: 7 });
  let answered = 0;
  sim.connect("https://gym.example", () => new Response(null, { status: (answered += 1) % 2 === 0 ? 200 : 503 }));
  sim.faults.add({ kind: "webhook.duplicate", times: 1 });
  await charge(sim);
  sim.faults.add({ kind: "response.late", delay: "1 minute", route: "charge.create", times: 1 });
  const late = post(sim, "/v1/charges", { amount: "3000", source: "tok_visa", every: "month" });
  await sim.clock.advance("2 months");
  await late;
  await post(sim, "/v1/charges", { amount: "1" });
  const again = await replayed(sim.recording());
  expect(again.journal.digest()).toBe(sim.journal.digest());
  expect(String(again.journal)).toBe(String(sim.journal));
});
