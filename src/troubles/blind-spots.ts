import { RENEWAL } from "./acts.ts";
import type { Point } from "./point.ts";

/** What no test notices if none fails under a trouble. */
export interface BlindSpot {
  /** Completes the sentence "No test would notice that …". */
  readonly that: string;
  /** The lower, the more it costs when it happens in production. */
  readonly rank: number;
  /**
   * Returns the assertions that close it, besides the fault of the trouble. What only the user's shop knows is left open.
   * @param order names the order, such as `order-1`
   */
  readonly asserts: (order: string) => readonly string[];
}

/** The events that end something. A merchant may ignore the others. */
const ENDINGS = /\.(?:succeeded|completed|activated|paid|failed|declined|expired|cancelled|past_due|unpaid)$/;

export function declineAtOnce(): BlindSpot {
  return {
    that: "a decline in the answer is taken for a payment",
    rank: 0,
    asserts: (order) => [says(order, "not paid")],
  };
}

export function declineLater({ subject }: Point): BlindSpot {
  if (subject === RENEWAL)
    return {
      that: "a renewal is declined, and the subscription is past due",
      rank: 4,
      asserts: (order) => [`expect(sim.subscriptions.last()?.status).toBe("past_due");`, says(order, "past due")],
    };
  return {
    that: "a decline that comes after the answer is taken for a payment",
    rank: 1,
    asserts: (order) => [`expect(sim.intents.last()?.status).toBe("failed");`, says(order, "not paid")],
  };
}

export function eventOfAnother({ subject }: Point): BlindSpot {
  return {
    that: `the event ${subject} of another order is taken for that of the order that waits`,
    rank: 2,
    asserts: (order) => [says(order, "still waiting")],
  };
}

export function eventLost({ subject }: Point): BlindSpot | undefined {
  if (!ENDINGS.test(subject)) return undefined;
  return {
    that: `the event ${subject} never comes, or is never handled`,
    rank: 3,
    asserts: (order) => [says(order, "still waiting", "before your shop asks the service")],
  };
}

export function eventSaysMore({ subject }: Point): BlindSpot {
  return {
    that: `the event ${subject} says one centavo more than the order costs`,
    rank: 5,
    asserts: (order) => [says(order, "held back")],
  };
}

export function answerSaysMore({ subject }: Point): BlindSpot {
  return {
    that: `the answer of ${subject} says one centavo more than was asked for`,
    rank: 6,
    asserts: (order) => [says(order, "held back")],
  };
}

/** Writes the assertion that only the user can finish; without that, it fails. */
function says(order: string, what: string, when?: string): string {
  return `expect(/* what your shop says of ${order}${when === undefined ? "" : ` ${when}`} */).toBe(${JSON.stringify(what)});`;
}
