import type { PlantedBug } from "./planted-bug.ts";

const GUARD = "if (payment === undefined || !mayMove(payment.status, status)) return;";
const STORED_AND_CONFIRMED = 'const begun = orders.begin(order, { kind: "intent", id, amount: order.amount });';

/** Bugs in how orders are paid and fulfilled. */
export const bugsOfOrders: readonly PlantedBug[] = [
  {
    name: "no dedupe",
    file: "orders.ts",
    find: GUARD,
    replace:
      'if (payment === undefined) return; if (status === "paid") return void this.#save({ ...order, status, parcels: order.parcels + 1 });',
    laws: ["fulfilled-once"],
  },
  {
    name: "dedupe before the work",
    file: "orders.ts",
    find: "else this.#save({ ...order, payments, status, parcels: order.parcels + 1 });",
    replace:
      "else { this.#save({ ...order, payments, status }); setImmediate(() => this.#save({ ...this.#row(id), parcels: this.#row(id).parcels + 1 })); }",
    laws: ["paid-and-fulfilled", "acts-on-what-it-was-told"],
  },
  {
    name: "check, then act",
    file: "orders.ts",
    find: GUARD,
    replace: `${GUARD} if (status === "paid") return void setImmediate(() => this.#save({ ...this.#row(id), status, parcels: this.#row(id).parcels + 1 }));`,
    laws: ["fulfilled-once"],
  },
  {
    name: "trusts the redirect",
    file: "order-routes.ts",
    find: "    await latestStatus(order);\n    const status = orders.get",
    replace:
      '    if (request.query["status"] === "succeeded" || request.query["status"] === "completed") orders.move(order, "paid"); else await latestStatus(order);\n    const status = orders.get',
    laws: ["paid-before-fulfilled", "forged-changes-nothing"],
  },
  {
    name: "takes any amount for the price",
    file: "orders.ts",
    find: '} else if (order.status === "paid" || payment.amount !== order.amount)',
    replace: '} else if (order.status === "paid")',
    laws: ["paid-before-fulfilled"],
  },
  {
    name: "lets a late status overwrite paid",
    file: "orders.ts",
    find: GUARD,
    replace: `if (payment === undefined) return; if (status !== "paid") return void this.#save({ ...order, status }); ${GUARD}`,
    laws: ["status-agrees"],
  },
  {
    name: "fulfils on requires_action",
    file: "order-routes.ts",
    find: "if (requiresAction) orders.lead(order, redirectUrl);",
    replace: 'orders.lead(order, redirectUrl); if (requiresAction) orders.move(order, "paid", intentId);',
    laws: ["paid-before-fulfilled"],
  },
  {
    name: "gives up on requires_action",
    file: "order-routes.ts",
    find: "if (requiresAction) orders.lead(order, redirectUrl);",
    replace: 'if (requiresAction) orders.move(order, "failed", intentId);',
    laws: ["led-to-the-challenge"],
  },
  {
    name: "pesos for centavos",
    file: "order-routes.ts",
    find: "    amount: order.amount,\n    description",
    replace: "    amount: order.amount / 100,\n    description",
    laws: ["paid-and-fulfilled", "paid-before-fulfilled"],
  },
  {
    name: "never asks for an order",
    file: "refresh.ts",
    find: "for (const payment of order.payments.filter(isOpen))",
    replace: "for (const payment of order.payments.filter(() => false))",
    laws: ["paid-and-fulfilled"],
  },
  {
    name: "stores the payment after the call",
    file: "order-routes.ts",
    find: STORED_AND_CONFIRMED,
    replace: `await payments.confirmIntent(id, paymentMethodId).catch(() => undefined); ${STORED_AND_CONFIRMED}`,
    laws: ["paid-and-fulfilled"],
  },
];
