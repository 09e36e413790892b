import type { Pace } from "../http/pace.ts";
import type { Connections } from "../receivers/connections.ts";
import type { AssumptionId, AssumptionOverrides } from "../service/assumption-table.ts";
import type { GivenCredentials } from "../service/auth/credentials.ts";
import type { IssuedToken } from "../service/auth/commands.ts";
import { auth } from "../service/auth/resource.ts";
import { checkout } from "../service/checkout/resource.ts";
import { paymentIntents } from "../service/payment-intents/resource.ts";
import { paymentMethods } from "../service/payment-methods/resource.ts";
import { paymentService as declaration } from "../service/service.ts";
import { subscriptions } from "../service/subscriptions/resource.ts";
import { transactions } from "../service/transactions/resource.ts";
import type { OptionsOf, Settings } from "./options.ts";
import { simulatedServiceOf } from "./simulated-service.ts";

export { customerPages } from "../service/checkout/customer-pages.ts";
export type { CheckoutView } from "../service/checkout/views.ts";
export type { Fault } from "../service/faults.ts";
export { intentView } from "../service/payment-intents/views.ts";
export type { IntentView } from "../service/payment-intents/views.ts";
export type { CardDetails } from "../service/payment-methods/schema.ts";
export type { InvoiceView, PlanView, SubscriptionView } from "../service/subscriptions/schema.ts";
export { ledgerOf } from "../service/transactions/ledger.ts";
export type { Ledger } from "../service/transactions/ledger.ts";
export type { Transaction } from "../service/transactions/schema.ts";
export type { AssumptionId, IssuedToken };
export { checkout, paymentIntents, subscriptions, transactions };

/** The options of a simulator. Every option has a fixed default, so that the same code gives the same run. */
export type SimulatorOptions = OptionsOf<AssumptionOverrides, GivenCredentials>;

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
