import type { Connections } from "../receivers/connections.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { auth } from "../service/auth/resource.ts";
import { checkout } from "../service/checkout/resource.ts";
import { paymentIntents } from "../service/payment-intents/resource.ts";
import { paymentMethods } from "../service/payment-methods/resource.ts";
import { paymentService as declaration } from "../service/service.ts";
import { subscriptions } from "../service/subscriptions/resource.ts";
import { transactions } from "../service/transactions/resource.ts";
import { everyActOn } from "./acts.ts";
import type { OptionsOf, Settings } from "./options.ts";
import { openWorld } from "./world.ts";

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
export { checkout, paymentIntents, subscriptions, transactions };

/** How a simulator is made. Every field has a fixed default, so that the same code gives the same run. */
export type SimulatorOptions = OptionsOf<AssumptionOverrides>;

/** A world of the payment service, with the commands that a simulator and its acts use by name. */
export type PaymentWorld = ReturnType<typeof openPaymentWorld>;

/**
 * Opens a world of the payment service that has not begun.
 * @param onHeld told the moment for which a held answer waits, in milliseconds since 1970
 */
function openPaymentWorld(settings: Settings, connections: Connections, onHeld: (until: number) => void) {
  const world = openWorld(declaration, { ...settings, connections, onHeld });
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

/** Begins a world: the service's keys, and one merchant. */
function beginWorld({ engine, of }: PaymentWorld, { webhookUrl }: Settings): void {
  engine.unit(() => declaration.begin(of, { webhookUrl }));
}

/** The first merchant's id and secrets, and the administrator's key. All are fakes that open nothing but this simulator. */
export interface Credentials {
  /** What a fault's `merchant` takes. It is not a secret. */
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

/** The payment service, as a simulator runs it. */
export const paymentService = { acts: everyActOn(declaration), open: openPaymentWorld, begin: beginWorld };
