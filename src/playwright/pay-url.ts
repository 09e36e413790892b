import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { RemoteSimulator } from "../remote/remote-simulator.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { shown } from "../simulator/shown.ts";
import { challengeUrlOf } from "./customer-page.ts";
import { lookUntil } from "./patience.ts";
import { localSimulator } from "./world.ts";

/** How long to wait for a payment. */
export interface PayUrlOptions {
  /** The longest wait for a payment that the customer can make, in milliseconds of real time; 5000 by default. */
  readonly timeout?: number;
}

/**
 * Returns the address at which the customer pays: the hosted page of an open session, or the page of an open challenge, also of one whose
 * next action is `display_details`. It waits for a moment until there is one, because the shop may be about to open it.
 * @param of the external id, the id or the session token of what is to be paid, or the id of its subscription or invoice; without it, the
 *   only payment that waits for the customer
 * @returns a promise that rejects with {CentavoError} `NOT_FOUND` when none waits, and `INVALID_STATE` when several do
 *
 * @example
 * await page.goto(await payUrl("order-1"));
 */
export type PayUrl = (of?: string, options?: PayUrlOptions) => Promise<string>;

const PATIENCE = 5000;

/** Returns the function `payUrl` of a test. */
export function payUrlOf(sim: RemoteSimulator): PayUrl {
  return async (of, options = {}) => {
    refuseUnknownOptions("payUrl", options, ["timeout"]);
    if (of !== undefined && (typeof of !== "string" || of === ""))
      throw new CentavoError(
        "INVALID_OPTION",
        `payUrl takes an external id, an id or a session token, as in payUrl("order-1"), and got ${shown(of)}.`,
      );
    const local = localSimulator("payUrl", sim);
    const found = await lookUntil(() => {
      const result = openPayments(local).filter(({ names }) => of === undefined || names.includes(of));
      return { result, isEnough: result.length > 0 };
    }, options.timeout ?? PATIENCE);
    const [payment, ...others] = found;
    if (payment === undefined) throw nothingToPay(local, of);
    if (others.length === 0) return payment.url;
    const ids = found.map(({ id }) => id).join(", ");
    throw new CentavoError(
      "INVALID_STATE",
      `payUrl found ${found.length} payments that wait for the customer: ${ids}. Name the one that you mean: payUrl(${inWords(payment.id)}).`,
    );
  };
}

/** A payment that waits for the customer. */
interface OpenPayment {
  readonly id: string;
  readonly url: string;
  readonly names: readonly (string | undefined)[];
}

function openPayments(sim: Simulator): readonly OpenPayment[] {
  const sessions = sim.checkouts.list({ status: "pending" }).map(({ id, checkoutUrl, sessionToken, ...session }) => ({
    id,
    url: checkoutUrl,
    names: [id, sessionToken, session.externalId],
  }));
  const challenges = sim.intents.list({ status: "requires_action" }).flatMap((intent) => {
    const { id, sessionToken, externalId, subscriptionId, invoiceId } = intent;
    const url = challengeUrlOf(sim, id);
    return url === undefined
      ? []
      : [{ id, url, names: [id, sessionToken, externalId, subscriptionId, invoiceId, sessionOf(sim, id)] }];
  });
  return [...sessions, ...challenges];
}

/** Returns the id of the session that an intent pays. */
function sessionOf(sim: Simulator, intentId: string): string | undefined {
  return sim.checkouts.list().find((session) => session.intentId === intentId)?.id;
}

function nothingToPay(sim: Simulator, of: string | undefined): CentavoError {
  const what =
    of === undefined ? "No payment waits for the customer" : `No payment of ${inWords(of)} waits for the customer`;
  const waiting = openPayments(sim).map(({ id }) => id);
  const known = [...sim.checkouts.list(), ...sim.intents.list().filter(({ purpose }) => purpose !== "checkout")]
    .slice(-5)
    .map(({ id, status }) => `${id} is ${status}`);
  const there =
    waiting.length > 0
      ? `These do: ${waiting.join(", ")}.`
      : known.length > 0
        ? `There ${known.length === 1 ? "is one payment" : "are these payments"}: ${known.join(", ")}.`
        : "The shop has opened no session and no intent in this world yet: does it call the baseUrl of the fixture paymentService?";
  return new CentavoError("NOT_FOUND", `payUrl: ${what}. ${there}`);
}
