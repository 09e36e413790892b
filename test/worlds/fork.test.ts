import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

describe("a fork", () => {
  test("starts as its parent stands, and neither sees what the other does", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const id = await merchant.pay({ returnUrl: `${SHOP}/back` }, "pm_card_challenge");
    const fork = sim.fork();
    expect(fork.snapshot()).toEqual(sim.snapshot());

    const before = fork.snapshot();
    sim.intents.cancel(id);
    await merchant.pay();
    await sim.clock.advance("1 day");
    expect(fork.snapshot()).toEqual(before);

    const parent = sim.snapshot();
    await fork.clock.advance("2 hours");
    expect(fork.intents.get(id)).toMatchObject({ status: "failed", declineCode: "authentication_expired" });
    expect(sim.snapshot()).toEqual(parent);
    expect(sim.intents.get(id)).toMatchObject({ status: "canceled" });
  });

  test("that does the same as its parent has the same digest", async () => {
    const sim = createSimulator();
    await (await Merchant.of(sim)).pay({});
    const fork = sim.fork();
    for (const each of [fork, sim]) {
      await (await Merchant.of(each)).pay({});
      await each.clock.advance("1 minute");
    }
    expect(fork.journal.digest()).toBe(sim.journal.digest());
    expect(fork.intents.list()).toEqual(sim.intents.list());
  });

  test("may be forked again", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const id = await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    const fork = sim.fork();
    fork.intents.cancel(id);
    const forkOfFork = fork.fork();
    await forkOfFork.clock.advance("1 hour");
    const statuses = [sim, fork, forkOfFork].map((each) => each.intents.get(id)?.status);
    expect(statuses).toEqual(["requires_action", "canceled", "canceled"]);
    expect(sim.clock.now()).toBe(fork.clock.now());
  });

  test("resets to the beginning of its parent", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const fork = sim.fork();
    fork.reset();
    expect(fork.snapshot()).toEqual(createSimulator({ webhookUrl: HOOKS }).snapshot());
    expect(sim.intents.list()).toHaveLength(1);
  });
});
