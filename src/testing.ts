/** Simulated tests in any runner, the causes of their failures, hostile deliveries for a merchant's webhook handler, and the end of its process. */
export { simulated } from "./testing/simulated.ts";
export type { SimulatedOptions } from "./testing/simulated.ts";
export type { ReportOption, TestOptions } from "./testing/test-options.ts";
export type { TestParts } from "./testing/test-session.ts";
export type { NetworkKind, NetworkOptions, TestNetwork } from "./testing/test-network.ts";
export { nextApp } from "./testing/next/next-app.ts";
export { nextPagesApi } from "./testing/next/pages-api.ts";
export type { NextAppOptions } from "./testing/next/next-app.ts";
export { explain } from "./testing/explain.ts";
export {
  assertBalance,
  assertDelivered,
  assertMoved,
  assertNoPendingWork,
  assertPaidOnce,
  assertPassed,
  assertStatus,
} from "./testing/matchers/assertions.ts";
export type { AnyStatus } from "./testing/matchers/matchers.ts";
export { timelineOf } from "./testing/matchers/timeline.ts";
export { hostileDeliveries } from "./testing/hostile/hostile-deliveries.ts";
export type { HostileDeliveriesOptions } from "./testing/hostile/hostile-options.ts";
export type {
  HostileDelivery,
  HostileFault,
  HostileFaultKind,
  HostileReport,
  HostileResult,
} from "./testing/hostile/hostile-report.ts";
export { forgeDelivery } from "./merchant/deliveries/forge-delivery.ts";
export type { ForgedEvent, Forgery } from "./merchant/deliveries/forge-delivery.ts";
export { deliverTwiceAtOnce } from "./merchant/deliveries/deliver-twice-at-once.ts";
export type { PlacedOrder } from "./merchant/deliveries/order-payment.ts";
export { startMerchant } from "./merchant/process/start-merchant.ts";
export type { MerchantOpening, MerchantOptions, StartedMerchant } from "./merchant/process/start-merchant.ts";
export type { StoreAdapter } from "./merchant/process/store.ts";
