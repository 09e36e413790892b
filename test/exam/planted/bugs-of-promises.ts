import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in what a merchant does unasked, what it takes for genuine, and what it tells customers. */
export const bugsOfPromises: readonly PlantedBug[] = [
  {
    name: "tries a declined card again",
    file: "order-routes.ts",
    find: 'else if (error.code === "INSUFFICIENT_FUNDS") orders.move(order, "failed", intentId);',
    replace:
      'else if (error.code === "INSUFFICIENT_FUNDS") { orders.move(order, "failed", intentId); await payments.createIntent(paymentOf(order), `${intentId}-again`).then(({ id }) => payments.confirmIntent(id, paymentMethodId)).catch(() => undefined); }',
    laws: ["charged-as-asked"],
  },
  {
    name: "charges a change of plan at once",
    file: "membership-routes.ts",
    find: 'await payments.changePlan(membership.subscriptionId ?? "", await planIdOf(plan));',
    replace:
      'await payments.changePlan(membership.subscriptionId ?? "", await planIdOf(plan)); const { id } = await payments.createIntent({ externalId: membership.id, amount: 30_000, description: plan, contact: membership.customer }, `${membership.id}-${plan}`); await payments.confirmIntent(id, "pm_card_approved");',
    laws: ["charged-as-asked", "paid-and-fulfilled"],
    misunderstanding: "A change of plan is charged at once.",
  },
  {
    name: "makes an order of a payment that it does not know",
    file: "webhooks.ts",
    find: 'return isMissed ? "unknown" : "ignored";',
    replace:
      'if (!isMissed || move !== "paid") return isMissed ? "unknown" : "ignored"; const made = this.#orders.place("pen", 1, { name: "", email: "" }, paymentId); this.#orders.begin(made, { kind: "intent", id: paymentId, amount: made.amount }); this.#orders.move(made, move, paymentId); return "applied";',
    laws: ["ordered-before-fulfilled"],
  },
  {
    name: "cancels a subscription whose payment got no answer",
    file: "membership-routes.ts",
    find: "if (!isRefusal(error)) throw error;",
    replace:
      'if (!isRefusal(error)) { await payments.cancelSubscription(membership.subscriptionId ?? "", "not paid").catch(() => undefined); throw error; }',
    laws: ["cancelled-as-asked"],
  },
  {
    name: "gives the new plan before its invoice",
    file: "membership-routes.ts",
    find: "memberships.change(membership, { nextPlan: plan === membership.plan ? undefined : plan })",
    replace: "memberships.change(membership, { plan })",
    laws: ["plan-agrees"],
  },
  {
    name: "takes deliveries of any age",
    file: "webhook-signature.ts",
    find: "if (!(age <= TOLERANCE_SECONDS)) return false;",
    replace: "if (Number.isNaN(age)) return false;",
    laws: ["refuses-forgeries"],
    misunderstanding: "A delivery whose signature is right is new.",
  },
  {
    name: "reads another field of the signature",
    file: "webhook-signature.ts",
    find: '[parts.get("te"), parts.get("li")]',
    replace: '[parts.get("li")]',
    laws: ["takes-every-event"],
    misunderstanding: "The signature is in another field of the header, or is made of the body alone.",
  },
  {
    name: "tells a decline when no answer comes",
    file: "order-routes.ts",
    find: "if (paymentMethodId !== undefined) await pay(order, paymentMethodId);",
    replace:
      'try { if (paymentMethodId !== undefined) await pay(order, paymentMethodId); } catch { response.status(402).json({ problem: "Your card was declined" }); return; }',
    laws: ["told-the-truth"],
    misunderstanding: "A call that fails, or is not answered, means that the payment was declined.",
  },
  {
    name: "thanks whoever comes back for the payment",
    file: "order-routes.ts",
    find: "<p>Order ${order.id}: ${status}</p>",
    replace: "<p>Order ${order.id}: paid</p>",
    laws: ["told-the-truth"],
    misunderstanding: "Whoever comes back from the payment page has paid.",
  },
  {
    name: "gives every payment back when a second one comes",
    file: "orders.ts",
    find: "refunded: order.refunded + payment.amount",
    replace: 'refunded: payments.filter((each) => each.status === "paid").reduce((sum, each) => sum + each.amount, 0)',
    laws: ["given-back-once"],
  },
  {
    name: "stops counting at an empty shelf",
    merchant: "the shop that refunds",
    file: "refunding-desk.ts",
    find: "if (known !== undefined || store.shelf.umbrellas === 0) return known;\n    store.shelf.umbrellas -= 1;",
    replace:
      "if (known !== undefined) return known;\n    store.shelf.umbrellas = Math.max(0, store.shelf.umbrellas - 1);",
    laws: ["never-oversold"],
  },
];
