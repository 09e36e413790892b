import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { lastReading } from "../evidence.ts";
import type { Evidence } from "../evidence.ts";
import { isMaking } from "../../troubles/routes.ts";
import { floatsAreExact } from "./beliefs.ts";
import { changeOfPrice, isLeftUnpaid, isToBePaid, pricesFollow, sessionIsTheOrder } from "./coming-back.ts";
import { noOrders } from "./orders.ts";
import type { Belief, Breach, LawOfTheExam } from "./law.ts";

const pastDueIsOver: Belief = {
  misunderstanding: "A membership whose renewal was declined is over.",
  remedy:
    "While a membership is past due, let its member change the card (by default PATCH /api/subscription/{id}/payment-method). The service charges what is owed, and the membership goes on.",
};

/** Words that merchants use for an order that was given up. */
const GIVEN_UP = /fail|declin|refus|reject|error|cancel|void/i;

/** Laws that protect customers whom a shop has no reason to turn away. */
export const servedLaws: readonly LawOfTheExam[] = [
  {
    name: "led-to-the-challenge",
    sentence: "A customer whose bank asks for a challenge is led to it.",
    misunderstanding: "A payment succeeds or fails at once.",
    remedy:
      "A payment that is requires_action has not failed. Send the customer to the redirectUrl of confirm, and wait for what comes of it.",
    holds: "at rest",
    unjudged: ({ seen }) => (seen.acts.length === 0 ? "no act orders or joins" : undefined),
    reached: ({ seen }) => seen.acts.some(({ hasChallenge }) => hasChallenge),
    breaches: ({ seen }): readonly Breach[] => {
      const [act] = seen.acts;
      // An earlier act is a reason to refuse a later one, and under a fault the merchant may not know about the challenge.
      if (seen.troubleAfter !== undefined || act?.hasChallenge !== true || act.isLed === true) return [];
      const order = seen.readings
        .find(({ at, moment }) => at >= act.at && moment !== "opened")
        ?.books.orders?.find(({ id }) => id === act.id);
      const isGivenUp = order !== undefined && GIVEN_UP.test(order.status);
      if ((act.status ?? 0) < 400 && !isGivenUp) return [];
      const found = isGivenUp ? `${act.id} is ${order.status}` : `the merchant answered ${act.status}`;
      return [
        { id: act.id, what: `The bank asked for a challenge, the shop did not lead the customer to it, and ${found}.` },
      ];
    },
  },
  {
    name: "led-to-an-open-page",
    sentence:
      "A customer who comes to pay is led to a page that still takes a payment, and asks the price of the order.",
    misunderstanding: "A page that was opened once stays open.",
    remedy:
      "Ask for the status of the session before you lead a customer back to its page, and create another when it has failed, expired or was cancelled.",
    otherBeliefs: [sessionIsTheOrder, pricesFollow],
    holds: "always",
    reached: ({ seen }) => seen.acts.some(({ isLed }) => isLed),
    breaches: (evidence): readonly Breach[] => {
      const { seen } = evidence;
      // Under a fault the merchant may not know that a page has closed.
      if (seen.troubleAfter !== undefined) return [];
      return seen.acts.flatMap((act): Breach[] => {
        const { id, page } = act;
        if (page?.closed !== undefined)
          return [{ id, what: `The customer of ${id} was led to a page that is ${page.closed}.` }];
        const change = page && changeOfPrice(seen, act);
        if (change !== undefined && page !== undefined && page.createdAt < change.at && isToBePaid(evidence, act))
          return [{ id, what: `The customer of ${id} was led to the page of the old price.`, ...pricesFollow }];
        if (!isLeftUnpaid(evidence, act) || wasSoldOut(evidence, act.at)) return [];
        return [
          {
            id,
            what: `The customer of ${id} came back to pay, the merchant answered ${act.status}, and led to no page. The order is not paid.`,
            ...sessionIsTheOrder,
          },
        ];
      });
    },
  },
  {
    name: "good-card-is-served",
    sentence: "Once everything works again, a customer with a good card gets what was ordered.",
    misunderstanding: "A failure leaves nothing behind.",
    remedy:
      "Let a failure end with the call that failed: discard a refused token and a failed login, set aside an event that you cannot handle, and serve the next customer like the first.",
    otherBeliefs: [floatsAreExact, pastDueIsOver],
    holds: "in the end",
    unjudged: (evidence) => {
      const { lastCustomer, seen } = evidence;
      if (lastCustomer === undefined) return "no act orders or joins";
      if (lastCustomer.act !== "join") return noOrders(evidence);
      return seen.readings.every(({ books }) => books.memberships === undefined)
        ? "the books have no memberships"
        : undefined;
    },
    reached: ({ lastCustomer }) => lastCustomer !== undefined,
    breaches: (evidence): readonly Breach[] => {
      const { lastCustomer, seen } = evidence;
      const refused = [...refusedPrices(evidence), ...refusedCards(evidence)];
      if (lastCustomer === undefined || refused.length > 0) return refused;
      const { id, act } = lastCustomer;
      const books = lastReading(evidence)?.books;
      const order = books?.orders?.find((each) => each.id === id);
      const membership = books?.memberships?.find((each) => each.id === id);
      const isServed = act === "join" ? membership?.hasAccess === true : (order?.fulfilments ?? 0) > 0;
      const answer = seen.acts.findLast((each) => each.id === id);
      if (isServed || wasSoldOut(evidence, answer?.at)) return [];
      const said =
        answer?.status === undefined
          ? answer?.threw === undefined
            ? "The merchant never answered"
            : `The act threw (${messageOf(answer.threw)})`
          : `The merchant answered ${answer.status}${answer.said === undefined ? "" : ` ${answer.said}`}`;
      const found =
        act === "join"
          ? membership === undefined
            ? "the books have no such membership"
            : "the membership has no access"
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

/**
 * Returns the members who gave a good card while a renewal was owed, and whose subscription has not recovered although nothing went wrong.
 * Once it is unpaid, a merchant may refuse the card, and ask the member to join again.
 */
function refusedCards({ seen, subscriptions }: Evidence): readonly Breach[] {
  if (seen.troubleAfter !== undefined) return [];
  return seen.acts.flatMap(({ act, id, at, status = 500 }): Breach[] => {
    if (act !== "changeCard" || seen.acts.some((each) => each.act === "leave" && each.id === id)) return [];
    const before = seen.readings.findLast((reading) => reading.at <= at)?.subscriptions ?? [];
    const owes = (state: string): boolean => state === "past_due" || (state === "unpaid" && status < 400);
    const owed = before.filter((each) => seen.owners.get(each.id) === id && owes(each.status));
    const stuck = subscriptions.find(
      (each) => owed.some((one) => one.id === each.id) && (each.status === "past_due" || each.status === "unpaid"),
    );
    if (stuck === undefined) return [];
    return [
      {
        id,
        what: `${id} gave another card while a payment was owed, the merchant answered ${status}, and the subscription is ${stuck.status}.`,
        ...pastDueIsOver,
      },
    ];
  });
}

/** Returns the prices, chosen by customers, that the service took for invalid although nothing went wrong. */
function refusedPrices({ seen }: Evidence): readonly Breach[] {
  if (seen.troubleAfter !== undefined) return [];
  return seen.acts.flatMap(({ id, chosen }): Breach[] => {
    const isRefused = seen.calls.some((call) => call.id === id && isMaking(call.route) && call.status === 400);
    if (chosen?.amount === undefined || !isRefused) return [];
    return [
      {
        id,
        what: `${id} costs ${chosen.amount} centavos, and the service answered 400 to the payment.`,
        ...floatsAreExact,
      },
    ];
  });
}

/** Whether the stock was too small for an order when it came, or has been since. What is held for others then may be free again later. */
function wasSoldOut({ seen, unitsOfStock }: Evidence, from = 0): boolean {
  return seen.readings.some(
    ({ at, books }) =>
      at >= from &&
      Object.entries(books.stock ?? {}).some(([item, left]) => left < Math.max(1, unitsOfStock[item] ?? 1)),
  );
}
