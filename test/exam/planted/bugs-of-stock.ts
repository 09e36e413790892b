import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in the stock, and in money that is given back. */
export const bugsOfStock: readonly PlantedBug[] = [
  {
    name: "stock kept for ever",
    file: "orders.ts",
    find: 'new Set([...UNSETTLED, "paid"])',
    replace: 'new Set([...UNSETTLED, "paid", "expired", "failed", "cancelled"])',
    laws: ["stock-freed"],
  },
  {
    name: "never gives up an order",
    file: "orders.ts",
    find: "Date.now() - order.placedAt > PATIENCE",
    replace: "order.placedAt > Date.now()",
    laws: ["stock-freed"],
  },
  {
    name: "second payment swallowed",
    file: "orders.ts",
    find: "refunded: order.refunded + payment.amount",
    replace: "refunded: order.refunded",
    laws: ["charged-once"],
  },
];
