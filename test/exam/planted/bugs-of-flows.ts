import type { PlantedBug } from "./planted-bug.ts";

/** Bugs that need customers who do more than pay. */
export const bugsOfFlows: readonly PlantedBug[] = [
  {
    name: "a look while the challenge is open gives the order up",
    file: "order-routes.ts",
    find: "if (order !== undefined) response.json(order);",
    replace:
      'if (order?.status === "requires_action") orders.move(order, "failed"); if (order !== undefined) response.json(orders.get(order.id));',
    laws: ["told-the-truth"],
  },
  {
    name: "asks for a page of ten orders only",
    file: "refresh.ts",
    find: "for (const order of orders.all()) {",
    replace: "for (const order of orders.all().toReversed().slice(0, 10)) {",
    laws: ["paid-and-fulfilled", "acts-on-what-it-was-told"],
  },
  {
    name: "opens the old membership to a member who joins again",
    merchant: "the club",
    file: "club.ts",
    find: 'member = store.save(id, { round: member.round + 1, subscription: null, status: "new", plan });',
    replace: 'return void store.save(id, { status: "active", since: "9999" }) ?? new Response("Welcome back.");',
    laws: ["access-agrees"],
  },
  {
    name: "a renewal that is told late opens the membership of a member who has left",
    merchant: "the club",
    file: "club.ts",
    find: "if (TELLING.test(event.type)) learn(event.data.attributes, event.createdAt);",
    replace:
      'const { createdAt, latestInvoice } = event.data.attributes; const isRenewal = event.type === "subscription.invoice.paid" && Date.parse(latestInvoice.periodStart) > Date.parse(createdAt) + 86_400_000; if (isRenewal || TELLING.test(event.type)) learn(event.data.attributes, isRenewal ? new Date().toISOString() : event.createdAt);',
    laws: ["access-agrees"],
  },
  {
    name: "who asks again gets what the event has just brought",
    file: "order-routes.ts",
    find: "const paid = orders.get(order.id);",
    replace:
      'const paid = orders.get(order.id); if (paid?.status === "paid" && order.status !== "paid" && order.payments.length > 0) Object.assign(paid, { parcels: paid.parcels + 1 });',
    laws: ["fulfilled-once"],
  },
  {
    name: "asks whether anything is left, and not how many",
    file: "orders.ts",
    find: "return (this.stock()[sku] ?? 0) + held >= quantity;",
    replace: "return (this.stock()[sku] ?? 0) + held > 0;",
    laws: ["never-oversold"],
  },
  {
    name: "the job stops at the first order that it cannot ask for",
    file: "refresh.ts",
    find: "log(`could not ask for ${what}: ${String(error)}`);",
    replace: "throw error;",
    laws: ["jobs-go-on"],
  },
  {
    name: "asks for the first page of the list only",
    merchant: "the shop that lists",
    file: "listing-shop.ts",
    find: "if (!hasMore) return;",
    replace: "if (!hasMore || offset === 0) return;",
    laws: ["paid-and-fulfilled"],
  },
  {
    name: "makes no other session once one has ended",
    file: "order-routes.ts",
    find: "if (!isOpenStill && !UNDER_WAY.has(status)) {",
    replace: "if (latest === undefined) {",
    laws: ["led-to-an-open-page"],
  },
  {
    name: "leads back to the page of the old price",
    merchant: "the ticket office",
    file: "ticket-office.ts",
    find: "sessions.find((each) => each.amount === amount && ",
    replace: "sessions.find((each) => ",
    laws: ["led-to-an-open-page"],
  },
  {
    name: "charges the old price after a decline",
    file: "order-routes.ts",
    find: 'await payments.createIntent(paymentOf(order), keyOf(order));\n    const begun = orders.begin(order, { kind: "intent", id, amount: order.amount });',
    replace:
      'await payments.createIntent({ ...paymentOf(order), amount: latest?.amount ?? order.amount }, keyOf(order));\n    const begun = orders.begin(order, { kind: "intent", id, amount: latest?.amount ?? order.amount });',
    laws: ["charged-as-asked"],
  },
];
