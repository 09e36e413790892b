/** Hostile deliveries for a merchant's webhook handler. */
export { hostileDeliveries } from "./testing/hostile-deliveries.ts";
export type { HostileDeliveriesOptions } from "./testing/hostile-options.ts";
export type {
  HostileDelivery,
  HostileFault,
  HostileFaultKind,
  HostileReport,
  HostileResult,
} from "./testing/hostile-report.ts";
export type { PlacedOrder } from "./testing/order-payment.ts";
