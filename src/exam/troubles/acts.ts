import type { Point } from "../story.ts";

/** Whether an act pays for an order: some of what can go wrong with it cannot with a membership. */
export function isOfOrders({ subject }: Point): boolean {
  return ["order", "payAgain", "checkout"].includes(subject);
}

export function isPaying(point: Point): boolean {
  return isOfOrders(point) || ["join", "changeCard"].includes(point.subject);
}
