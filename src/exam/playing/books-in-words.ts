import type { Books } from "../options.ts";

export function changesOf(before: Books | undefined, books: Books): readonly string[] {
  const ordersBefore = new Map(before?.orders?.map((order) => [order.id, order]));
  const membershipsBefore = new Map(before?.memberships?.map((membership) => [membership.id, membership]));
  const orders = (books.orders ?? []).flatMap(({ id, status, fulfilments }) => {
    const known = ordersBefore.get(id);
    if (known?.status === status && known.fulfilments === fulfilments) return [];
    const times = fulfilments === 1 ? "once" : `${fulfilments} times`;
    return [`books: ${id} is ${status}${fulfilments === 0 ? "" : `, fulfilled ${times}`}`];
  });
  const memberships = (books.memberships ?? []).flatMap(({ id, hasAccess }) => {
    const known = membershipsBefore.get(id);
    return known?.hasAccess === hasAccess ? [] : [`books: ${id} has ${hasAccess ? "" : "no "}access`];
  });
  return [...orders, ...memberships];
}
