import type { PlantedBug } from "./planted-bug.ts";

const UNRECORDED_PAYMENT =
  "await payments.createIntent(paymentOf(order), crypto.randomUUID()).then(({ id }) => payments.confirmIntent(id, paymentMethodId))";

/** Bugs in calls to the service: keys, retries, tokens, and what an answer means. */
export const bugsOfCalls: readonly PlantedBug[] = [
  {
    name: "blind retry",
    file: "order-routes.ts",
    find: "if (paymentMethodId !== undefined) await pay(order, paymentMethodId);",
    replace: `if (paymentMethodId !== undefined) await pay(order, paymentMethodId).catch(async () => ${UNRECORDED_PAYMENT});`,
    laws: ["charged-once", "paid-and-fulfilled"],
    source: {
      url: "https://github.com/woocommerce/woocommerce-gateway-stripe/pull/3912",
      what: "Retries after network errors made several payment intents for one order within a minute.",
    },
  },
  {
    name: "new key at each try",
    file: "membership-routes.ts",
    find: "webhookUrl: `${shopUrl}/webhooks` },\n      id,",
    replace: "webhookUrl: `${shopUrl}/webhooks` },\n      crypto.randomUUID(),",
    laws: ["subscribed-once"],
    source: {
      url: "https://github.com/mozilla/fxa/issues/13755",
      what: "The idempotency key was made anew at each load of the page, so a customer who reloaded it had two subscriptions.",
    },
  },
  {
    name: "409 as a failure",
    file: "order-routes.ts",
    find: 'else if (error.code !== "INTENT_ALREADY_CONFIRMED") throw error;',
    replace: `else if (error.code === "INTENT_ALREADY_CONFIRMED") ${UNRECORDED_PAYMENT}; else throw error;`,
    laws: ["charged-once"],
    misunderstanding: "A conflict (409 by default) means that the payment failed.",
  },
  {
    name: "5xx as final",
    file: "membership-routes.ts",
    find: "if (!isRefusal(error)) throw error;",
    replace: 'if (!isRefusal(error)) { memberships.change(membership, { status: "cancelled" }); throw error; }',
    laws: ["access-agrees"],
  },
  {
    name: "5xx of the cancellation as done",
    file: "membership-routes.ts",
    find: 'typeof reason === "string" ? reason : undefined);',
    replace: 'typeof reason === "string" ? reason : undefined).catch(() => undefined);',
    laws: ["leaves-for-good"],
  },
  {
    name: "token never refreshed",
    file: "payment-service.ts",
    find: "if (statusOf(error) !== 401) throw error;",
    replace: "if (statusOf(error) >= 0) throw error;",
    laws: ["good-card-is-served"],
    source: {
      url: "https://github.com/paypal/PayPal-Java-SDK/issues/217",
      what: "The same access token was used until the program was started again, so every payment of the next day got 401.",
    },
  },
  {
    name: "refresh storm",
    file: "payment-service.ts",
    find: "const token = (this.#token ??= this.#authenticate());",
    replace: "const token = this.#authenticate();",
    laws: ["no-storm-of-tokens"],
    misunderstanding: "Each call needs a token of its own.",
    source: {
      url: "https://github.com/paypal/Checkout-NET-SDK/issues/34",
      what: "Every call took a new access token, because each token counted as expired at once.",
    },
  },
  {
    name: "answers before the work",
    file: "membership-routes.ts",
    find: 'await payments.cancelSubscription(membership.subscriptionId ?? "", typeof reason === "string" ? reason : undefined);',
    replace:
      'setImmediate(() => void payments.cancelSubscription(membership.subscriptionId ?? "", String(reason)).catch(() => undefined));',
    laws: ["leaves-for-good"],
  },
  {
    name: "takes silence for a decline",
    file: "order-routes.ts",
    find: "if (!(error instanceof PaymentRefused)) throw error;",
    replace: 'if (!(error instanceof PaymentRefused)) return void orders.move(order, "failed", intentId);',
    laws: ["paid-and-fulfilled"],
    source: {
      url: "https://github.com/umbraco/Umbraco.Commerce.Issues/issues/395",
      what: "A broken answer was shown as a failure although the payment went through, and the customer paid three times.",
    },
  },
  {
    name: "takes every refusal for a decline",
    file: "order-routes.ts",
    find: 'else if (error.code !== "INTENT_ALREADY_CONFIRMED") throw error;',
    replace: 'else orders.move(order, "failed", intentId);',
    laws: ["paid-and-fulfilled"],
  },
  {
    name: "asks in a loop",
    file: "order-routes.ts",
    find: "    await latestStatus(order);\n    const status = orders.get",
    replace: '    while ((await latestStatus(order)) === "processing");\n    const status = orders.get',
    laws: ["no-storm-of-calls"],
    source: {
      url: "https://github.com/OCA/pos/pull/821",
      what: "A payment that never ended was asked for without end, by more and more calls at once.",
    },
  },
  {
    name: "tells its settings when it fails",
    file: "shop.ts",
    find: 'response.status(502).json({ problem: "The payment could not be made; try again" });',
    replace: 'response.status(502).json({ problem: "The payment could not be made; try again", config });',
    laws: ["secrets-stay"],
    source: {
      url: "https://github.com/MAIF/daikoku/issues/1148",
      what: "The settings that every visitor gets still had the secret key of the payment service.",
    },
  },
  {
    name: "asks without waiting",
    file: "shop.ts",
    find: "response.sendStatus(STATUS_OF[outcome]);",
    replace:
      'response.sendStatus(STATUS_OF[outcome]);\n    if (event?.type.startsWith("payment_intent."))\n      void payments.intentStatus(String((event["data"] as { id?: string }).id)).then(({ status }) => log(status));',
    laws: ["no-crash"],
    source: {
      url: "https://github.com/Vonage/vonage-video-react-app/issues/656",
      what: "An error in a webhook handler becomes an unhandled rejection, which ends the server.",
    },
  },
  {
    name: "the worker ends at its first failure",
    merchant: "the shop with a worker",
    file: "working-shop.ts",
    find: "await this.look(task).catch(() => undefined);",
    replace: "await this.look(task);",
    laws: ["no-crash"],
  },
  {
    name: "a lease that never ends",
    merchant: "the club with leases",
    file: "leases.ts",
    find: "(holder is null or heldUntil <= ?)",
    replace: "(holder is null or heldUntil < 0 * ?)",
    laws: ["access-agrees"],
  },
];
