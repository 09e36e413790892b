import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { controlRoutes } from "../../src/server/control/routes.ts";
import { describeWorld } from "../../src/server/inspector/about-worlds.ts";
import { host } from "../../src/server/serve.ts";
import { errorOf, open } from "../server/served.ts";
import { Page } from "./page.ts";

const REASON = 'The test "pays" moves the clock of this world.';
/** What leaves the world as it is, although it is no GET. */
const HARMLESS: ReadonlySet<string> = new Set(["causes", "fork", "inspector.open"]);

test("a world that its test owns takes no change from anybody else, whatever the route, and says why", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const page = await Page.of(server);
  describeWorld(sim, { title: "pays", ownedBecause: REASON });
  const before = JSON.stringify(sim.snapshot());
  const changing = controlRoutes().filter(({ name, method }) => method !== "GET" && !HARMLESS.has(name));
  expect(changing.length).toBeGreaterThan(30);
  for (const { method, path } of changing)
    for (const call of [page.fetch.bind(page), byToken(server)]) {
      const refused = await call(`/_centavo/api/v1${path.replaceAll(/\{\w+\}/g, "some-id")}`, {
        method,
        body: JSON.stringify(BODIES[path] ?? {}),
      });
      const { status, code, message } = await errorOf(refused);
      // A body that is wrong is refused before.
      if (status === 400) expect(code).toBe("INVALID_OPTION");
      else
        expect({ status, code, message }, path).toMatchObject({
          status: 409,
          code: "WORLD_OWNED",
          message: expect.stringContaining(REASON) as string,
        });
    }
  expect(JSON.stringify(sim.snapshot())).toBe(before);
  await sim.clock.advance("1 day");
  expect(sim.clock.now()).toBe("2026-01-02T00:00:00.000Z");
});

const BODIES: Readonly<Record<string, object>> = {
  "/clock/advance": { duration: "1 day" },
  "/clock/advance-to": { instant: "2026-03-01T00:00:00Z" },
  "/clock/advance-until": { resource: "intents", id: "x", status: "succeeded" },
  "/clock/sleep": { duration: "1 day" },
  "/faults": { kind: "response.lost" },
};

function byToken({ url, token }: { readonly url: string; readonly token: string }) {
  return (path: string, init: RequestInit): Promise<Response> =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}` } });
}

test("it can be read, explained and forked, and the fork is for everybody", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const page = await Page.of(server);
  describeWorld(sim, { title: "pays", ownedBecause: REASON });
  for (const path of ["clock", "report", "recording", "coverage", "intents", "timeline"])
    expect((await page.fetch(`/_centavo/api/v1/${path}`)).status).toBe(200);
  expect((await page.fetch("/_centavo/api/v1/causes", { method: "POST", body: "{}" })).status).toBe(200);
  const forked = await page.fetch("/_centavo/api/v1/fork", { method: "POST", body: '{"name":"mine"}' });
  expect(forked.status).toBe(201);
  const moved = await page.fetch("/worlds/mine/_centavo/api/v1/clock/advance", {
    method: "POST",
    body: '{"duration":"1 day"}',
  });
  expect(moved.status).toBe(200);
  const { value } = await page.follow("/_centavo/inspector/worlds").next();
  expect(value?.data).toMatchObject([
    { name: "", title: "pays", clock: { isMovedBy: "test", reason: REASON } },
    { name: "mine", title: "mine", clock: { isMovedBy: "page" } },
  ]);
  const { value: begun } = await page.follow("/_centavo/inspector/run").next();
  expect(begun?.data).toMatchObject({ title: "pays" });
});

test("a named world that its test owns is ended by nobody else", async () => {
  await using server = await host(() => createSimulator(), {});
  const page = await Page.of(server);
  await open(server, "a");
  const sim = server.named().find(({ baseUrl }) => baseUrl.endsWith("/a"));
  if (sim !== undefined) describeWorld(sim, { ownedBecause: REASON });
  expect((await page.fetch("/_centavo/worlds/a", { method: "DELETE" })).status).toBe(409);
  expect((await page.fetch("/_centavo/worlds/a")).status).toBe(200);
});
