import type { Point } from "./point.ts";

/** Whether an act pays for an order. Some troubles of orders cannot strike memberships. */
export function isOfOrders({ subject }: Point): boolean {
  return ["order", "payAgain", "checkout"].includes(subject);
}

/** The subject of a charge for which the customer is absent, as the points of a test name it. */
export const RENEWAL = "renewal";

/** Whether a point is an act that pays, or a charge, which a test names by the route of its call. */
export function isPaying(point: Point): boolean {
  return isOfOrders(point) || ["join", "changeCard"].includes(point.subject) || isCharge(point);
}

function isCharge({ subject }: Point): boolean {
  return subject === RENEWAL || subject.includes(".");
}
