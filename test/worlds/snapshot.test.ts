import { createSimulator, type Simulator, type Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

function simulator(): Simulator {
  const sim = createSimulator({ seed: "worlds" });
  sim.connect(SHOP, () => new Response(null, { status: 500 }));
  return sim;
}

/** A world with some of every resource under way. */
async function busyWorld(sim: Simulator): Promise<Merchant> {
  const merchant = await Merchant.of(sim);
  await merchant.pay({ webhookUrl: HOOKS, metadata: { nested: { list: [1, "two"] } }, contact: { name: "Ana" } });
  await merchant.pay({ returnUrl: `${SHOP}/back` }, "pm_card_challenge");
  await sim.clock.advance("10 seconds");
  await merchant.pay({ webhookUrl: HOOKS });
  return merchant;
}

async function goOn(sim: Simulator): Promise<string> {
  const merchant = await Merchant.of(sim);
  await merchant.pay({ webhookUrl: HOOKS });
  sim.webhooks.redeliver(sim.webhooks.events()[0]?.id ?? "");
  await sim.clock.advance("3 hours");
  return sim.journal.digest();
}

describe("a snapshot", () => {
  test("is plain JSON that a new simulator goes on from as if nothing had happened", async () => {
    const sim = simulator();
    await busyWorld(sim);
    const text = JSON.stringify(sim.snapshot());
    const digest = await goOn(sim);

    const restored = simulator();
    restored.restore(JSON.parse(text) as Snapshot);
    expect(JSON.stringify(restored.snapshot())).toBe(text);
    expect(await goOn(restored)).toBe(digest);
    expect(restored.intents.list()).toEqual(sim.intents.list());
    expect(restored.clock.pending()).toEqual(sim.clock.pending());
  });

  test("says the same, to the byte, of a second plan change", async () => {
    const sim = simulator();
    const merchant = await Merchant.of(sim);
    const { id, plan } = await merchant.subscribe("pm_card_declines_renewals");
    await merchant.changePlan(id, (await merchant.createPlan({ amount: 99_900 })).id);
    // The renewal takes the pending plan away, and adds other fields.
    await sim.clock.advance("1 month");
    const restored = simulator();
    restored.restore(JSON.parse(JSON.stringify(sim.snapshot())) as Snapshot);
    for (const world of [sim, restored]) await (await Merchant.of(world)).changePlan(id, plan.id);
    const [rows, restoredRows] = [sim, restored].map((world) => JSON.stringify(world.snapshot().world.tables));
    expect(rows).toContain('"pendingPlan"');
    expect(restoredRows).toBe(rows);
  });

  test("can be restored again: two runs can go on from the same world", async () => {
    const sim = simulator();
    await busyWorld(sim);
    const snapshot = sim.snapshot();
    const digest = await goOn(sim);
    sim.restore(snapshot);
    expect(sim.snapshot()).toEqual(snapshot);
    expect(await goOn(sim)).toBe(digest);
  });

  test("keeps tokens and credentials", async () => {
    const sim = simulator();
    const merchant = await busyWorld(sim);
    const { credentials } = sim;
    const snapshot = sim.snapshot();
    sim.reset();
    sim.restore(snapshot);
    expect(sim.credentials).toEqual(credentials);
    expect((await merchant.intentStatus(sim.intents.list()[0]?.id ?? "")).status).toBe("succeeded");
  });

  test("does not change when the world goes on, nor the world when the snapshot is changed", async () => {
    const sim = simulator();
    await busyWorld(sim);
    const snapshot = sim.snapshot();
    const text = JSON.stringify(snapshot);
    const fork = sim.fork();
    await goOn(sim);
    expect(JSON.stringify(snapshot)).toBe(text);

    fork.restore(snapshot);
    scribble(snapshot);
    expect(JSON.stringify(snapshot)).toBe(text);
    expect(JSON.stringify(fork.snapshot())).toBe(text);
  });

  test("leaves what the test gave to the world as it was", () => {
    const sim = simulator();
    const fields = { nested: { list: [1] } };
    sim.faults.add({ kind: "webhook.extra-fields", fields });
    sim.snapshot();
    fields.nested.list.push(2);
    expect(sim.faults.list()).toMatchObject([{ fault: { fields: { nested: { list: [1] } } } }]);
  });
});

test("what readers return can be changed without changing the world", async () => {
  const sim = simulator();
  await busyWorld(sim);
  const text = JSON.stringify(sim.snapshot());
  const digest = sim.journal.digest();
  const { intents, checkouts, webhooks, journal, clock, credentials, assumptions } = sim;
  const resources = [intents.list(), intents.last(), checkouts.list(), credentials, assumptions.used()];
  for (const value of [...resources, webhooks.events(), webhooks.attempts(), journal.entries, clock.pending()]) {
    scribble(value);
  }
  expect(JSON.stringify(sim.snapshot())).toBe(text);
  expect(sim.journal.digest()).toBe(digest);
});

/** Changes everything that can be changed, all the way down. */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    scribble(Reflect.get(value, key));
    Reflect.set(value, key, "scribbled");
  }
  Reflect.set(value, "more", "scribbled");
}
