import { matchers as jestMatchers } from "centavo/jest";
import { simulated } from "centavo/testing";
import { expect } from "vitest";
import "centavo/vitest";
import { Merchant } from "../../merchant.ts";
import { openSession, openShop, pay } from "../../matchers/paid-orders.ts";
import type { Causes } from "./cause.ts";

/** Two tests that run at the same time, each with the same order in its world. */
const inTwoTests = simulated({ fakeDate: false, recordings: false }, async (first) => {
  await pay(first);
  await simulated({ fakeDate: false, recordings: false }, async (second) => {
    await pay(second);
    expect("order-1").toHaveStatus("succeeded");
  })();
});

const subscribed = async (): Promise<Merchant> => {
  const merchant = await Merchant.open();
  const plan = await merchant.createPlan();
  const { id } = await merchant.initiate(plan.id, { externalId: "order-1" });
  await merchant.processPayment(id);
  await merchant.sim.clock.settle();
  return merchant;
};

/** What goes wrong with the matchers of test runners. */
export const matcherCauses: Causes = {
  INVALID_OPTION: {
    "toBalance: no ledger": (sim) => expect(sim.transactions.list()).toBalance(),
    "toHaveDelivered: no simulator": () => expect("order-1").toHaveDelivered("payment_intent.succeeded"),
    "toHaveDelivered: an unknown type": (sim) => expect(sim).toHaveDelivered("payment_intent.suceeded"),
    "toHaveDelivered: no part of a body": (sim) =>
      expect(sim).toHaveDelivered("payment_intent.succeeded", "order-1" as never),
    "toHaveDelivered: the options in place of the body": (sim) =>
      expect(sim).toHaveDelivered("payment_intent.succeeded", { times: 1 }),
    "toHaveDelivered: wrong options": (sim) =>
      expect(sim).toHaveDelivered("payment_intent.succeeded", {}, { times: -1 }),
    "toHaveMoved: one status": async () => {
      const shop = openShop();
      await pay(shop);
      expect(shop.sim.intents.last()).toHaveMoved("succeeded" as never);
    },
    "toHaveMoved: a transaction": async () => {
      const shop = openShop();
      await pay(shop);
      expect(shop.sim.transactions.last()).toHaveMoved(["succeeded"]);
    },
    "toHaveStatus: no view": () => expect(undefined).toHaveStatus("succeeded"),
    "toHaveStatus: a promise": () => expect(Promise.resolve()).toHaveStatus("succeeded"),
    "toHaveStatus: no status": () => expect("order-1").toHaveStatus(undefined as never),
    "toHaveStatus: a status that an intent never has": async () => {
      const shop = openShop();
      await pay(shop);
      expect(shop.sim.intents.last()).toHaveStatus("succeded" as never);
    },
    "toHaveStatus: an unknown option": (sim) =>
      expect("order-1").toHaveStatus("succeeded", { simulator: sim } as never),
    "toHaveBeenPaidOnce: a subscription": async () => {
      const { sim } = await subscribed();
      expect(sim.subscriptions.last()).toHaveBeenPaidOnce();
    },
    "toHaveBeenPaidOnce: the external id of a subscription": async () => {
      const { sim } = await subscribed();
      expect("order-1").toHaveBeenPaidOnce({ sim });
    },
  },
  INVALID_STATE: {
    "toHaveMoved: a journal that has forgotten the creation": async () => {
      const { sim, client } = openShop();
      const id = await pay({ sim, client });
      const snapshot = sim.snapshot();
      const forgotten = { count: snapshot.world.journal.length, digest: "0".repeat(64) };
      sim.restore({ ...snapshot, world: { ...snapshot.world, journal: [], forgotten } }, { edited: true });
      expect(id).toHaveMoved(["requires_payment_method", "processing", "succeeded"], { sim });
    },
    "toHaveStatus: several resources with one external id": async () => {
      const shop = openShop();
      await pay(shop);
      await openSession(shop);
      expect("order-1").toHaveStatus("succeeded", { sim: shop.sim });
    },
    "toHaveMoved: a view of a world that was reset": async () => {
      const shop = openShop();
      await pay(shop);
      const view = shop.sim.intents.last();
      shop.sim.reset();
      expect(view).toHaveMoved(["requires_payment_method", "processing", "succeeded"]);
    },
    "toHaveStatus: an id that two running tests know": () => inTwoTests(),
    "toHaveBeenPaidOnce: an external id of two merchants": async () => {
      const merchant = await Merchant.open();
      const neighbour = await merchant.neighbour();
      for (const each of [merchant, neighbour]) await each.pay({ externalId: "order-1" });
      expect("order-1").toHaveBeenPaidOnce({ sim: merchant.sim });
    },
    "toMatchTimeline: Jest's matcher in another runner": (sim) => jestMatchers.toMatchTimeline.call({} as never, sim),
  },
  NOT_FOUND: {
    "toHaveStatus: an unknown id": (sim) => expect("pi_unknown").toHaveStatus("succeeded", { sim }),
    "toHaveStatus: an id that no running test knows": () => expect("pi_unknown").toHaveStatus("succeeded"),
  },
};
