import { join } from "node:path";
import { expect, test } from "vitest";
import { addressesIn, newTemporary, runScript } from "./runs.ts";
import { signIn, worldsWhen } from "./signed-in.ts";

test("inspect(sim) shows the simulators of a script in one inspector, with all that happened before", async () => {
  const { code, printed, warned } = await runScript(newTemporary(), ["inspect.ts"]);
  expect(code).toBe(0);
  const addresses = JSON.parse(printed) as string[];
  expect(new Set(addresses)).toEqual(new Set(addressesIn(warned)));
  const [address = "", ...others] = addressesIn(warned);
  expect(others).toEqual([]);
  const call = await signIn(address);
  const worlds = await worldsWhen(call, (all) => all.length === 4 && all.every(({ isEnded }) => isEnded));
  expect(Object.fromEntries(worlds.map(({ title, now }) => [title, now]))).toEqual({
    "a renewal": "2026-01-02T00:00:00.000Z",
    "inspect.ts > simulator 1": "2026-01-03T00:00:00.000Z",
    "ends with its block": "2026-01-01T00:00:00.000Z",
    "is shown again": "2027-01-02T00:00:00.000Z",
  });
});

test("the page may read the simulator of a script, and fork it, but not change it", async () => {
  const { warned } = await runScript(newTemporary(), ["inspect.ts"]);
  const call = await signIn(addressesIn(warned)[0] ?? "");
  const worlds = await worldsWhen(call, (all) => all.length === 4 && all.every(({ isEnded }) => isEnded));
  const path = worlds.find(({ title }) => title === "a renewal")?.path ?? "";
  const moved = await call(`${path}/_centavo/api/v1/clock/advance`, { method: "POST", body: '{"duration":"1 day"}' });
  expect(moved.status).toBe(409);
  expect(await moved.text()).toContain("The test of this world has ended, and nothing changes it any more.");
  const asked = await call(`${path}/oauth`, { method: "POST", body: "grant_type=client_credentials" });
  expect(asked.status).toBe(409);
  const forked = await call(`${path}/_centavo/api/v1/fork`, { method: "POST", body: "{}" });
  expect(forked.status).toBe(201);
  const fork = new URL(((await forked.json()) as { readonly baseUrl: string }).baseUrl).pathname;
  const ahead = await call(`${fork}/_centavo/api/v1/clock/advance`, { method: "POST", body: '{"duration":"1 day"}' });
  expect(ahead.status).toBe(200);
  const after = await worldsWhen(call, (all) => all.some((world) => world.path === fork));
  expect(after.find((world) => world.path === fork)?.now).toBe("2026-01-03T00:00:00.000Z");
  expect(after.find((world) => world.path === path)?.now).toBe("2026-01-02T00:00:00.000Z");
});

test("inspect says why it cannot show a simulator", async () => {
  const { code, warned } = await runScript(join(newTemporary(), "gone"), ["inspect.ts"]);
  expect(code).toBe(1);
  expect(warned).toContain("INVALID_STATE");
  expect(warned).toContain("inspect: the inspector did not start: ENOENT");
});
