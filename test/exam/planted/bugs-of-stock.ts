import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in the stock, and in money that is given back. */
export const bugsOfStock: readonly PlantedBug[] = [
  {
    name: "stock kept for ever",
    file: "orders.ts",
    find: 'new Set([...UNSETTLED, "paid"])',
    replace: 'new Set([...UNSETTLED, "paid", "expired", "failed", "cancelled"])',
    laws: ["stock-freed"],
    source: {
      url: "https://github.com/btcpayserver/woocommerce-plugin/issues/33",
      what: "An order that expired unpaid was cancelled, and its stock was not given back.",
    },
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
    source: {
      url: "https://github.com/woocommerce/woocommerce-gateway-stripe/issues/489",
      what: "The webhook and the checkout each used a key of their own, and the shop kept two charges for one order.",
    },
  },
  {
    name: "a refund of the second payment ends the order",
    file: "orders.ts",
    find: "this.#save({ ...order, payments, refunded: order.refunded + payment.amount });",
    replace: 'this.#save({ ...order, payments, status: "cancelled", refunded: order.refunded + payment.amount });',
    laws: ["status-agrees"],
    source: {
      url: "https://github.com/pretix/pretix/issues/343",
      what: "The refund of a payment that was made twice marked the order as refunded, although it was still paid.",
    },
  },
  {
    name: "refunds twice what came twice",
    file: "orders.ts",
    find: "refunded: order.refunded + payment.amount",
    replace: "refunded: order.refunded + 2 * payment.amount",
    laws: ["given-back-once"],
    source: {
      url: "https://github.com/woocommerce/woocommerce-gateway-stripe/issues/2724",
      what: "A refund was recorded by the call that made it, and once more by its webhook.",
    },
  },
  {
    name: "refunds the price, not the payment",
    file: "orders.ts",
    find: "refunded: order.refunded + payment.amount",
    replace: "refunded: order.refunded + order.amount",
    laws: ["given-back-once"],
  },
  {
    name: "an order that is paid after all takes no stock",
    file: "orders.ts",
    find: "for (const { sku, quantity, status } of this.all())\n      if (HOLDING.has(status))",
    replace:
      'for (const { sku, quantity, status, payments } of this.all())\n      if (HOLDING.has(status) && !payments.some((each) => each.status === "failed" || each.status === "expired"))',
    laws: ["stock-freed"],
    source: {
      url: "https://github.com/mollie/magento2/issues/1083",
      what: "A cancelled order was paid after all and revived, and its stock was not taken again.",
    },
  },
  {
    name: "frees the stock twice",
    file: "orders.ts",
    find: "left[sku] = (left[sku] ?? 0) - quantity;",
    replace:
      'left[sku] = (left[sku] ?? 0) - quantity;\n      else if (status === "failed") left[sku] = (left[sku] ?? 0) + quantity;',
    laws: ["stock-freed"],
    source: {
      url: "https://github.com/hipay/hipay-fullservice-sdk-magento2/issues/163",
      what: "A payment that failed gave the stock of its order back twice.",
    },
  },
  {
    name: "writes back a count that it read before",
    merchant: "the shop that refunds",
    file: "refunding-desk.ts",
    find: "store.shelf.umbrellas -= 1;",
    replace:
      "const left = store.shelf.umbrellas;\n    void this.#opening.sleep(1).then(() => {\n      store.shelf.umbrellas = left - 1;\n    });",
    laws: ["never-oversold", "stock-freed"],
    source: {
      url: "https://github.com/awesto/django-shop/issues/888",
      what: "The stock was read, lowered and written back in separate steps, so two customers at once took one item.",
    },
  },
  {
    name: "sells what is not there",
    merchant: "the shop that refunds",
    file: "refunding-desk.ts",
    find: "if (known !== undefined || store.shelf.umbrellas === 0) return known;",
    replace: "if (known !== undefined) return known;",
    laws: ["never-oversold"],
  },
];
