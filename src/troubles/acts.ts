import type { Point } from "./point.ts";

/** Whether an act pays for an order. Some troubles of orders cannot strike memberships. */
export function isOfOrders({ subject }: Point): boolean {
  return ["order", "payAgain", "checkout"].includes(subject);
}

export function isPaying(point: Point): boolean {
  return isOfOrders(point) || ["join", "changeCard"].includes(point.subject);
}
