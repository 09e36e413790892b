import type { PlacedOrder } from "../../merchant/deliveries/order-payment.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { readTolerance } from "./hostile-options.ts";
import type { HostileDeliveriesOptions } from "./hostile-options.ts";
import type { HostileReport } from "./hostile-report.ts";

/**
 * Sends a merchant's handler forged, stale, tampered, foreign and repeated deliveries, each case with a fresh order, and reports what the
 * merchant did wrong. It pays some of the orders as their customer and moves the clock, so give it its own simulator, with the merchant's
 * app connected. If even an honest delivery fails, that is the only fault, and the other cases are skipped.
 *
 * Signatures follow the assumptions `webhook.signature` and `webhook.stamp`. docs/guide/hostile-deliveries.md lists the cases.
 *
 * @throws {CentavoError} `INVALID_OPTION` for an unknown or invalid option, and for an order whose payment is missing, cannot be paid, or
 *   has no receiver
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
  // Loaded on demand, because few tests attack a merchant.
  const { attack } = await import("./attack.ts");
  return attack(sim, options, tolerance);
}
