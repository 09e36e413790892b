import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in the handler of events. */
export const bugsOfEvents: readonly PlantedBug[] = [
  {
    name: "no signature check",
    file: "shop.ts",
    find: 'if (!Buffer.isBuffer(body) || !isGenuine(request.get("x-webhook-signature"), body, config.webhookSecret)) {',
    replace: "if (!Buffer.isBuffer(body)) {",
    laws: ["paid-before-fulfilled", "forged-changes-nothing"],
  },
  {
    name: "verifies a body that was written again",
    file: "webhook-signature.ts",
    find: ".update(rawBody)",
    replace: ".update(JSON.stringify(JSON.parse(rawBody.toString())))",
    laws: ["takes-every-event"],
  },
  {
    name: "fulfils on processing",
    file: "webhooks.ts",
    find: '  processing: "pending",\n  succeeded',
    replace: '  processing: "paid",\n  succeeded',
    laws: ["paid-before-fulfilled"],
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
  },
  {
    name: "calls back inside and hangs",
    file: "shop.ts",
    find: "response.sendStatus(STATUS_OF[outcome]);",
    replace:
      'void (async () => { const id = (event?.["data"] as { id?: string } | undefined)?.id; while (event?.type === "payment_intent.processing" && (await payments.intentStatus(id ?? "")).status === "processing") await (config.sleep ?? (async () => undefined))(1000); response.sendStatus(STATUS_OF[outcome]); })().catch(() => response.sendStatus(500));',
    laws: ["answers-in-time"],
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
];
