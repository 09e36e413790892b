import type { CheckoutStatus } from "../../service/schemas/checkout.ts";
import type { IntentStatus } from "../../service/schemas/payment-intents.ts";
import type { InvoiceStatus, SubscriptionStatus } from "../../service/schemas/subscriptions.ts";
import type { TransactionStatus } from "../../service/schemas/transactions.ts";
import { checkBalance } from "./balance.ts";
import { checkDelivered } from "./delivered.ts";
import type { DeliveredOptions } from "./delivered.ts";
import { checkMoves } from "./moved.ts";
import type { Outcome } from "./outcome.ts";
import { checkPaidOnce } from "./paid-once.ts";
import { checkNoPendingWork } from "./pending-work.ts";
import { checkStatus } from "./status.ts";
import type { WorldOption } from "./subject.ts";
import { checkVerdict } from "./check-verdict.ts";
import type { PassOptions } from "./check-verdict.ts";

/** A status of an intent, session, subscription, invoice or transaction. */
export type AnyStatus = IntentStatus | CheckoutStatus | SubscriptionStatus | InvoiceStatus | TransactionStatus;

/** The matchers, which return `R`: nothing, or a promise after `resolves`. */
export interface CentavoMatchers<R> {
  /**
   * Compares a status: of a view, as it was read, or of an id, as it is now.
   * @param status as merchants read it
   * @param options.sim where to look up an id; by default in the running tests
   * @throws {CentavoError} `INVALID_OPTION` for a status that the resource never has, `NOT_FOUND` for an unknown id, `INVALID_STATE` for an
   * ambiguous one
   * @example
   * expect(sim.intents.get(id)).toHaveStatus("succeeded");
   */
  toHaveStatus(status: AnyStatus, options?: WorldOption): R;
  /**
   * Holds an intent, session, invoice or external id to exactly one succeeded payment, of its full amount. All payments with the same
   * external id count, so that an order that was charged twice fails; its full amount is the largest that was asked for.
   * @param options.sim where an id is looked up; by default in the tests that are running
   * @throws {CentavoError} `INVALID_OPTION` for a subscription, `NOT_FOUND` for an unknown id, `INVALID_STATE` for an ambiguous one
   *
   * @example
   * expect("order-1").toHaveBeenPaidOnce();
   */
  toHaveBeenPaidOnce(options?: WorldOption): R;
  /**
   * Compares every status that an intent, session, subscription or invoice has had, in order, from its creation to now.
   * @param options.sim where an id is looked up; by default in the tests that are running
   * @throws {CentavoError} as `toHaveStatus`, and `INVALID_STATE` when a bounded journal has forgotten the creation
   *
   * @example
   * expect(session).toHaveMoved(["pending", "processing", "completed"]);
   */
  toHaveMoved(statuses: readonly AnyStatus[], options?: WorldOption): R;
  /**
   * Counts the deliveries of an event that the merchant's app answered with 2xx.
   * @param type of the event
   * @param partial the part of the body that matters, in which asymmetric matchers such as `expect.any(String)` may stand
   * @param options.times the exact number of deliveries; at least one by default
   * @throws {CentavoError} `INVALID_OPTION` for a type that no event has
   *
   * @example
   * expect(sim).toHaveDelivered("payment_intent.succeeded", { data: { id } }, { times: 1 });
   */
  toHaveDelivered(type: string, partial?: object, options?: DeliveredOptions): R;
  /**
   * Holds a simulator to have nothing to do: no timer on the clock, no call that hangs, no delivery in flight, and no event that waits.
   *
   * @example
   * await sim.clock.advance("30 days");
   * expect(sim).toHaveNoPendingWork();
   */
  toHaveNoPendingWork(): R;
  /**
   * Holds a ledger to balance: the lines of each transaction, the lines of each account, and all accounts together. Of a simulator it
   * examines `sim.ledger()`.
   * @throws {CentavoError} `INVALID_OPTION` for anything else
   *
   * @example
   * expect(sim.ledger()).toBalance();
   */
  toBalance(): R;
  /**
   * Holds the verdict of an exam to be passed. The message tells the story of each law that was broken, and what was left to play.
   * @param options.unfinished whether an unfinished exam passes, too; false by default
   * @throws {CentavoError} `INVALID_OPTION` for anything but a verdict
   *
   * @example
   * expect(await exam(shopExam)).toPass();
   */
  toPass(options?: PassOptions): R;
}

export type MatcherName = keyof CentavoMatchers<unknown>;

export type Given<Name extends MatcherName> = Parameters<CentavoMatchers<unknown>[Name]>;

/** The single table from which the matchers of every runner and the plain assertions are made. */
export const checks: {
  readonly [Name in MatcherName]: (received: unknown, ...given: Given<Name>) => Outcome;
} = {
  toHaveStatus: checkStatus,
  toHaveBeenPaidOnce: checkPaidOnce,
  toHaveMoved: checkMoves,
  toHaveDelivered: checkDelivered,
  toHaveNoPendingWork: checkNoPendingWork,
  toBalance: checkBalance,
  toPass: checkVerdict,
};
