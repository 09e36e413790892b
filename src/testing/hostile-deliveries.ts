/** What a merchant's webhook handler has to withstand. */
import { CentavoError } from "../errors.ts";
import type { Simulator } from "../simulator.ts";
import { honestCase, hostileCases } from "./hostile-cases.ts";
import type { HostileCase } from "./hostile-cases.ts";
import { HostileReport } from "./hostile-report.ts";
import type { HostileResult } from "./hostile-report.ts";
import { paymentOf, waitsForCustomer } from "./order-payment.ts";
import type { PlacedOrder } from "./order-payment.ts";
import { Stage } from "./stage.ts";
import type { OrderLook } from "./stage.ts";
import { verdictOn } from "./verdict.ts";

export type {
  HostileDelivery,
  HostileFault,
  HostileFaultKind,
  HostileReport,
  HostileResult,
} from "./hostile-report.ts";
export type { PlacedOrder } from "./order-payment.ts";

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
  /** How old, or how far in the future, a stamp may be that the merchant accepts, in seconds; 300 by default. */
  readonly tolerance?: number;
}

/**
 * Sends a merchant's handler every forged, stale, tampered, foreign and repeated delivery, each about a fresh order, and reports what the
 * merchant did wrong. It pays some of the orders as their customer and moves the clock for that, so give it a simulator of its own, with
 * the merchant's app connected. Where not even an honest delivery works, that is the only fault, and the other cases are skipped.
 *
 * Signatures are those of the assumptions `webhook.signature` and `webhook.stamp`; the cases are listed in docs/hostile-deliveries.md.
 *
 * @throws {CentavoError} `INVALID_OPTION` where an order has no payment, or one that cannot be paid, or that has no receiver
 *
 * @example
 * const report = await hostileDeliveries(sim, {
 *   order: () => shop.placeOrder(), // { id, sessionToken }
 *   fulfilments: ({ id }) => shop.parcels.filter((parcel) => parcel.order === id).length,
 *   status: ({ id }) => shop.orders.get(id).status,
 * });
 * expect(report.faults, String(report)).toEqual([]);
 */
export async function hostileDeliveries<Order extends PlacedOrder>(
  sim: Simulator,
  options: HostileDeliveriesOptions<Order>,
): Promise<HostileReport> {
  const honest = await run(sim, options, honestCase);
  const results = [honest];
  for (const hostileCase of hostileCases) {
    const result: HostileResult =
      honest.outcome === "passed"
        ? await run(sim, options, hostileCase)
        : { name: hostileCase.name, outcome: "skipped", reason: "not even an honest delivery works" };
    results.push(result);
  }
  return new HostileReport(results);
}

async function run<Order extends PlacedOrder>(
  sim: Simulator,
  options: HostileDeliveriesOptions<Order>,
  { name, effect, remedy, run: act }: HostileCase,
): Promise<HostileResult> {
  const { order: place, tolerance = 300 } = options;
  const order = await place();
  const payment = paymentOf(sim, order);
  // What was announced so far is no part of the case; a payment under way would come in.
  if (waitsForCustomer(payment)) await sim.clock.settle();
  const another = async () => paymentOf(sim, await place());
  const stage = new Stage({ sim, name, payment, tolerance, another, look: () => lookAt(order, options) });
  try {
    const reason = await act(stage);
    if (typeof reason === "string") return { name, outcome: "skipped", reason };
    const verdict = verdictOn(stage.deliveries, effect, await stage.before(), await stage.now());
    if (verdict === undefined) return { name, outcome: "passed" };
    const deliveries = stage.deliveries.map(({ delivery }) => delivery);
    return { name, outcome: "failed", fault: { name, ...verdict, remedy, deliveries } };
  } finally {
    await stage.end();
  }
}

async function lookAt<Order extends PlacedOrder>(
  order: Order,
  { fulfilments, status }: HostileDeliveriesOptions<Order>,
): Promise<OrderLook> {
  const count: unknown = await fulfilments(order);
  if (typeof count !== "number" || !(count >= 0)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `hostileDeliveries: the option fulfilments answered ${String(count)}. It answers how often this one order was fulfilled, as a number from 0 on.`,
    );
  }
  return { fulfilments: count, status: status === undefined ? undefined : JSON.stringify(await status(order)) };
}
