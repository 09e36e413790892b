import type { Change } from "./mutants.ts";

/** A bug of the express shop that the tests of its suite do not notice. */
export interface PlantedBug {
  readonly name: string;
  readonly changes: readonly Change[];
  /** The test of the suite that shows it, and the kinds of trouble that do. */
  readonly test: string;
  readonly kinds: readonly string[];
  /** The law that the finding has to name. */
  readonly law: string;
  /** The sentence of the trouble that shows it. */
  readonly sentence: RegExp;
}

/** The shop does not repeat a call whose answer is lost. */
const NO_REPEATS = {
  file: "payment-service.ts",
  find: "    if (isBusy(error)) return true;\n",
  replace: "    if (isBusy(error) || method !== headers) return isBusy(error);\n",
};

/** The shop knows a payment only once it is confirmed. */
const KNOWN_AFTERWARDS = {
  file: "order-routes.ts",
  find: `    const begun = orders.begin(order, { kind: "intent", id, amount: order.amount });
    if (begun.status !== "paid") await confirm(begun, id, paymentMethodId);`,
  replace: `    await payments.confirmIntent(id, paymentMethodId).then(
      () => orders.begin(order, { kind: "intent", id, amount: order.amount }),
      () => confirm(orders.begin(order, { kind: "intent", id, amount: order.amount }), id, paymentMethodId),
    );`,
};

const SHIPS_EACH_TIME = {
  file: "orders.ts",
  find: "    if (payment === undefined || !mayMove(payment.status, status)) return;",
  replace:
    '    if (payment === undefined || !(mayMove(payment.status, status) || status === "paid")) return;\n    if (status === "paid") { this.#save({ ...order, status, parcels: order.parcels + 1 }); return; }',
};

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "accepts any signature",
    changes: [
      {
        file: "webhook-signature.ts",
        find: "given.length === expected.length && timingSafeEqual(given, expected)",
        replace: "given.length === expected.length && (given.equals(expected) || timingSafeEqual(given, given))",
      },
    ],
    test: "a customer pays by card",
    kinds: ["forged-events", "lost-events"],
    law: "forged-changes-nothing",
    sentence: /first arrives with a (?:wrong signature|changed body)/,
  },
  {
    name: "accepts old deliveries",
    changes: [
      {
        file: "webhook-signature.ts",
        find: "if (!(age <= TOLERANCE_SECONDS)) return false;",
        replace: "if (Number.isNaN(age)) return false;",
      },
    ],
    test: "a customer pays by card",
    kinds: ["forged-events", "lost-events"],
    law: "forged-changes-nothing",
    sentence: /with the timestamp of the day before/,
  },
  {
    name: "verifies a body that was written again",
    changes: [
      {
        file: "shop.ts",
        find: '!isGenuine(request.get("x-webhook-signature"), body, config.webhookSecret)',
        replace:
          '!isGenuine(request.get("x-webhook-signature"), Buffer.from(JSON.stringify(JSON.parse(body.toString()))), config.webhookSecret)',
      },
    ],
    test: "a customer pays by card",
    kinds: ["unknown-events"],
    law: "takes-every-event",
    sentence: /writes its events with other spaces/,
  },
  {
    name: "refuses types that it does not know",
    changes: [
      {
        file: "webhooks.ts",
        find: 'if (!KINDS.has(kindOf(type))) return "ignored";',
        replace:
          'if (type.endsWith(".reviewed")) return "malformed";\n    if (!KINDS.has(kindOf(type))) return "ignored";',
      },
    ],
    test: "a customer pays by card",
    kinds: ["unknown-events"],
    law: "takes-every-event",
    sentence: /An event of an unknown type follows/,
  },
  {
    name: "refuses fields that it does not know",
    changes: [
      {
        file: "webhooks.ts",
        find: 'return isObject(event) && typeof event["id"] === "string"',
        replace: 'return isObject(event) && event["unexpected_field"] === undefined && typeof event["id"] === "string"',
      },
    ],
    test: "a customer pays by card",
    kinds: ["unknown-events"],
    law: "takes-every-event",
    sentence: /has an unknown field/,
  },
  {
    name: "breaks down over strangers",
    changes: [
      {
        file: "webhooks.ts",
        find: "    if (order === undefined) {\n",
        replace:
          '    if (order === undefined) {\n      if (isNaN(Number(order))) throw new Error("There is no such order");\n',
      },
    ],
    test: "a customer pays by card",
    kinds: ["unknown-events"],
    law: "takes-every-event",
    sentence: /about an object that the merchant does not know/,
  },
  {
    name: "ships at each event",
    changes: [SHIPS_EACH_TIME],
    test: "two customers pay, one after the other",
    kinds: ["events-twice"],
    law: "fulfilled-once",
    sentence: /is sent again under another id/,
  },
  {
    name: "remembers no event, and ships at each",
    changes: [
      SHIPS_EACH_TIME,
      {
        file: "webhooks.ts",
        find: 'if (this.#seen.has(id)) return "duplicate";',
        replace: 'if (this.#seen.has(`${id} `)) return "duplicate";',
      },
    ],
    test: "a customer pays by card",
    kinds: ["events-twice"],
    law: "fulfilled-once",
    sentence: /is delivered twice/,
  },
  {
    name: "takes the latest event for the truth",
    changes: [
      {
        file: "orders.ts",
        find: 'return from !== to && (UNSETTLED.has(from) || to === "paid");',
        replace: "return from !== to;",
      },
      {
        file: "orders.ts",
        find: "const isAbout = payment === latest && UNSETTLED.has(order.status);",
        replace: "const isAbout = payment === latest;",
      },
    ],
    test: "a customer passes the challenge of the bank",
    kinds: ["late-events"],
    law: "status-agrees",
    sentence: /in reverse order/,
  },
  {
    name: "never renews its token",
    changes: [
      {
        file: "payment-service.ts",
        find: "if (statusOf(error) !== 401) throw error;",
        replace: "if (statusOf(error) >= 0) throw error;",
      },
    ],
    test: "two customers pay, one after the other",
    kinds: ["tokens"],
    law: "good-card-is-served",
    sentence: /Tokens expire after a minute/,
  },
  {
    name: "pays again when an answer is lost",
    changes: [
      NO_REPEATS,
      {
        file: "order-routes.ts",
        find: "      if (!(error instanceof PaymentRefused)) throw error;\n",
        replace: `      if (!(error instanceof PaymentRefused)) {
        const again = await payments.createIntent(paymentOf(order), crypto.randomUUID());
        orders.begin(order, { kind: "intent", id: again.id, amount: order.amount });
        await payments.confirmIntent(again.id, paymentMethodId);
        return;
      }
`,
      },
    ],
    test: "a customer pays by card",
    kinds: ["lost-answers"],
    law: "charged-once",
    sentence: /but its answer is lost/,
  },
  {
    name: "takes silence for a decline",
    changes: [
      NO_REPEATS,
      {
        file: "order-routes.ts",
        find: "      if (!(error instanceof PaymentRefused)) throw error;\n",
        replace: `      if (!(error instanceof PaymentRefused)) {
        orders.move(order, "failed", intentId);
        return;
      }
`,
      },
      {
        file: "orders.ts",
        find: 'return from !== to && (UNSETTLED.has(from) || to === "paid");',
        replace: "return from !== to && UNSETTLED.has(from);",
      },
    ],
    test: "a customer pays by card",
    kinds: ["lost-answers"],
    law: "acts-on-what-it-was-told",
    sentence: /but its answer is lost/,
  },
  {
    name: "begins another subscription when an answer is lost",
    changes: [
      {
        file: "membership-routes.ts",
        find: `  const payFirst = async ({ subscriptionId = "" }: Membership, paymentMethodId: string): Promise<string | undefined> =>
    (await payments.paySubscription(subscriptionId, paymentMethodId)).redirectUrl;`,
        replace: `  const payFirst = async (membership: Membership, paymentMethodId: string): Promise<string | undefined> => {
    const { id, plan, customer, subscriptionId = "" } = membership;
    try {
      return (await payments.paySubscription(subscriptionId, paymentMethodId)).redirectUrl;
    } catch (error) {
      if (error instanceof PaymentRefused) throw error;
      const planId = await planIdOf(plan);
      const fields = { planId, contact: customer, externalId: id, returnUrl: \`\${shopUrl}/members/\${id}\`, webhookUrl: \`\${shopUrl}/webhooks\` };
      const other = await payments.startSubscription(fields, crypto.randomUUID());
      return (await payments.paySubscription(other.id, paymentMethodId)).redirectUrl;
    }
  };`,
      },
    ],
    test: "a membership begins, is renewed, and ends",
    kinds: ["lost-answers"],
    law: "subscribed-once",
    sentence: /but its answer is lost/,
  },
  {
    name: "forgets an event that comes before the answer",
    changes: [
      KNOWN_AFTERWARDS,
      {
        file: "webhooks.ts",
        find: 'return isMissed ? "unknown" : "ignored";',
        replace: 'return isMissed ? "ignored" : "ignored";',
      },
    ],
    test: "a customer pays by card",
    kinds: ["slow-answers"],
    law: "status-agrees",
    sentence: /its answer takes 3 seconds/,
  },
  {
    name: "remembers an event before it is handled",
    changes: [
      KNOWN_AFTERWARDS,
      {
        file: "webhooks.ts",
        find: '    if (outcome !== "unknown") this.#seen.add(id);',
        replace: "    this.#seen.add(id);",
      },
    ],
    test: "a customer pays by card",
    kinds: ["slow-answers"],
    law: "status-agrees",
    sentence: /its answer takes 3 seconds/,
  },
  {
    name: "repeats calls without an end",
    changes: [{ file: "payment-service.ts", find: "const MOST_TRIES = 3;", replace: "const MOST_TRIES = 300;" }],
    test: "a customer pays by card",
    kinds: ["outages"],
    law: "no-storm-of-calls",
    sentence: /answers it with 503, for a minute/,
  },
];
