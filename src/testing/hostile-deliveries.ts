import { CentavoError } from "../errors/centavo-error.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { honestCase, hostileCases } from "./hostile-cases.ts";
import type { HostileCase } from "./hostile-cases.ts";
import { HostileReport } from "./hostile-report.ts";
import { readTolerance } from "./hostile-options.ts";
import type { HostileDeliveriesOptions } from "./hostile-options.ts";
import type { HostileResult } from "./hostile-report.ts";
import { paymentOf, plannedFaults, waitsForCustomer } from "./order-payment.ts";
import type { PlacedOrder } from "./order-payment.ts";
import { Trial } from "./trial.ts";
import type { OrderLook } from "./trial.ts";
import { verdictOn } from "./verdict.ts";

/**
 * Sends a merchant's handler every forged, stale, tampered, foreign and repeated delivery, each about a fresh order, and reports what the
 * merchant did wrong. It pays some of the orders as their customer and moves the clock for that, so give it a simulator of its own, with
 * the merchant's app connected. Where not even an honest delivery works, that is the only fault, and the other cases are skipped.
 *
 * Signatures are those of the assumptions `webhook.signature` and `webhook.stamp`; the cases are listed in docs/guide/hostile-deliveries.md.
 *
 * @throws {CentavoError} `INVALID_OPTION` for options that it does not know or take, and where an order has no payment, or one that cannot
 *   be paid, or that has no receiver
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
  const tolerance = readTolerance(options);
  const honest = await run(sim, options, tolerance, honestCase);
  const results = [honest];
  for (const hostileCase of hostileCases) {
    const result: HostileResult =
      honest.outcome === "passed"
        ? await run(sim, options, tolerance, hostileCase)
        : { name: hostileCase.name, outcome: "skipped", reason: "not even an honest delivery works" };
    results.push(result);
  }
  return new HostileReport(results);
}

async function run<Order extends PlacedOrder>(
  sim: Simulator,
  options: HostileDeliveriesOptions<Order>,
  tolerance: number,
  { name, effect, remedy, run: act }: HostileCase,
): Promise<HostileResult> {
  const { order: place } = options;
  const order = await place();
  const payment = paymentOf(sim, order);
  // What was announced so far is no part of the case; a payment under way would come in.
  if (waitsForCustomer(payment)) await sim.clock.settle();
  const another = async () => paymentOf(sim, await place());
  const trial = new Trial({ sim, name, payment, tolerance, another, look: () => lookAt(order, options) });
  try {
    const reason = await act(trial);
    if (typeof reason === "string") return { name, outcome: "skipped", reason };
    const verdict = verdictOn(trial.deliveries, effect, await trial.before(), await trial.now());
    if (verdict === undefined) return { name, outcome: "passed" };
    const deliveries = trial.deliveries.map(({ delivery }) => delivery);
    // Only what the merchant did not get can be the doing of a planned fault.
    const cause = verdict.kind === "refused" ? plannedFaults(sim) : "";
    return { name, outcome: "failed", fault: { name, ...verdict, remedy: cause + remedy, deliveries } };
  } finally {
    await trial.end();
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
