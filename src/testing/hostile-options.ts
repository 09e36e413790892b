import { durationMilliseconds, inWords } from "../engine/duration.ts";
import type { DurationLike } from "../engine/duration.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { refuseUnknownOptions } from "../errors/unknown-options.ts";
import type { PlacedOrder } from "./order-payment.ts";

/** How the pack reaches the merchant's own code. */
export interface HostileDeliveriesOptions<Order extends PlacedOrder> {
  /**
   * Places a fresh order through the merchant's own code, and answers it with the `intentId` or `sessionToken` of its payment, which
   * still waits for its customer. Called once for each case.
   */
  readonly order: () => Order | Promise<Order>;
  /** How often the merchant has fulfilled this order. Where its handler answers first and works later, wait for that work here. */
  readonly fulfilments: (order: Order) => number | Promise<number>;
  /**
   * What else the merchant knows of the order, such as its status: any JSON. Nothing hostile may change it. Without it, a handler that lets
   * a late event take a payment back is not found out.
   */
  readonly status?: (order: Order) => unknown;
  /**
   * How old, or how far in the future, a stamp may be that the merchant accepts: a whole number of seconds, or a duration such as
   * `"5 minutes"`, which is the default.
   */
  readonly tolerance?: number | DurationLike;
}

const OPTION_NAMES = ["order", "fulfilments", "status", "tolerance"];
const CALLBACKS = {
  order: "a function that places a fresh order and answers it with its { intentId } or { sessionToken }",
  fulfilments: "a function of an order that answers how often it was fulfilled",
  status: "a function of an order that answers what else the merchant knows of it",
} as const;
const TOLERANCES = 'a whole number of seconds from 0 on, or a duration of whole seconds such as "5 minutes"';
const DEFAULT_TOLERANCE = 300;

/**
 * Refuses options that the pack could only misunderstand.
 * @returns the tolerance in seconds
 * @throws {CentavoError} `INVALID_OPTION` naming the option, its value and what it takes
 */
export function readTolerance<Order extends PlacedOrder>(options: HostileDeliveriesOptions<Order>): number {
  if (typeof options !== "object" || options === null)
    throw new CentavoError(
      "INVALID_OPTION",
      `hostileDeliveries takes options such as { order, fulfilments }, not ${inWords(options)}.`,
    );
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
  const because = why === undefined ? "" : `: ${why.replace(/\.$/, "")}`;
  return new CentavoError(
    "INVALID_OPTION",
    `hostileDeliveries: the option ${name} is ${inWords(value)}${because}. It takes ${takes}.`,
  );
}
