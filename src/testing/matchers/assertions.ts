import { checks } from "./matchers.ts";
import type { Given, MatcherName } from "./matchers.ts";
import { messageOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

/** The error of an assertion. node:test and Mocha show `actual` and `expected`. */
class AssertionError extends Error {
  override readonly name = "AssertionError";
  readonly code = "ERR_ASSERTION";
  readonly generatedMessage = false;
  readonly operator: string;
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(operator: string, outcome: Outcome) {
    super(messageOf(outcome, false));
    this.operator = operator;
    this.actual = outcome.actual;
    this.expected = outcome.expected;
  }
}

/** Makes an assertion from a matcher: a function that takes the argument of `expect`, and then the arguments of the matcher. */
function assertionOf<Name extends MatcherName>(operator: string, name: Name) {
  const check: (received: unknown, ...given: Given<Name>) => Outcome = checks[name];
  return (received: unknown, ...given: Given<Name>): void => {
    const outcome = check(received, ...given);
    if (!outcome.pass) throw new AssertionError(operator, outcome);
  };
}

/**
 * `toHaveStatus` as a plain function.
 * @throws an `AssertionError` when the status is another, and what the matcher throws
 *
 * @example
 * assertStatus(sim.intents.get(id), "succeeded");
 */
export const assertStatus = assertionOf("assertStatus", "toHaveStatus");

/**
 * `toHaveBeenPaidOnce` as a plain function.
 * @throws an `AssertionError` when there is not exactly one succeeded payment of the full amount, and what the matcher throws
 *
 * @example
 * assertPaidOnce("order-1", { sim });
 */
export const assertPaidOnce = assertionOf("assertPaidOnce", "toHaveBeenPaidOnce");

/**
 * `toHaveMoved` as a plain function.
 * @throws an `AssertionError` when it had other statuses, and what the matcher throws
 *
 * @example
 * assertMoved(sim.checkouts.last(), ["pending", "processing", "completed"]);
 */
export const assertMoved = assertionOf("assertMoved", "toHaveMoved");

/**
 * `toHaveDelivered` as a plain function.
 * @throws an `AssertionError` when there were no such deliveries, or another number of them, and what the matcher throws
 *
 * @example
 * assertDelivered(sim, "payment_intent.succeeded", { data: { id } }, { times: 1 });
 */
export const assertDelivered = assertionOf("assertDelivered", "toHaveDelivered");

/**
 * `toHaveNoPendingWork` as a plain function.
 * @throws an `AssertionError` that lists what is still to come, and what the matcher throws
 *
 * @example
 * assertNoPendingWork(sim);
 */
export const assertNoPendingWork = assertionOf("assertNoPendingWork", "toHaveNoPendingWork");

/**
 * `toBalance` as a plain function.
 * @throws an `AssertionError` that says what is left over, and what the matcher throws
 *
 * @example
 * assertBalance(sim.ledger());
 */
export const assertBalance = assertionOf("assertBalance", "toBalance");

/**
 * `toPass` as a plain function.
 * @throws an `AssertionError` that tells the story of each law that was broken, and what the matcher throws
 *
 * @example
 * assertPassed(await exam(shopExam));
 */
export const assertPassed = assertionOf("assertPassed", "toPass");
