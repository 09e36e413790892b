import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import { serve } from "centavo/server";
import { expect, test } from "vitest";

test("a fork of a world is in the state file, with what happened in it", async () => {
  const state = join(mkdtempSync(join(tmpdir(), "centavo-fork-")), "shop.db");
  const options = { seed: "shop", assumptions: { "checkout.lifetime": "10 minutes" } };
  const server = await serve(createSimulator(options), { state });
  const sim = connectSimulator(server.url, { token: server.token });
  const { id } = await sim.make.intent({ status: "processing" });
  const fork = await sim.fork({ name: "later" });
  await fork.clock.advance("1 day");
  const digest = await fork.journal.digest();
  const credentials = await fork.credentials;
  await server.close();

  await using again = await serve(createSimulator(options), { state });
  const kept = connectSimulator(`${again.url}/worlds/later`, { token: again.token });
  expect(await kept.journal.digest()).toBe(digest);
  expect(await kept.credentials).toEqual(credentials);
  expect(await kept.intents.get(id)).toMatchObject({ status: "succeeded" });
  const original = connectSimulator(again.url, { token: again.token });
  expect(await original.intents.get(id)).toMatchObject({ status: "processing" });
});
