import { readersIn } from "../kit/declaration/views.ts";
import type { FaultOf } from "../kit/faults/declaration.ts";
import type { FaultsControl as ControlOf } from "../kit/faults/faults.ts";
import type { Pattern } from "../kit/faults/patterns.ts";
import type { FaultState as StateOf } from "../kit/faults/plan.ts";
import type { Pace } from "../kit/http/pace.ts";
import type { Connections } from "../kit/receivers/connections.ts";
import type { AssumptionId, AssumptionOverrides } from "../service/assumption-table.ts";
import type { GivenCredentials } from "../service/auth/credentials.ts";
import type { IssuedToken } from "../service/auth/commands.ts";
import { auth } from "../service/auth/resource.ts";
import { checkout } from "../service/checkout/resource.ts";
import { paymentIntents } from "../service/payment-intents/resource.ts";
import type { DeclineCode } from "../service/decline-codes.ts";
import type { PaymentMethodName } from "../service/test-methods.ts";
import type { EventType, resourceFaults, RouteName, WebhookEvent } from "../service/names.ts";
import { currencies } from "../service/currencies.ts";
import type { ErrorCode } from "../service/error-table.ts";
import type { faultFamilies } from "../service/faults.ts";
import { unknownMethod } from "../service/payment-methods/known-methods.ts";
import { paymentMethods } from "../service/payment-methods/resource.ts";
import { paymentService as declaration } from "../service/service.ts";
import { subscriptions } from "../service/subscriptions/resource.ts";
import { transactions } from "../service/transactions/resource.ts";
import type { OptionsOf, Settings } from "./simulator-options.ts";
import type { EventViewOf, FailedDelivery as FailedDeliveryOf } from "./webhooks-reader.ts";
import { simulatedServiceOf } from "./simulated-service.ts";

export type { InvoiceView, PlanView, SubscriptionView } from "../service/schemas/subscriptions.ts";
export type { Transaction } from "../service/schemas/transactions.ts";
export { customerPages } from "../service/checkout/customer-pages.ts";
export { intentView } from "../service/payment-intents/views.ts";
export type { IntentView } from "../service/payment-intents/views.ts";
export type { CardDetails } from "../service/schemas/payment-methods.ts";
export { ledgerOf } from "../service/transactions/ledger.ts";
export type { Ledger } from "../service/transactions/ledger.ts";
export type { AssumptionId, IssuedToken };
export { currencies, unknownMethod };
export type { EventType, PaymentMethodName, RouteName, WebhookEvent };

/** The options of a simulator. Every option has a fixed default, so that the same code gives the same run. */
export type SimulatorOptions = OptionsOf<AssumptionOverrides, GivenCredentials>;

/** The names that fields of a fault take. */
interface FaultNames {
  readonly route: Pattern<RouteName>;
  readonly event: Pattern<EventType>;
  readonly paymentMethod: PaymentMethodName;
}

/** What `code` of a fault takes: the code of a decline, or of an error that is answered in place of the service. */
type CodeOf<AnyFault> = AnyFault extends { readonly kind: "processor.decline" } ? DeclineCode : ErrorCode;

/** A fault whose fields take these names instead of any text. */
type Named<AnyFault> = AnyFault extends unknown
  ? {
      [Field in keyof AnyFault]: Field extends keyof FaultNames
        ? FaultNames[Field] | Extract<AnyFault[Field], undefined>
        : Field extends "code"
          ? CodeOf<AnyFault> | Extract<AnyFault[Field], undefined>
          : AnyFault[Field];
    }
  : never;

/** A fault to inject, and when it fires: plain JSON, which a file can hold. */
export type Fault = Named<FaultOf<ReturnType<typeof faultFamilies>[number] | (typeof resourceFaults)[number]>>;

/** A planned fault and how often it has fired. */
export type FaultState = StateOf<Fault>;

/** How a test plans faults: `sim.faults`. */
export type FaultsControl = ControlOf<Fault>;

/** A webhook event as a test sees it. The type tells its body. */
export type EventView = EventViewOf<WebhookEvent>;

/** An event whose latest delivery attempt failed. */
export type FailedDelivery = FailedDeliveryOf<EventType>;

const simulated = simulatedServiceOf(declaration);

/** A world of the payment service, with the commands of its resources by name. */
export type PaymentWorld = ReturnType<typeof openPaymentWorld>;

/** Opens a world of the payment service, without beginning it. */
function openPaymentWorld(settings: Settings, connections: Connections, pace: Pace) {
  const world = simulated.open(settings, connections, pace);
  const { of } = world;
  return {
    ...world,
    paymentMethods: of(paymentMethods),
    intents: of(paymentIntents),
    checkout: of(checkout),
    subscriptions: of(subscriptions),
    transactions: of(transactions),
    auth: of(auth),
    merchants: of(auth).merchants,
  };
}

/** The first merchant's id and secrets, and the administrator's key. All are fake and work only with this simulator. */
export interface Credentials {
  /** The id of the merchant, for the field `merchant` of faults. It is not a secret. */
  readonly merchantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly adminKey: string;
  readonly webhookSecret: string;
}

export function credentialsOf({ merchants, auth: { adminKey } }: PaymentWorld): Credentials {
  const { id, clientId, clientSecret, webhookSecret } = merchants.first();
  return { merchantId: id, clientId, clientSecret, adminKey, webhookSecret };
}

/** The payment service, for a simulator to run. */
export const paymentService = { ...simulated, open: openPaymentWorld };

/** Opens the readers of a simulator. Its type is written out in the declarations of the package, where it names no part of the service. */
export const readersOf = readersIn(declaration.resources);
export type Readers = typeof readersOf extends (world: never) => infer Opened ? Opened : never;
