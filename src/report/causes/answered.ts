import type { MissedDelivery } from "./clues.ts";

/** Returns the deliveries whose answer has a status that matches. */
export function answeredWith(
  missed: readonly MissedDelivery[],
  matches: (status: number) => boolean,
): MissedDelivery[] {
  return missed.filter(({ entry: { details } }) => details.status !== undefined && matches(details.status));
}

/** Lists the statuses of deliveries, each once. */
export function statusesOf(deliveries: readonly MissedDelivery[]): string {
  const statuses = new Set(deliveries.map(({ entry }) => entry.details.status));
  return [...statuses].slice(0, 3).join(", ");
}
