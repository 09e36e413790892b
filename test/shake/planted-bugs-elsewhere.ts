import type { PlantedBug } from "./planted-bugs.ts";

/** A bug of an honest merchant of the exam, which tests of one of its flows do not notice. */
export interface PlantedBugElsewhere extends Omit<PlantedBug, "test"> {
  /** The file of the merchant in `test/exam/honest`, and what it exports. */
  readonly merchant: readonly [file: string, name: string];
  /** What customers do in the test that shows it, and how far it then moves the clock; it only settles where that is absent. */
  readonly flow: string;
  readonly waits?: string;
}

const ticketOffice = ["ticket-office.ts", "ticketOffice"] as const;
const refundingShop = ["refunding-shop.ts", "refundingShop"] as const;
const queueingShop = ["queueing-shop.ts", "queueingShop"] as const;
const pollingShop = ["polling-shop.ts", "pollingShop"] as const;
const askingHouse = ["asking-house.ts", "askingHouse"] as const;
const listingShop = ["listing-shop.ts", "listingShop"] as const;
const club = ["club.ts", "club"] as const;

export const plantedBugsElsewhere: readonly PlantedBugElsewhere[] = [
  {
    name: "gives out tickets at each event",
    merchant: ticketOffice,
    changes: [
      { file: "ticket-office.ts", find: '    if (session.status === "completed") return;\n', replace: "" },
      {
        file: "ticket-office.ts",
        find: 'booking.status === "unpaid" && session.amount === booking.seats',
        replace: "session.amount === booking.seats",
      },
    ],
    flow: "checkout approved",
    kinds: ["events-twice"],
    law: "fulfilled-once",
    sentence: /The event checkout\.completed is delivered twice/,
  },
  {
    name: "verifies the signature of a body that it parsed and wrote again",
    merchant: ticketOffice,
    changes: [
      {
        file: "ticket-office.ts",
        find: "    const event = await verifyWebhook(request, sim",
        replace: `    const body = JSON.stringify(await request.json());
    const { headers } = request;
    const event = await verifyWebhook(new Request(request.url, { method: "POST", headers, body }), sim`,
      },
    ],
    flow: "checkout approved",
    kinds: ["unknown-events"],
    law: "takes-every-event",
    sentence: /writes its events with other spaces/,
  },
  {
    name: "gives money back for each event after the first",
    merchant: refundingShop,
    changes: [{ file: "refunding-desk.ts", find: '    if (payment.state !== "open") return;\n', replace: "" }],
    flow: "order by a wallet",
    kinds: ["events-twice"],
    law: "fulfilled-once",
    sentence: /The event payment_intent\.succeeded is delivered twice/,
  },
  {
    name: "repeats calls without a pause that grows",
    merchant: refundingShop,
    changes: [{ file: "payment-service.ts", find: "pause *= 2", replace: "pause += 30" }],
    flow: "order approved",
    kinds: ["outages"],
    law: "no-storm-of-calls",
    sentence: /answers it with 503, for a minute/,
  },
  {
    name: "does not renew a token that is refused",
    merchant: refundingShop,
    changes: [
      { file: "payment-service.ts", find: "    if (response.status === 401) this.#token = undefined;\n", replace: "" },
    ],
    flow: "order declined then paid again",
    waits: "5 minutes",
    kinds: ["tokens"],
    law: "good-card-is-served",
    sentence: /Tokens expire after a minute/,
  },
  {
    name: "takes the event that came last for the newest one",
    merchant: queueingShop,
    changes: [
      { file: "queueing-shop.ts", find: "    if (SUCCEEDED.has(payment.status)) return;\n", replace: "" },
      {
        file: "queueing-shop.ts",
        find: 'payment === order.payments.at(-1)) order.status = "failed";\n',
        replace:
          'payment === order.payments.at(-1)) order.status = "failed";\n    else if (order.status === "paid" && !SUCCEEDED.has(status)) order.status = "waiting";\n',
      },
    ],
    flow: "order with a challenge",
    waits: "3 hours",
    kinds: ["late-events"],
    law: "status-agrees",
    sentence: /arrive in reverse order|two hours late/,
  },
  {
    name: "makes another payment when no answer comes",
    merchant: pollingShop,
    changes: [
      { file: "polling-shop.ts", find: "const MOST_TRIES = 4;", replace: "const MOST_TRIES = 1;" },
      { file: "polling-shop.ts", find: "fields, `${order.id}-${tries}`", replace: "fields, crypto.randomUUID()" },
      {
        file: "polling-shop.ts",
        find: "    const after = await read(order);",
        replace: `    if (confirmed === undefined) {
      order.intents.pop();
      return pay(order, method);
    }
    const after = await read(order);`,
      },
    ],
    flow: "order approved",
    kinds: ["lost-answers"],
    law: "charged-once",
    sentence: /the call payment-intent\.confirm asks, but its answer is lost/,
  },
  {
    name: "begins another membership when no answer comes",
    merchant: askingHouse,
    changes: [
      { file: "patience.ts", find: "let triesLeft = 3;", replace: "let triesLeft = 0;" },
      {
        file: "asking-house.ts",
        find: "contact, externalId: round, ...addresses",
        replace: "contact, externalId: member.id, ...addresses",
      },
      {
        file: "asking-house.ts",
        find: "leading(() => subscriptions.processPayment({ subscriptionId, paymentMethodId: method }));",
        replace: `leading(() => subscriptions.processPayment({ subscriptionId, paymentMethodId: method })).catch(() => {
      member.round += 1;
      delete member.subscription;
      return join(member, plan, method);
    });`,
      },
    ],
    flow: "join approved",
    kinds: ["lost-answers"],
    law: "subscribed-once",
    sentence: /the call subscription\.process-payment asks, but its answer is lost/,
  },
  {
    name: "compares the time of a delivery in milliseconds with seconds, and so refuses none",
    merchant: listingShop,
    changes: [
      {
        file: "listing-shop.ts",
        find: "sim.credentials.webhookSecret, { now })",
        replace: "sim.credentials.webhookSecret, { now, tolerance: 300_000 })",
      },
      {
        file: "listing-shop.ts",
        find: '  jobs: [{ every: "1 day", run: ({ visit }) => visit("POST", "/compare") }],\n',
        replace: "",
      },
    ],
    flow: "order approved",
    kinds: ["forged-events", "lost-events"],
    law: "forged-changes-nothing",
    sentence: /with the timestamp of the day before/,
  },
  {
    name: "breaks down over events of payments",
    merchant: club,
    changes: [
      {
        file: "club.ts",
        find: 'if (!("data" in event) || event.data.type !== "subscription") return',
        replace:
          'if (!store.members().some(({ subscription }) => subscription === ("data" in event && event.data.type === "subscription" && event.data.id)) && event.type.startsWith("subscription")) throw new Error("Who is this?");\n    if (!("data" in event) || event.data.type !== "subscription") return',
      },
    ],
    flow: "join approved",
    kinds: ["unknown-events"],
    law: "takes-every-event",
    sentence: /about an object that the merchant does not know/,
  },
];
