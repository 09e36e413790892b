import { createSimulator, type Simulator, type SimulatorOptions } from "centavo";
import { expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { woundTime } from "../../clock-drivers/wound-time.ts";
import { Merchant } from "../../merchant.ts";
import { HOOKS, SHOP } from "../../merchant/requests.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

/** Opens a world with a shop that answers its events when it is told to. */
function withSlowShop(options: SimulatorOptions = {}) {
  const sim = createSimulator({ webhookUrl: HOOKS, ...options });
  const asked: (() => void)[] = [];
  sim.connect(SHOP, () => new Promise<Response>((resolve) => asked.push(() => resolve(new Response()))));
  const answer = async (): Promise<void> => {
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    asked.shift()?.();
  };
  return { sim, answer };
}

function open(path: string) {
  const state = openState(path);
  onTestFinished(() => state.close());
  return state;
}

/** Holds what comes out of a killed copy of a file to the world itself. */
async function expectInFile(path: string, sim: Simulator): Promise<void> {
  const state = open(killedCopyOf(path));
  const twin = createSimulator({ webhookUrl: HOOKS });
  await state.restore("shop", twin);
  expect(twin.journal.digest()).toBe(sim.journal.digest());
  expect(twin.webhooks.events()).toEqual(sim.webhooks.events());
}

test("a world whose clock runs comes back with events that are sent at once, is killed when they are answered, and comes back", async () => {
  const path = newStateFile();
  const before = createSimulator({ webhookUrl: HOOKS });
  const first = openState(path);
  first.follow("shop", {}, before);
  await (await Merchant.of(before)).pay({}, "pm_card_approved");
  first.close();

  const time = woundTime();
  const state = open(path);
  const { sim, answer } = withSlowShop({ clock: { real: 1 } });
  await state.restore("shop", sim);
  await answer();
  await time.pass(10);
  expect(sim.webhooks.attempts()).toHaveLength(1);
  await sim.fetch("/api/transactions");
  await expectInFile(path, sim);
  await sim.close();
});

test("a world that a file follows while an event is being sent is in the file, and so is the answer", async () => {
  const { sim, answer } = withSlowShop();
  await (await Merchant.of(sim)).pay({}, "pm_card_approved");
  const settled = sim.clock.settle();
  const path = newStateFile();
  open(path).follow("shop", {}, sim);
  await answer();
  await settled;
  await sim.fetch("/api/transactions");
  await expectInFile(path, sim);
});
