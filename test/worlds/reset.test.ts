import { createSimulator, type Simulator } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

async function script(sim: Simulator): Promise<string> {
  const merchant = await Merchant.of(sim);
  await merchant.pay({ webhookUrl: HOOKS });
  await sim.clock.advance("1 hour");
  return sim.journal.digest();
}

test("reset leads back to the beginning, byte for byte, the journal included", async () => {
  const sim = createSimulator({ seed: 7, webhookUrl: HOOKS });
  new Merchant(sim).connect();
  const beginning = JSON.stringify(sim.snapshot());
  const digest = sim.journal.digest();
  const first = await script(sim);
  sim.reset();
  expect(JSON.stringify(sim.snapshot())).toBe(beginning);
  expect(sim.journal.digest()).toBe(digest);
  expect(await script(sim)).toBe(first);
  sim.reset();
  expect(sim.snapshot()).toEqual(createSimulator({ seed: 7, webhookUrl: HOOKS }).snapshot());
});

test("connections stay", async () => {
  const sim = createSimulator();
  const merchant = new Merchant(sim);
  merchant.connect();
  sim.reset();
  await script(sim);
  expect(merchant.arrivals).toHaveLength(2);
});

test("a token from before a reset is unknown afterwards", async () => {
  const merchant = await Merchant.open();
  const { sim } = merchant;
  sim.reset();
  await expect(merchant.createIntent()).rejects.toThrow("Invalid access token");
});
