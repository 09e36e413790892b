import { paymentsOf, paymentsOfNobody } from "../evidence.ts";
import type { Evidence, TiedPayment } from "../evidence.ts";
import type { ObservedAct, Observations } from "../playing/observations.ts";
import type { Belief } from "./law.ts";

/** The acts with which a customer comes to pay for an order. */
export const PAYING: ReadonlySet<string> = new Set(["order", "checkout", "payAgain"]);

/** The statuses of a payment that was confirmed and has not ended without success. */
const UNDER_WAY: ReadonlySet<string> = new Set(["processing", "requires_action", "succeeded"]);
const ENDED: ReadonlySet<string> = new Set(["failed", "canceled"]);

export const sessionIsTheOrder: Belief = {
  misunderstanding: "An order ends with its first session.",
  remedy:
    "When a customer comes back to an order that is not paid, and its session has failed, expired or was cancelled, create another session and lead the customer to its page.",
};

export const pricesFollow: Belief = {
  misunderstanding: "A payment that was begun asks for what the order costs now.",
  remedy:
    "An intent or a session keeps the amount with which it was made. When the price of an order changes, make another one, and give back what is paid at the old price.",
};

interface ChangeOfPrice {
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
  /** The price before, in centavos. */
  readonly from: number;
}

/** Returns how the customer last changed the price of the order, by an act or before it, as the books say; undefined when that never happened. */
export function changeOfPrice({ acts }: Observations, latest: ObservedAct): ChangeOfPrice | undefined {
  const isBefore = (act: ObservedAct): boolean => act.id === latest.id && act.at < latest.at;
  const own = acts.filter((act) => (act === latest || isBefore(act)) && act.amount !== undefined);
  const place = own.findLastIndex(({ act, status = 500 }) => act === "changeCart" && status < 400);
  const [before, change] = [own[place - 1], own[place]];
  if (before?.amount === undefined || change === undefined || before.amount === change.amount) return undefined;
  return { at: change.at, from: before.amount };
}

/** Whether no payment of an order was under way, or had succeeded, when the customer came to pay. */
export function isToBePaid(evidence: Evidence, { id, at }: ObservedAct): boolean {
  return paymentsOf(evidence, id).every((payment) => !UNDER_WAY.has(statusAt(evidence, payment, at) ?? ""));
}

/**
 * Whether a customer came back to pay, and nothing came of it although the merchant seemed to agree: no page, and no payment. The merchant
 * knew that the earlier payments had ended.
 */
export function isLeftUnpaid(evidence: Evidence, act: ObservedAct): boolean {
  const { seen, moves } = evidence;
  const { id, at, status = 500, isLed = false } = act;
  const isBack = seen.acts.some((each) => each.id === id && each.at < at && PAYING.has(each.act));
  if (!PAYING.has(act.act) || !isBack || isLed || status >= 400 || !isToBePaid(evidence, act)) return false;
  if (paymentsOfNobody(evidence).length > 0) return false;
  return paymentsOf(evidence, id).every((payment) => {
    const isTried = moves.get(payment.id)?.some((move) => move.at >= at && UNDER_WAY.has(move.to)) === true;
    const hasEnded = ENDED.has(statusAt(evidence, payment, at) ?? "");
    return !isTried && (!hasEnded || isTold(evidence, payment, at));
  });
}

function statusAt({ moves }: Evidence, { id }: Pick<TiedPayment, "id">, at: number): string | undefined {
  return moves.get(id)?.findLast((move) => move.at < at)?.to;
}

/** Whether the merchant had taken an event about a payment by a moment, after everything else about it. */
function isTold({ events }: Evidence, { id, sessionToken }: TiedPayment, at: number): boolean {
  const last = events.findLast(
    ({ about, announcedAt }) => (about === id || about === sessionToken) && announcedAt <= at,
  );
  return last?.takenAt !== undefined && last.takenAt <= at;
}
