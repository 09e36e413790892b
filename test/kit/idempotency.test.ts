import { expect, test } from "vitest";
import { simulate, post, type ChargeSimulator } from "./world.ts";

const order = { amount: "1250", source: "tok_visa" };
const send = (sim: ChargeSimulator, fields: Record<string, string> = order) =>
  post(sim, "/v1/charges", fields, { "idempotency-key": "k1" });

test("a repeat under the same key gets the first answer for an hour, and a new one after that", async () => {
  const sim = simulate();
  const first = await (await send(sim)).text();
  await sim.clock.advance("59 minutes");
  expect(await (await send(sim)).text()).toBe(first);
  await sim.clock.advance("1 minute");
  expect(await (await send(sim)).text()).not.toBe(first);
});

test("a key that belongs to another request is refused in the words of the service", async () => {
  const sim = simulate();
  await send(sim);
  const response = await send(sim, { ...order, amount: "9900" });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ error: { code: "key_in_use" } });
});

test("a refusal is not kept", async () => {
  const sim = simulate();
  expect((await send(sim, { amount: "1" })).status).toBe(400);
  expect((await send(sim)).status).toBe(200);
});
