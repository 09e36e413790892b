import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { isOwed, lastReading, paymentsOf } from "../evidence.ts";
import type { Evidence } from "../evidence.ts";
import type { BooksReading } from "../playing/observations.ts";
import { hasHadTime } from "./knowledge.ts";
import type { Breach } from "./law.ts";
import { accessOf, memberships } from "./membership-facts.ts";

/**
 * Returns the customers who were not served although the merchant had time, while the service could not read what another customer paid for.
 * Whoever was not served afterwards either was not held up: that merchant never asks.
 */
export function heldUp(evidence: Evidence): readonly Breach[] {
  const { seen, succeededAt } = evidence;
  const { unreadableAtService: unreadable } = seen;
  const end = lastReading(evidence)?.books;
  if (unreadable.size === 0 || end === undefined) return [];
  const isUnreadable = (what: string): boolean => [...unreadable].some((id) => what.includes(id));
  const hadTime = (reading: BooksReading, since: number): boolean =>
    reading.moment === "rested" && hasHadTime(evidence, reading, since, undefined, isUnreadable);
  const others = [...new Set([...unreadable].flatMap((id) => seen.owners.get(id) ?? []))];
  const because = `while the service could not read what is paid for ${others.join(" and ")}`;
  return [
    ...seen.readings.flatMap((reading) =>
      (reading.books.orders ?? []).flatMap((order): Breach[] => {
        const { id, status } = order;
        const isServedInTheEnd = end.orders?.some((each) => each.id === id && each.fulfilments > 0) === true;
        if (others.includes(id) || !isServedInTheEnd || !isOwed(evidence, order, reading.at)) return [];
        const since = Math.max(...paymentsOf(evidence, id).map((payment) => succeededAt.get(payment.id) ?? 0));
        if (!hadTime(reading, since)) return [];
        return [{ id, what: `${id} was paid, and remained ${status} and not fulfilled ${because}.` }];
      }),
    ),
    ...memberships(evidence).flatMap((membership): Breach[] => {
      const { id, inBooks, subscriptions, reading } = membership;
      const isServedInTheEnd = end.memberships?.some((each) => each.id === id && each.hasAccess) === true;
      if (others.includes(id) || !isServedInTheEnd || inBooks.hasAccess || accessOf(evidence, membership) !== true)
        return [];
      const since = Math.max(...subscriptions.map(({ updatedAt }) => OriginalDate.parse(updatedAt)));
      return hadTime(reading, since) ? [{ id, what: `${id} was paid, and had no access ${because}.` }] : [];
    }),
  ];
}
