import { hasSubscribers, subscribe, unsubscribe } from "node:diagnostics_channel";
import { createSimulator } from "centavo";
import { expect, test } from "vitest";

test("whoever is the first to listen gets all that a bounded journal still keeps", async () => {
  const sim = createSimulator({ keep: 6000 });
  const call = () => sim.fetch("/api/payment-intent", { method: "POST" });
  const told: unknown[] = [];
  const listener = (message: unknown): void => void told.push(...(message as { entries: unknown[] }).entries);
  while ((sim.journal.entries[0]?.sequence ?? 1) === 1) for (let calls = 0; calls < 500; calls += 1) await call();
  subscribe("centavo:journal", listener);
  await call();
  unsubscribe("centavo:journal", listener);
  expect(told).toHaveLength(sim.journal.entries.length);
});

test("nobody listens to journals before the coverage of one that forgets is asked", async () => {
  await createSimulator().coverage();
  expect(hasSubscribers("centavo:journal")).toBe(false);
  await createSimulator({ keep: 1 }).coverage();
  expect(hasSubscribers("centavo:journal")).toBe(true);
});
