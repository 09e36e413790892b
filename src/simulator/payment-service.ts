import type { Connections } from "../receivers/connections.ts";
import { auth } from "../service/auth/resource.ts";
import { checkout } from "../service/checkout/resource.ts";
import { paymentIntents } from "../service/payment-intents/resource.ts";
import { paymentMethods } from "../service/payment-methods/resource.ts";
import { paymentService as declaration } from "../service/service.ts";
import { subscriptions } from "../service/subscriptions/resource.ts";
import { transactions } from "../service/transactions/resource.ts";
import type { Settings } from "./options.ts";
import { acts } from "./payment-acts.ts";
import { openWorld } from "./world.ts";

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
export const paymentService = { acts, open: openPaymentWorld, begin: beginWorld };
