import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { host } from "../../../src/server/serve.ts";
import { Merchant } from "../../merchant.ts";
import { open } from "../served.ts";
import { newStateFile } from "./state-files.ts";

/** Asks until a server is ready, and returns each answer. */
async function statusesUntilReady(url: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  do statuses.push((await fetch(`${url}/_centavo/ready`)).status);
  while (statuses.at(-1) !== 200);
  return statuses;
}

test("a server that brings back its worlds lives and is not ready, and calls wait", async () => {
  const state = newStateFile();
  const first = createSimulator();
  const server = await serve(first, { state });
  const id = await (await Merchant.of(first)).pay({}, "pm_card_approved");
  for (let count = 0; count < 10; count += 1) await open(server, `world-${count}`);
  await server.close();

  const sim = createSimulator();
  let asked: Promise<readonly [readonly number[], number, number]> | undefined;
  const again = await host(
    (url) => {
      const called = fetch(`${url}/worlds/world-9/.well-known/jwks.json`);
      const health = fetch(`${url}/_centavo/health`);
      asked = Promise.all([
        statusesUntilReady(url),
        health.then(({ status }) => status),
        called.then(({ status }) => status),
      ]);
      return sim;
    },
    { state },
  );
  const [ready, health, called] = (await asked) ?? [];
  expect(new Set(ready)).toEqual(new Set([503, 200]));
  expect([health, called]).toEqual([200, 200]);
  expect(sim.intents.get(id)?.status).toBe("processing");
  await again.close();
});
