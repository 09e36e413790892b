import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import type { Simulator } from "centavo";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

interface Written {
  readonly world: object;
  readonly entries: readonly { readonly sequence: number; readonly kind: string }[];
}

let written: Written[] = [];
const listener = (message: unknown): void => void written.push(message as Written);
beforeEach(() => subscribe("centavo:journal", listener));
afterEach(() => {
  unsubscribe("centavo:journal", listener);
  written = [];
});

const sequences = (): number[] => written.flatMap(({ entries }) => entries.map(({ sequence }) => sequence));

async function pay(sim: Simulator): Promise<void> {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
}

describe("the channel centavo:journal", () => {
  test("gets every entry once, in order", async () => {
    const sim = createSimulator();
    await pay(sim);
    expect(sequences()).toEqual(sim.journal.entries.map(({ sequence }) => sequence));
    expect(new Set(written.map(({ world }) => world)).size).toBe(1);
  });

  test("gets what a bounded journal has forgotten by now", async () => {
    const sim = createSimulator({ keep: 1 });
    for (let payment = 0; payment < 400; payment += 1) await pay(sim);
    const entries = sequences();
    expect(sim.journal.entries[0]?.sequence).toBeGreaterThan(1);
    expect(entries).toEqual(entries.map((_, index) => index + 1));
  });

  test("gets no entry again when its world is forked, restored or reset", async () => {
    const sim = createSimulator();
    await pay(sim);
    const { length } = sequences();
    const snapshot = sim.snapshot();
    sim.fork();
    sim.restore(snapshot);
    sim.reset();
    expect(sequences()).toHaveLength(length);
    await pay(sim);
    expect(sequences().slice(length)).toEqual(sim.journal.entries.map(({ sequence }) => sequence));
  });

  test("gets nothing that a refused command took back", async () => {
    const sim = createSimulator();
    await sim.fetch("/api/payment-intent", { method: "POST" });
    expect(written.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toEqual(["request", "answer"]);
  });
});
