export { assumptionTable } from "./service/assumption-table.ts";
export type {
  AssumptionId,
  AssumptionOverrides,
  AssumptionValue,
  ChangeableAssumptionId,
  UsedAssumption,
} from "./service/assumption-table.ts";
export type { Customer, CustomerMethod, CustomerVisit } from "./simulator/customer.ts";
export type { Clock } from "./kit/engine/clock.ts";
export type { AdvanceOptions, SettleOptions } from "./kit/engine/clock-options.ts";
export type { PendingTimer } from "./kit/engine/pending.ts";
export type { SleepOptions } from "./kit/engine/waits.ts";
export type { Progress } from "./kit/engine/timer-runner.ts";
export type { DurationFields, DurationLike, InstantLike } from "./kit/engine/duration.ts";
export type { JournalEntry } from "./kit/engine/journal-entries.ts";
export { CentavoError } from "./kit/base/errors/centavo-error.ts";
export type { CentavoErrorCode } from "./kit/base/errors/centavo-error.ts";
export type { AddedFault } from "./kit/faults/handles.ts";
export type { Service } from "./kit/http/callable-service.ts";
export type { ClockOption } from "./simulator/simulator-options.ts";
export type {
  EventType,
  EventView,
  FailedDelivery,
  Fault,
  FaultsControl,
  FaultState,
  RouteName,
  SimulatorOptions,
} from "./simulator/payment-service.ts";
export { testMethods } from "./service/test-methods.ts";
export type { DeclineCode } from "./service/decline-codes.ts";
export type { PaymentMethodKind, PaymentMethodName, TestMethod, TestMethodId } from "./service/test-methods.ts";
export type { Reader } from "./kit/declaration/reader.ts";
export type { CheckoutView } from "./service/checkout/views.ts";
export type { IntentView } from "./service/payment-intents/views.ts";
export type { AttemptView } from "./simulator/webhooks-reader.ts";
export type { RecordedInput, Recording } from "./simulator/payment-recording.ts";
export { replay } from "./report/create-simulator.ts";
export { createSimulator } from "./report/watched-simulator.ts";
export type { Credentials, Simulator, Snapshot } from "./simulator/simulator.ts";
export type { FetchApp, FetchHandler, ListenerApp, MerchantApp } from "./kit/receivers/merchant-app.ts";
