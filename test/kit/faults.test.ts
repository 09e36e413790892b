import { expect, test } from "vitest";
import { simulate, charge, post, eventsOf } from "./world.ts";

test("a proxy's error speaks in the error body of the service", async () => {
  const sim = simulate();
  sim.faults.add({ kind: "request.status", status: 503, route: "charge.create", times: 1 });
  const response = await post(sim, "/v1/charges", { amount: "1250", source: "tok_visa" });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "unavailable" } });
});

test("a fault answers an error of the service by its code, and refuses a code that the service does not have", async () => {
  const sim = simulate();
  sim.faults.add({ kind: "request.status", code: "key_in_use", route: "charge.create", times: 1 });
  const response = await post(sim, "/v1/charges", { amount: "1250", source: "tok_visa" });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ error: { code: "key_in_use" } });
  expect(() => sim.faults.add({ kind: "request.status", code: "key_in_us" })).toThrow('the nearest is "key_in_use"');
});

test("a lost answer leaves a charge that stands, and a repeat under the key finds it", async () => {
  const sim = simulate();
  sim.faults.add({ kind: "response.lost", route: "charge.create", times: 1 });
  const send = () => post(sim, "/v1/charges", { amount: "1250", source: "tok_visa" }, { "idempotency-key": "k1" });
  await expect(send()).rejects.toThrow("fetch failed");
  expect((await send()).headers.get("idempotent-replayed")).toBe("true");
  await sim.clock.advance("2 seconds");
  expect(eventsOf(sim)).toEqual(["charge.succeeded"]);
});

test("a fault finds a call by what its form says", async () => {
  const sim = simulate();
  sim.faults.add({ kind: "request.status", status: 502, resource: "tok_visa" });
  expect((await post(sim, "/v1/charges", { amount: "1250", source: "tok_mastercard" })).status).toBe(200);
  expect((await post(sim, "/v1/charges", { amount: "1250", source: "tok_visa" })).status).toBe(502);
});

test("a fault that names what the service does not have is refused with the nearest name", () => {
  const { faults } = simulate();
  expect(() => faults.add({ kind: "response.lost", route: "charge.creat" })).toThrow('"charge.create"');
  expect(() => faults.add({ kind: "webhook.drop", event: "charge.suceeded" })).toThrow('"charge.succeeded"');
  // @ts-expect-error -- the family of another service
  expect(() => faults.add({ kind: "processor.stuck" })).toThrow("processor.stuck");
});

test("a webhook fault drops, copies and makes up events of the service", async () => {
  const sim = simulate();
  const bodies: { id: string; data: { object: { id: string } } }[] = [];
  sim.connect("https://gym.example", async (request) => {
    bodies.push((await request.json()) as (typeof bodies)[number]);
    return new Response();
  });
  sim.faults.add({ kind: "webhook.duplicate", times: 1 });
  sim.faults.add({ kind: "webhook.unknown-object", times: 1 });
  const { id } = await charge(sim);
  await sim.clock.advance("1 minute");
  const objects = bodies.map(({ data }) => data.object.id);
  expect(objects.filter((object) => object === id)).toHaveLength(2);
  expect(objects.find((object) => object !== id)).toMatch(/^ch_\w{24}$/);
});
