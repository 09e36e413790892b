import { withGlobal } from "@sinonjs/fake-timers";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { expect, test } from "vitest";

test("a world goes on while a Date made of another faked Date throws for any time that it is given", async () => {
  const sim = createSimulator({ now: "2026-01-31T00:00:00Z" });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  // What vitest and Jest do when they first meet a Date that is faked: theirs extends it, and outlives it.
  const first = withGlobal(globalThis).install({ toFake: ["Date"] });
  const onTop = withGlobal(globalThis);
  first.uninstall();
  const second = onTop.install({ toFake: ["Date"] });
  try {
    expect(() => new Date(0)).toThrow("constructor");
    const plan = await client.plans.create({ name: "Reader", amount: 19900, interval: "month" });
    const contact = { name: "Ana Cruz", email: "ana@customer.example" };
    const { id } = await client.subscriptions.initiate({ planId: plan.id, contact });
    await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });
    await sim.clock.advance("1 month");
    expect(sim.subscriptions.get(id)).toMatchObject({ status: "active", nextBillingAt: "2026-03-31T00:00:00.000Z" });
  } finally {
    second.uninstall();
  }
});
