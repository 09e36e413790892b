import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in the handler of events. */
export const bugsOfEvents: readonly PlantedBug[] = [
  {
    name: "no signature check",
    file: "shop.ts",
    find: 'if (!Buffer.isBuffer(body) || !isGenuine(request.get("x-webhook-signature"), body, config.webhookSecret)) {',
    replace: "if (!Buffer.isBuffer(body)) {",
    laws: ["paid-before-fulfilled", "forged-changes-nothing"],
    source: {
      url: "https://github.com/Carrington-dev/dj-payfast/issues/30",
      what: "The verification of signatures was commented out, so anybody could report a payment.",
    },
  },
  {
    name: "verifies a body that was written again",
    file: "webhook-signature.ts",
    find: ".update(rawBody)",
    replace: ".update(JSON.stringify(JSON.parse(rawBody.toString())))",
    laws: ["takes-every-event"],
    misunderstanding: "JSON that is parsed and written again is the same text.",
    source: {
      url: "https://github.com/stripe/stripe-node/issues/494",
      what: "The signature was verified over the JSON that the body parser had read and that was written again.",
    },
  },
  {
    name: "fulfils on processing",
    file: "webhooks.ts",
    find: '  processing: "pending",\n  succeeded',
    replace: '  processing: "paid",\n  succeeded',
    laws: ["paid-before-fulfilled"],
    source: {
      url: "https://github.com/medusajs/medusa/pull/15930",
      what: "An event that a payment is processing had the shop complete the cart before anything was paid.",
    },
  },
  {
    name: "another subscription's event ends a membership",
    file: "webhooks.ts",
    find: "const membership = this.#memberships.bySubscription(id);",
    replace:
      "const membership = this.#memberships.bySubscription(id) ?? this.#memberships.get(String(attributes.externalId));",
    laws: ["access-agrees"],
  },
  {
    name: "500 on unknown types",
    file: "webhooks.ts",
    find: 'if (!KINDS.has(kindOf(type))) return "ignored";',
    replace:
      "if (!/\\.(processing|requires_action|succeeded|failed|canceled|completed|cancelled|expired|activated|past_due|unpaid|paid|payment_failed)$/.test(type)) throw new Error(type);",
    laws: ["takes-every-event"],
    source: {
      url: "https://github.com/vercel/nextjs-subscription-payments/issues/356",
      what: "Every event of a type that the handler did not list was answered with 400.",
    },
  },
  {
    name: "calls back inside and hangs",
    file: "shop.ts",
    find: "response.sendStatus(STATUS_OF[outcome]);",
    replace:
      'void (async () => { const id = (event?.["data"] as { id?: string } | undefined)?.id; while (event?.type === "payment_intent.processing" && (await payments.intentStatus(id ?? "")).status === "processing") await (config.sleep ?? (async () => undefined))(1000); response.sendStatus(STATUS_OF[outcome]); })().catch(() => response.sendStatus(500));',
    laws: ["answers-in-time"],
    source: {
      url: "https://github.com/airwaylab-app/airwaylab/pull/843",
      what: "The handler called the service before it answered, and ran out of time.",
    },
  },
  {
    name: "takes foreign events for its own",
    file: "webhooks.ts",
    find: 'return isMissed ? "unknown" : "ignored";',
    replace:
      'const last = this.#orders.all().at(-1); if (last !== undefined && move !== undefined) this.#orders.move(last, move); return "applied";',
    laws: ["paid-before-fulfilled"],
  },
  {
    name: "refuses unknown fields",
    file: "webhooks.ts",
    find: 'return isObject(event) && typeof event["id"] === "string"',
    replace: 'return isObject(event) && !("unexpected_field" in event) && typeof event["id"] === "string"',
    laws: ["takes-every-event"],
  },
  {
    name: "reads only the signature of the live service",
    file: "webhook-signature.ts",
    find: '[parts.get("te"), parts.get("li")]',
    replace: '[parts.get("li")]',
    laws: ["takes-every-event"],
  },
  {
    name: "an event about nothing known stops the queue",
    merchant: "the shop that queues",
    file: "queueing-shop.ts",
    find: "if (found === undefined && now().getTime() - queued.at < DAY) continue;",
    replace: "if (found === undefined) throw new Error(`There is no order for ${event.type}, not even within ${DAY}`);",
    laws: ["jobs-go-on", "paid-and-fulfilled"],
    source: {
      url: "https://github.com/OCA/contract/pull/1442",
      what: "An error with one subscription ended the whole run of the job that renews them.",
    },
  },
];
