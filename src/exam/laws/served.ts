import { lastReading } from "../evidence.ts";
import { noOrders } from "./orders.ts";
import type { Breach, Law } from "./law.ts";

/** The law of customers with nothing against them, who come when everything has healed. */
export const servedLaws: readonly Law[] = [
  {
    name: "good-card-is-served",
    sentence: "A customer whose card is good gets what was ordered, once everything has healed.",
    misunderstanding: "A failure leaves nothing behind.",
    remedy:
      "Let one failure end with the call that failed: forget a token that was refused and a login that failed, put an event that cannot be handled aside, and answer the next customer as the first.",
    holds: "in the end",
    unjudged: (evidence) => {
      const { lastCustomer, seen } = evidence;
      if (lastCustomer === undefined) return "no act orders or joins";
      if (lastCustomer.act !== "join") return noOrders(evidence);
      return seen.readings.every(({ books }) => books.memberships === undefined)
        ? "the books have no memberships"
        : undefined;
    },
    breaches: (evidence): readonly Breach[] => {
      const { lastCustomer, seen } = evidence;
      if (lastCustomer === undefined) return [];
      const { id, act } = lastCustomer;
      const books = lastReading(evidence)?.books;
      const isSoldOut = Object.values(books?.stock ?? {}).some((left) => left <= 0);
      const order = books?.orders?.find((each) => each.id === id);
      const membership = books?.memberships?.find((each) => each.id === id);
      const isServed = act === "join" ? membership?.hasAccess === true : (order?.fulfilments ?? 0) > 0;
      if (isServed || isSoldOut) return [];
      const answer = seen.acts.findLast((each) => each.id === id);
      const said =
        answer?.status === undefined
          ? "The merchant never answered"
          : `The merchant answered ${answer.status}${answer.said === undefined ? "" : ` ${answer.said}`}`;
      const found =
        act === "join"
          ? membership === undefined
            ? "the books have no such membership"
            : "has no access"
          : order === undefined
            ? "the books have no such order"
            : `the order is ${order.status}`;
      return [
        {
          id,
          what: `${id} got nothing, although the card is good. ${said}, and ${found}.`,
        },
      ];
    },
  },
];
