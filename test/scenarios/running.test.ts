import { runScenario, scenario } from "centavo/scenario";
import type { Scenario } from "centavo/scenario";
import { expect, test } from "vitest";

test("a story that throws is a failed result, with its timeline up to there", async () => {
  const story = scenario("Fails", async ({ client, step }) => {
    step("An intent is created");
    await client.paymentIntents.create({ amount: 10_000 });
    throw new Error("out of ink");
  });
  const result = await runScenario(story, { way: "memory" });
  expect(result).toMatchObject({ title: "Fails", passed: false, error: new Error("out of ink") });
  expect(result.timeline).toMatch(/^» An intent is created\n/);
  expect(result.timeline).toContain("/api/payment-intent");
});

test("an expectation that fails shows what differs", async () => {
  const story = scenario("Expects too much", ({ expect: expected }) =>
    expected({ status: "failed" }).toEqual({ status: "paid" }),
  );
  const { error } = await runScenario(story, { way: "memory" });
  expect(String(error)).toMatch(/\+ {3}status: 'failed'\n- {3}status: 'paid'/);
});

test("what was deferred runs when the story has ended, last first, and its failure is the story's", async () => {
  const order: string[] = [];
  const story = scenario("Cleans up", ({ defer }) => {
    defer(() => void order.push("first"));
    defer(() => {
      order.push("second");
      throw new Error("door jammed");
    });
  });
  const result = await runScenario(story, { way: "memory" });
  expect(order).toEqual(["second", "first"]);
  expect(result).toMatchObject({ passed: false, error: new Error("door jammed") });
});

test("a planned fault that never fired fails the story, unless it may", async () => {
  const script: Scenario["script"] = async ({ client, sim }) => {
    sim.faults.add({ kind: "request.status", status: 503, route: "checkout.create" });
    sim.faults.add({ kind: "response.lost", route: "payment-intent.create", after: 5 });
    await client.paymentIntents.create({ amount: 10_000 });
  };
  const { passed, error } = await runScenario(scenario("Adds an unused fault", script), { way: "memory" });
  expect(passed).toBe(false);
  expect(error).toMatchObject({ code: "UNUSED_FAULT" });
  expect(String(error)).toMatch(/fault_1 .*nothing matched it; fault_2 .*it matched once and did not fire/);
  const allowed = scenario("Adds an unused fault", { unusedFaults: "allow" }, script);
  expect(await runScenario(allowed, { way: "memory" })).toMatchObject({ passed: true });
});

test("the scenario's options make the simulator, and the run's own go first", async () => {
  const seen: string[] = [];
  const story = scenario("Tells the time", { now: "2026-05-01T00:00:00Z", seed: 7 }, ({ clock, sim }) => {
    seen.push(clock.now(), sim.credentials.clientId);
  });
  await runScenario(story, { way: "memory" });
  await runScenario(story, { way: "memory", simulator: { now: "2027-01-01T00:00:00Z" } });
  expect(seen).toEqual([
    "2026-05-01T00:00:00.000Z",
    expect.stringMatching(/^ci_fake_/),
    "2027-01-01T00:00:00.000Z",
    seen[1],
  ]);
});

test("interception ends with the story", async () => {
  const before = globalThis.fetch;
  await runScenario(
    scenario("Calls the real address", async ({ sim, expect: expected }) => {
      const response = await fetch(`${sim.baseUrl}/.well-known/oauth-authorization-server`);
      expected(response.status).toBe(200);
    }),
  );
  expect(globalThis.fetch).toBe(before);
});

test("a scenario without a title or a script is refused", () => {
  expect(() => scenario("", () => undefined)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  expect(() => void Reflect.apply(scenario, undefined, ["Title", {}])).toThrow(
    expect.objectContaining({ code: "INVALID_OPTION" }),
  );
});
