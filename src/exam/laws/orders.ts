import {
  lastReading,
  mostPaidBy,
  paidBy,
  paymentsOf,
  paymentsOfNobody,
  priceOf,
  quantityOf,
  refundOf,
} from "../evidence.ts";
import type { Evidence } from "../evidence.ts";
import type { OrderInBooks } from "../options.ts";
import { chargingBeliefs, floatsAreExact, whyChargedAgain } from "./beliefs.ts";
import type { Breach, LawOfTheExam } from "./law.ts";
import { saysPaid } from "./status-words.ts";

/** Why the orders in the books cannot be judged; undefined when they can. */
export const noOrders = ({ seen }: Evidence): string | undefined => {
  const all = seen.readings.flatMap(({ books }) => books.orders ?? []);
  if (seen.readings.every(({ books }) => books.orders === undefined)) return "the books have no orders";
  if (all.length > 0 && !all.some(({ id }) => isKnown(seen, id)))
    return "no order in the books has an id that a customer used";
  return undefined;
};

const noStock = ({ seen }: Evidence): string | undefined =>
  seen.readings.some(({ books }) => books.stock !== undefined) ? undefined : "the books have no stock";

const hasFulfilled = ({ seen }: Evidence): boolean =>
  seen.readings.some(({ books }) => books.orders?.some(({ fulfilments }) => fulfilments > 0));

function isKnown(seen: Evidence["seen"], id: string): boolean {
  return seen.acts.some((act) => act.id === id);
}

export const orderLaws: readonly LawOfTheExam[] = [
  {
    name: "paid-before-fulfilled",
    sentence: "An order is fulfilled only once it is paid in full.",
    misunderstanding: "Whoever returns from the payment page has paid, and any payment covers the price.",
    remedy:
      "Fulfil when the service says that the payment succeeded, in a signed event or a status that you read, and its amount is the price that you set.",
    otherBeliefs: [floatsAreExact],
    holds: "always",
    unjudged: noOrders,
    leavesOut: (evidence) =>
      paymentsOfNobody(evidence).length > 0
        ? "a payment may be of several orders: name the order's id in its externalId, or make it while you answer the customer"
        : undefined,
    reached: hasFulfilled,
    breaches: (evidence) =>
      evidence.seen.readings.flatMap(({ at, books }) =>
        (books.orders ?? []).flatMap((order): Breach[] => {
          if (!isKnown(evidence.seen, order.id) || order.fulfilments === 0) return [];
          const paid = mostPaidBy(evidence, order.id, at);
          const price = priceOf(evidence, order, at);
          if (paid >= price) return [];
          return [
            {
              id: order.id,
              what: `${order.id} costs ${pesos(price)} and was fulfilled when ${paid === 0 ? "nothing" : pesos(paid)} was paid.`,
              ...(price - paid <= quantityOf(evidence, order.id) ? floatsAreExact : {}),
            },
          ];
        }),
      ),
  },
  {
    name: "fulfilled-once",
    sentence: "An order is fulfilled once.",
    misunderstanding: "Each event arrives once, and nothing happens between the check and the work.",
    remedy:
      "Mark an order as fulfilled in the same step in which you check that it is not, such as one conditional update, and fulfil only if that step changed it.",
    holds: "always",
    unjudged: noOrders,
    reached: hasFulfilled,
    breaches: (evidence) =>
      evidence.seen.readings.flatMap(({ books }) =>
        (books.orders ?? []).flatMap((order): Breach[] =>
          isKnown(evidence.seen, order.id) && order.fulfilments > 1
            ? [{ id: order.id, what: `${order.id} was fulfilled ${order.fulfilments} times.` }]
            : [],
        ),
      ),
  },
  {
    name: "charged-once",
    sentence: "A customer pays for an order once, or gets the rest back.",
    misunderstanding: "A call without an answer did nothing, and customers click once.",
    remedy:
      "Give each order one Idempotency-Key, store it before the call, and read the payment's status before you try again. Refund a second payment.",
    otherBeliefs: chargingBeliefs,
    holds: "in the end",
    unjudged: noOrders,
    reached: ({ succeededAt }) => succeededAt.size > 0,
    breaches: (evidence) =>
      ordersInTheEnd(evidence).flatMap(({ order, paid, price }): Breach[] => {
        const kept = paid - refundOf(order, paid);
        if (order.fulfilments === 0 || kept <= price) return [];
        const count = paymentsOf(evidence, order.id).filter(({ status }) => status === "succeeded").length;
        return [
          {
            id: order.id,
            what: `${order.id} costs ${pesos(price)}, and ${pesos(kept)} was kept, from ${count} ${count === 1 ? "payment" : "payments"}.`,
            ...whyChargedAgain(evidence, order.id),
          },
        ];
      }),
  },
  {
    name: "given-back-once",
    sentence: "A payment is given back once, and never more than was paid.",
    misunderstanding: "Nobody else refunds the same payment, and every payment covers the whole price.",
    remedy:
      "Record a refund in the same step in which you check that there is none yet, and refund the amount of the payment, not the price.",
    holds: "always",
    unjudged: (evidence) =>
      noOrders(evidence) ??
      (evidence.seen.readings.some(({ books }) => books.orders?.some(({ refunded }) => refunded !== undefined))
        ? undefined
        : "the orders in the books have no refunded"),
    reached: ({ seen }) =>
      seen.readings.some(({ books }) => books.orders?.some(({ refunded }) => Number(refunded ?? 0) > 0)),
    breaches: (evidence) =>
      evidence.seen.readings.flatMap(({ at, books }) =>
        (books.orders ?? []).flatMap((order): Breach[] => {
          const paid = mostPaidBy(evidence, order.id, at);
          const refund = refundOf(order, paid);
          // The order does not include what another system charged.
          if (!isKnown(evidence.seen, order.id) || refund === 0 || evidence.seen.foreign.size > 0) return [];
          const price = priceOf(evidence, order, at);
          // Whoever gives the only payment back may be kind. Of two payments, one pays for the order.
          const isTwice = paid > price && paymentsOf(evidence, order.id).length > 1;
          if (order.fulfilments > 0 && isTwice && refund > paid - price && refund <= paid)
            return [
              {
                id: order.id,
                what: `${order.id} was fulfilled and costs ${pesos(price)}, and ${pesos(refund)} of the ${pesos(paid)} that was paid was given back.`,
              },
            ];
          if (refund <= paid) return [];
          return [
            {
              id: order.id,
              what: `${pesos(refund)} was given back for ${order.id}, and ${paid === 0 ? "nothing" : pesos(paid)} was paid.`,
            },
          ];
        }),
      ),
  },
  {
    name: "paid-and-fulfilled",
    sentence: "A paid order is fulfilled or refunded.",
    misunderstanding: "The program runs until the answer comes, and every event arrives.",
    remedy:
      "Store the order before you call the service. When an answer or an event may be lost, ask the service for the status, from a job as well.",
    otherBeliefs: chargingBeliefs,
    holds: "in the end",
    unjudged: noOrders,
    reached: ({ succeededAt }) => succeededAt.size > 0,
    breaches: (evidence) => {
      const reading = lastReading(evidence);
      if (reading === undefined) return [];
      const owners = new Set(
        evidence.payments.flatMap(({ owner, status, purpose }) =>
          owner !== undefined && status === "succeeded" && purpose !== "subscription" ? [owner] : [],
        ),
      );
      return [...owners].flatMap((id): Breach[] => {
        const order = reading.books.orders?.find((each) => each.id === id);
        const paid = paidBy(evidence, id, Infinity);
        if (order === undefined)
          return [
            {
              id,
              what: `${pesos(paid)} was paid for ${id}, and the books have no such order.`,
              ...whyChargedAgain(evidence, id),
            },
          ];
        if (order.fulfilments > 0 || paid - refundOf(order, paid) <= 0) return [];
        return [
          {
            id,
            what: `${pesos(paid)} was paid for ${id}, which is ${order.status}, and was neither fulfilled nor given back.`,
            ...whyChargedAgain(evidence, id),
          },
        ];
      });
    },
  },
  {
    name: "status-agrees",
    sentence: "An order is paid in the books if, and only if, its payment succeeded.",
    misunderstanding: "Events come in the order in which things happened.",
    remedy: "Let a success win over every other status, whenever it comes, and let nothing else mark an order as paid.",
    holds: "in the end",
    unjudged: noOrders,
    leavesOut: (evidence) => {
      const word = ordersInTheEnd(evidence).find(({ order }) => saysPaid(order.status) === undefined)?.order.status;
      return word === undefined ? undefined : `the word "${word}" does not tell whether an order is paid`;
    },
    reached: (evidence) => ordersInTheEnd(evidence).length > 0,
    breaches: (evidence) =>
      ordersInTheEnd(evidence).flatMap(({ order, paid, price }): Breach[] => {
        const kept = paid - refundOf(order, paid);
        const says = saysPaid(order.status);
        const most = mostPaidBy(evidence, order.id, Infinity);
        if (says === true && most < price)
          return [
            {
              id: order.id,
              what: `${order.id} is ${order.status}, and ${most === 0 ? "nothing" : `only ${pesos(most)} of ${pesos(price)}`} was paid.`,
            },
          ];
        if (says === false && kept >= price && kept > 0 && order.fulfilments > 0)
          return [{ id: order.id, what: `${order.id} is ${order.status}, although ${pesos(paid)} was paid.` }];
        return [];
      }),
  },
  {
    name: "never-oversold",
    sentence: "Only items in stock are sold.",
    misunderstanding: "Nobody else orders between the check of the stock and the payment.",
    remedy:
      "Take an item from the stock in the same step in which you check that it is there, before the customer pays. If it is gone, refund the payment.",
    holds: "always",
    unjudged: noStock,
    reached: hasFulfilled,
    breaches: (evidence) => [
      ...evidence.seen.readings.flatMap(({ books }) =>
        Object.entries(books.stock ?? {}).flatMap(([item, left]): Breach[] =>
          left < 0 ? [{ what: `${item} was oversold by ${-left}.` }] : [],
        ),
      ),
      ...stockInTheEnd(evidence).flatMap(({ item, before, expected, fulfilled }): Breach[] =>
        expected < 0
          ? [{ what: `${item} was oversold by ${-expected}: there were ${before}, and ${fulfilled} were fulfilled.` }]
          : [],
      ),
    ],
  },
  {
    name: "stock-freed",
    sentence: "Only fulfilled orders reduce the stock.",
    misunderstanding: "Every customer pays in the end, or says that they will not.",
    remedy: "When the payment of an order fails, expires or is given up, release the items that the order holds, once.",
    holds: "in the end",
    unjudged: noStock,
    reached: ({ seen }) => seen.readings.some(({ books }) => (books.orders ?? []).length > 0),
    breaches: (evidence) =>
      stockInTheEnd(evidence).flatMap(({ item, before, expected, left, fulfilled }): Breach[] =>
        left === expected || expected < 0
          ? []
          : [
              {
                what: `${left} of ${item} are left, and ${expected} should be: there were ${before}, and ${fulfilled || "nothing"} ${fulfilled.includes(" and ") ? "were" : "was"} fulfilled.`,
              },
            ],
      ),
  },
];

function ordersInTheEnd(
  evidence: Evidence,
): readonly { readonly order: OrderInBooks; readonly paid: number; readonly price: number }[] {
  const orders = lastReading(evidence)?.books.orders ?? [];
  const known = orders.filter(({ id }) => isKnown(evidence.seen, id));
  return known.map((order) => ({
    order,
    paid: paidBy(evidence, order.id, Infinity),
    price: priceOf(evidence, order),
  }));
}

/** Returns how many of each item are left in the end, and how many should be, because only fulfilled orders take from the stock. */
function stockInTheEnd(evidence: Evidence) {
  const first = evidence.seen.readings[0]?.books.stock;
  const { stock, orders = [] } = lastReading(evidence)?.books ?? {};
  if (first === undefined || stock === undefined) return [];
  // It is unknown how much stock a changed cart takes.
  if (evidence.seen.acts.some(({ act }) => act === "changeCart")) return [];
  const fulfilled = orders.filter(({ fulfilments }) => fulfilments > 0).map(({ id }) => id);
  const pieces = fulfilled.reduce((sum, id) => sum + quantityOf(evidence, id), 0);
  return Object.entries(first).map(([item, before]) => {
    const expected = before - pieces * (evidence.unitsOfStock[item] ?? 0);
    return { item, before, expected, left: stock[item] ?? 0, fulfilled: fulfilled.join(" and ") };
  });
}

/** Formats an amount of centavos, such as ₱499.00. */
function pesos(centavos: number): string {
  return `₱${(centavos / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
}
