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
  },
  {
    name: "new key at each try",
    file: "membership-routes.ts",
    find: "webhookUrl: `${shopUrl}/webhooks` },\n      id,",
    replace: "webhookUrl: `${shopUrl}/webhooks` },\n      crypto.randomUUID(),",
    laws: ["subscribed-once"],
  },
  {
    name: "409 as a failure",
    file: "order-routes.ts",
    find: 'else if (error.code !== "INTENT_ALREADY_CONFIRMED") throw error;',
    replace: `else if (error.code === "INTENT_ALREADY_CONFIRMED") ${UNRECORDED_PAYMENT}; else throw error;`,
    laws: ["charged-once"],
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
  },
  {
    name: "refresh storm",
    file: "payment-service.ts",
    find: "const token = (this.#token ??= this.#authenticate());",
    replace: "const token = this.#authenticate();",
    laws: ["no-storm-of-tokens"],
  },
  {
    name: "answers before the work",
    file: "membership-routes.ts",
    find: 'await payments.cancelSubscription(membership.subscriptionId ?? "", typeof reason === "string" ? reason : undefined);',
    replace:
      'setImmediate(() => void payments.cancelSubscription(membership.subscriptionId ?? "", String(reason)).catch(() => undefined));',
    laws: ["leaves-for-good"],
  },
];
