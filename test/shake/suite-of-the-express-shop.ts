import { expect } from "vitest";
import type { TestParts } from "centavo/testing";
import type { Suite } from "./in-process.ts";

const shopUrl = "https://shop.example";
const customer = { name: "Ana Cruz", email: "ana@customer.example" };

/** The modules of the shop that its tests use. */
export interface ShopModules {
  readonly createShop: typeof import("../../examples/express-shop/shop.ts").createShop;
  readonly emptyStore: typeof import("../../examples/express-shop/store.ts").emptyStore;
}

/** Tests of the express shop in which everything goes well, as most teams have them. */
export function suiteOfTheExpressShop({ createShop, emptyStore }: ShopModules): Suite {
  const open = (sim: TestParts["sim"], network: TestParts["network"]) => {
    const store = emptyStore();
    const axios = { adapter: "fetch", env: { fetch: network.fetch } } as const;
    const addresses = { payBaseUrl: network.baseUrl, payAuthUrl: network.authUrl, shopUrl };
    sim.connect(
      shopUrl,
      createShop({ ...sim.credentials, ...addresses, axios, sleep: async () => undefined }, { store }),
    );
    return store;
  };

  return {
    "a customer pays by card": async ({ sim, visit, network }) => {
      const { orders } = open(sim, network);
      await visit("POST", "/orders", { id: "order-1", sku: "book", customer, paymentMethodId: "pm_card_approved" });
      await sim.clock.settle();
      expect(orders.get("order-1")).toMatchObject({ status: "paid", parcels: 1, refunded: 0 });
    },

    "a customer pays on the hosted page": async ({ sim, visit, network }) => {
      const { orders } = open(sim, network);
      await visit("POST", "/orders", { id: "order-1", sku: "pen", quantity: 3, customer });
      await visit("POST", "/orders/order-1/checkout");
      await sim.customer.pay(orders.get("order-1")?.redirectUrl ?? "", "pm_card_approved");
      await sim.clock.settle();
      expect(orders.get("order-1")).toMatchObject({ status: "paid", parcels: 1 });
    },

    "two customers pay, one after the other": async ({ sim, visit, network }) => {
      const { orders } = open(sim, network);
      await visit("POST", "/orders", { id: "order-1", sku: "book", customer, paymentMethodId: "pm_card_approved" });
      await sim.clock.advance("5 minutes");
      await visit("POST", "/orders", { id: "order-2", sku: "pen", customer, paymentMethodId: "pm_gcash" });
      await sim.customer.authenticate(orders.get("order-2")?.redirectUrl ?? "");
      await sim.clock.advance("5 minutes");
      expect(orders.get("order-1")).toMatchObject({ status: "paid", parcels: 1, refunded: 0 });
      expect(orders.get("order-2")).toMatchObject({ status: "paid", parcels: 1, refunded: 0 });
    },

    "a customer passes the challenge of the bank": async ({ sim, visit, network }) => {
      const { orders } = open(sim, network);
      await visit("POST", "/orders", { id: "order-1", sku: "book", customer, paymentMethodId: "pm_card_challenge" });
      expect(orders.get("order-1")?.status).toBe("requires_action");
      await sim.customer.authenticate(orders.get("order-1")?.redirectUrl ?? "");
      await sim.clock.advance("10 minutes");
      await visit("POST", "/jobs/refresh");
      expect(orders.get("order-1")).toMatchObject({ status: "paid", parcels: 1, refunded: 0 });
    },

    "a membership begins, is renewed, and ends": async ({ sim, visit, network }) => {
      const { memberships } = open(sim, network);
      const paymentMethodId = "pm_card_approved";
      await visit("POST", "/memberships", { id: "member-1", plan: "reader", customer, paymentMethodId });
      await sim.clock.settle();
      expect(memberships.get("member-1")?.status).toBe("active");
      await sim.clock.advance("1 month");
      expect(memberships.get("member-1")).toMatchObject({ status: "active", paidUntil: "2026-03-01T00:00:00.000Z" });
      await visit("DELETE", "/memberships/member-1");
      await sim.clock.settle();
      expect(memberships.get("member-1")?.status).toBe("cancelled");
    },
  };
}
