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
    source: {
      url: "https://github.com/wasp-lang/open-saas/issues/688",
      what: "An event that is delivered again grants the credits of one purchase a second time.",
    },
  },
  {
    name: "dedupe before the work",
    file: "orders.ts",
    find: "else this.#save({ ...order, payments, status, parcels: order.parcels + 1 });",
    replace:
      "else { this.#save({ ...order, payments, status }); setImmediate(() => this.#save({ ...this.#row(id), parcels: this.#row(id).parcels + 1 })); }",
    laws: ["paid-and-fulfilled", "acts-on-what-it-was-told"],
    source: {
      url: "https://github.com/dj-stripe/dj-stripe/issues/832",
      what: "An event was stored before its handlers ran, so the delivery after one that had failed was ignored.",
    },
  },
  {
    name: "check, then act",
    file: "orders.ts",
    find: GUARD,
    replace: `${GUARD} if (status === "paid") return void setImmediate(() => this.#save({ ...this.#row(id), status, parcels: this.#row(id).parcels + 1 }));`,
    laws: ["fulfilled-once"],
    source: {
      url: "https://github.com/Pinelab-studio/pinelab-vendure-plugins/issues/620",
      what: "Three deliveries at the same moment settled the payment of one order three times.",
    },
  },
  {
    name: "trusts the redirect",
    file: "order-routes.ts",
    find: "    await latestStatus(order);\n    const status = orders.get",
    replace:
      '    if (request.query["status"] === "succeeded" || request.query["status"] === "completed") orders.move(order, "paid"); else await latestStatus(order);\n    const status = orders.get',
    laws: ["paid-before-fulfilled", "forged-changes-nothing"],
    source: {
      url: "https://github.com/thephpleague/omnipay/issues/255",
      what: "Customers kept the last URL of a small purchase, and opened it again after a large one had failed, which then counted as paid.",
    },
  },
  {
    name: "takes any amount for the price",
    file: "orders.ts",
    find: '} else if (order.status === "paid" || payment.amount !== order.amount)',
    replace: '} else if (order.status === "paid")',
    laws: ["paid-before-fulfilled"],
    source: {
      url: "https://github.com/Sylius/PayPalPlugin/issues/339",
      what: "A customer raised the quantity in a second tab and paid the old amount, and the order counted as paid in full.",
    },
  },
  {
    name: "lets a late status overwrite paid",
    file: "orders.ts",
    find: GUARD,
    replace: `if (payment === undefined) return; if (status !== "paid") return void this.#save({ ...order, status }); ${GUARD}`,
    laws: ["status-agrees"],
    source: {
      url: "https://github.com/NEARBuilders/nearmerch.com/issues/209",
      what: "A failure that arrives late sets an order back that is paid and processed already.",
    },
  },
  {
    name: "fulfils on requires_action",
    file: "order-routes.ts",
    find: "if (requiresAction) orders.lead(order, redirectUrl);",
    replace: 'orders.lead(order, redirectUrl); if (requiresAction) orders.move(order, "paid", intentId);',
    laws: ["paid-before-fulfilled"],
    source: {
      url: "https://github.com/masslight/ottehr/issues/3217",
      what: "An answer of 200 counted as a payment, although its status asked for 3-D Secure and nothing was collected.",
    },
  },
  {
    name: "gives up on requires_action",
    file: "order-routes.ts",
    find: "if (requiresAction) orders.lead(order, redirectUrl);",
    replace: 'if (requiresAction) orders.move(order, "failed", intentId);',
    laws: ["led-to-the-challenge"],
    source: {
      url: "https://github.com/woocommerce/woocommerce-gateway-stripe/issues/448",
      what: "A card that needs 3-D Secure was reported as declined, and the customer was not led to the challenge.",
    },
  },
  {
    name: "pesos for centavos",
    file: "order-routes.ts",
    find: "    amount: order.amount,\n    description",
    replace: "    amount: order.amount / 100,\n    description",
    laws: ["paid-and-fulfilled", "paid-before-fulfilled"],
    source: {
      url: "https://github.com/stripe-archive/react-elements-card-payment/issues/1",
      what: "The amount was not converted to the smallest unit of the currency.",
    },
  },
  {
    name: "never asks for an order",
    file: "refresh.ts",
    find: "for (const payment of order.payments.filter(isOpen))",
    replace: "for (const payment of order.payments.filter(() => false))",
    laws: ["paid-and-fulfilled"],
    source: {
      url: "https://github.com/aasmanj/altarwed/issues/209",
      what: "If the webhook is lost, an order that the customer has paid waits for ever.",
    },
  },
  {
    name: "stores the payment after the call",
    file: "order-routes.ts",
    find: STORED_AND_CONFIRMED,
    replace: `await payments.confirmIntent(id, paymentMethodId).catch(() => undefined); ${STORED_AND_CONFIRMED}`,
    laws: ["paid-and-fulfilled"],
    source: {
      url: "https://github.com/chethanac15/eStore/issues/182",
      what: "The webhook looked for an order that was only created after the payment.",
    },
  },
  {
    name: "an older try ends the order",
    file: "orders.ts",
    find: "const isAbout = payment === latest && UNSETTLED.has(order.status);",
    replace: "const isAbout = true;",
    laws: ["status-agrees"],
    source: {
      url: "https://github.com/mollie/WooCommerce/issues/1159",
      what: "A customer paid at the second try, and the first one cancelled the order when it expired.",
    },
  },
  {
    name: "gives up on processing",
    file: "webhooks.ts",
    find: '  processing: "pending",\n  succeeded',
    replace: '  processing: "failed",\n  succeeded',
    laws: ["told-the-truth", "paid-and-fulfilled"],
    source: {
      url: "https://github.com/gameserverapp/Platform/issues/1216",
      what: "A debit that takes days counted as failed at once, and customers bought again.",
    },
  },
  {
    name: "gives up an order whose payment lives",
    file: "orders.ts",
    find: 'Date.now() - order.placedAt > PATIENCE)\n      this.#save({ ...order, status: "expired" });',
    replace:
      'Date.now() - order.placedAt > PATIENCE / 48)\n      this.#save({ ...order, status: "expired", payments: [] });',
    laws: ["takes-every-event", "paid-and-fulfilled"],
    source: {
      url: "https://github.com/woocommerce/woocommerce/issues/21083",
      what: "A payment that took too long cancelled its order, and the money came all the same.",
    },
  },
  {
    name: "a hundred times too much",
    file: "order-routes.ts",
    find: "    amount: order.amount,\n    description",
    replace: "    amount: order.amount * 100,\n    description",
    laws: ["paid-and-fulfilled"],
    source: {
      url: "https://github.com/Paymenter/Paymenter/issues/1258",
      what: "Amounts without decimals were multiplied by 100, too, so customers paid a hundred times the price.",
    },
  },
  {
    name: "a second payment sends a second parcel",
    file: "orders.ts",
    find: '} else if (order.status === "paid" || payment.amount !== order.amount)',
    replace: "} else if (payment.amount !== order.amount)",
    laws: ["fulfilled-once"],
  },
  {
    name: "ships at any price",
    merchant: "the ticket office",
    file: "ticket-office.ts",
    find: 'const isWanted = booking.status === "unpaid" && session.amount === booking.seats * SEAT;',
    replace: 'const isWanted = booking.status === "unpaid";',
    laws: ["paid-before-fulfilled"],
    source: {
      url: "https://github.com/Automattic/woocommerce-payments/issues/6977",
      what: "The payment intent of an earlier cart paid a later order with another total.",
    },
  },
  {
    name: "leads back to a page that has closed",
    merchant: "the ticket office",
    file: "ticket-office.ts",
    find: "sessions.find((each) => each.amount === amount && !CLOSED.has(each.status))",
    replace: "sessions.find((each) => each.amount === amount)",
    laws: ["led-to-an-open-page"],
    source: {
      url: "https://github.com/bigcommerce/checkout-sdk-js/pull/3274",
      what: "Once the session had expired, each further try used it again and failed in the same way.",
    },
  },
  {
    name: "stops watching too soon",
    merchant: "the shop with a worker",
    file: "working-shop.ts",
    find: "task.pause = Math.min(2 * task.pause, LONGEST_PAUSE);",
    replace:
      "task.pause = Math.min(2 * task.pause, LONGEST_PAUSE);\n        if (task.pause > 60 * SECOND) store.tasks.splice(store.tasks.indexOf(task), 1);",
    laws: ["paid-and-fulfilled"],
  },
];
