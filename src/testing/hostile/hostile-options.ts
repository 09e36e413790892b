import { durationMilliseconds } from "../../kit/engine/duration.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import type { DurationLike } from "../../kit/engine/duration.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import type { PlacedOrder } from "../../merchant/deliveries/order-payment.ts";

/** The options of `hostileDeliveries`, which connect it with the merchant's own code. */
export interface HostileDeliveriesOptions<Order extends PlacedOrder> {
  /**
   * Places a fresh order through the merchant's own code, and returns it with the `intentId` or `sessionToken` of its payment. The payment
   * must still wait for its customer. Called once for each case, and once more where a case needs a second order.
   */
  readonly order: () => Order | Promise<Order>;
  /** Returns how often the merchant has fulfilled this order. If its handler answers first and works later, wait here for that work. */
  readonly fulfilments: (order: Order) => number | Promise<number>;
  /**
   * Returns what else the merchant knows about the order, such as its status, as any JSON. No hostile delivery may change it. Without this
   * option, a handler passes even if a late event can undo a payment.
   */
  readonly status?: (order: Order) => unknown;
  /**
   * How far in the past or future an acceptable stamp may be: a whole number of seconds, or a duration such as `"5 minutes"`, the default.
   */
  readonly tolerance?: number | DurationLike;
}

const OPTION_NAMES = ["order", "fulfilments", "status", "tolerance"];
const CALLBACKS = {
  order: "a function that places a fresh order and returns it with its { intentId } or { sessionToken }",
  fulfilments: "a function that takes an order and returns how often it was fulfilled",
  status: "a function that takes an order and returns what else the merchant knows about it",
} as const;
const TOLERANCES = 'a whole number of seconds of at least 0, or a duration of whole seconds such as "5 minutes"';
const DEFAULT_TOLERANCE = 300;

/**
 * Checks the options.
 * @returns the tolerance in seconds
 * @throws {CentavoError} `INVALID_OPTION` naming an invalid option, its value and what it takes
 */
export function readTolerance<Order extends PlacedOrder>(options: HostileDeliveriesOptions<Order>): number {
  refuseUnknownOptions("hostileDeliveries", options, OPTION_NAMES);
  for (const name of ["order", "fulfilments", "status"] as const) {
    const value: unknown = options[name];
    const isLeftOut = name === "status" && value === undefined;
    if (typeof value !== "function" && !isLeftOut) throw refused(name, value, CALLBACKS[name]);
  }
  const { tolerance = DEFAULT_TOLERANCE } = options;
  const seconds = typeof tolerance === "number" ? tolerance : secondsOf(tolerance);
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw refused("tolerance", tolerance, TOLERANCES);
  return seconds;
}

function secondsOf(tolerance: DurationLike): number {
  try {
    return durationMilliseconds(tolerance) / 1000;
  } catch (error) {
    throw refused("tolerance", tolerance, TOLERANCES, error instanceof Error ? error.message : undefined);
  }
}

function refused(name: string, value: unknown, takes: string, why?: string): CentavoError {
  const because = why === undefined ? "" : `: ${why.replace(/^The /, "the ").replace(/\.$/, "")}`;
  return new CentavoError(
    "INVALID_OPTION",
    `hostileDeliveries: the option ${name} is ${inWords(value)}${because}. It takes ${takes}.`,
  );
}
