import { Assumptions } from "../assumptions/assumptions.ts";
import { Auth } from "../service/auth/commands.ts";
import { Merchants } from "../service/auth/merchants.ts";
import { authRoutes } from "../service/auth/routes.ts";
import { Checkout } from "../service/checkout/commands.ts";
import { checkoutEventContent } from "../service/checkout/events.ts";
import { checkoutReactions } from "../service/checkout/reactions.ts";
import { checkoutRoutes } from "../service/checkout/routes.ts";
import { checkoutEventTypes } from "../service/checkout/schema.ts";
import type { Connections } from "../receivers/connections.ts";
import { Engine } from "../engine/engine.ts";
import type { Fact } from "../engine/facts.ts";
import { Faults } from "../faults/faults.ts";
import { KnownFaults } from "../faults/reading.ts";
import { nextMacrotask } from "../runtime/real-time.ts";
import { Dispatcher } from "../http/dispatcher.ts";
import { redact } from "../redaction/redaction.ts";
import { faultFamilies } from "./faults.ts";
import type { Settings } from "./options.ts";
import { acts } from "./payment-acts.ts";
import { PaymentIntents } from "../service/payment-intents/commands.ts";
import { intentEventContent } from "../service/payment-intents/events.ts";
import { paymentIntentRoutes } from "../service/payment-intents/routes.ts";
import { intentEventTypes } from "../service/payment-intents/schema.ts";
import { PaymentMethods } from "../service/payment-methods/commands.ts";
import { Subscriptions } from "../service/subscriptions/commands.ts";
import { subscriptionEventContent } from "../service/subscriptions/events.ts";
import { subscriptionReactions } from "../service/subscriptions/reactions.ts";
import { subscriptionRoutes } from "../service/subscriptions/routes.ts";
import { subscriptionEventTypes } from "../service/subscriptions/schema.ts";
import { Transactions } from "../service/transactions/commands.ts";
import { transactionRoutes } from "../service/transactions/routes.ts";
import { webhookPolicies } from "../service/webhook-policies.ts";
import { Outbox } from "../webhooks/outbox.ts";
import type { CheckoutRow } from "../service/checkout/machine.ts";
import type { IntentRow } from "../service/payment-intents/machine.ts";
import type { InvoiceRow } from "../service/subscriptions/invoice-machine.ts";

/** Every route of the service, in the order of the service document. */
export const routes = [
  ...paymentIntentRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...transactionRoutes,
  ...authRoutes,
];

const knownFaults = new KnownFaults(
  faultFamilies({ routes }, [...intentEventTypes, ...checkoutEventTypes, ...subscriptionEventTypes]),
);

/** Facts that parts of the service tell one another, and no merchant. */
const UNANNOUNCED = new Set([
  "payment_intent.created",
  "checkout.created",
  "subscription.renewed",
  "subscription.invoice.retry_due",
]);

/** The parts of one service, joined over one world that has not begun. */
export type ServiceParts = ReturnType<typeof assembleService>;

/**
 * Makes every part of a service and joins them. This is the only place that knows them all.
 * @param onHeld told the moment for which a held answer waits, in milliseconds since 1970
 */
function assembleService(settings: Settings, connections: Connections, onHeld: (until: number) => void) {
  const { baseUrl, authUrl } = settings;
  const aliases = [
    { text: baseUrl, name: "{base_url}" },
    { text: authUrl, name: "{auth_url}" },
  ];
  const engine = new Engine({ ...settings, journal: { ...settings.journal, aliases } });
  const assumptions = new Assumptions(settings.assumptions);
  const faults = new Faults({ engine, known: knownFaults, redact: withoutSecrets });
  const merchants = new Merchants(engine);
  const paymentMethods = new PaymentMethods(engine);
  const intents = new PaymentIntents({ engine, assumptions, faults, paymentMethods });
  const checkout = new Checkout({ engine, assumptions, intents });
  const subscriptions = new Subscriptions({ engine, assumptions, intents });
  const transactions = new Transactions({ engine, intents, checkout });
  const auth = new Auth({
    engine,
    assumptions,
    faults,
    merchants,
    baseUrl,
    authUrl,
    intentOfClientKey: (key) => intents.byClientKey(key),
  });
  const outbox = new Outbox({
    engine,
    faults,
    policies: webhookPolicies(assumptions, (merchantId) => merchants.get(merchantId)?.webhookSecret ?? ""),
    receivers: connections,
    redact: withoutSecrets,
  });
  const dispatcher = new Dispatcher({
    engine,
    assumptions,
    faults,
    baseUrl,
    authUrl,
    authenticate: auth.authenticate,
    onHeld,
    yieldToEventLoop: nextMacrotask,
    routes: [
      ...paymentIntentRoutes.map((route) => ({ route, commands: intents })),
      ...checkoutRoutes.map((route) => ({ route, commands: checkout })),
      ...subscriptionRoutes.map((route) => ({ route, commands: subscriptions })),
      ...transactionRoutes.map((route) => ({ route, commands: transactions })),
      ...authRoutes.map((route) => ({ route, commands: auth })),
    ],
  });
  engine.onFact(checkoutReactions(checkout, intents));
  engine.onFact(subscriptionReactions(subscriptions));
  engine.onFact((fact) => transactions.project(fact));
  engine.onFact(announcements({ outbox, merchants, intents, subscriptions }));
  return {
    engine,
    assumptions,
    faults,
    merchants,
    paymentMethods,
    intents,
    checkout,
    subscriptions,
    transactions,
    auth,
    outbox,
    dispatcher,
  };
}

function withoutSecrets<Value>(value: Value): Value {
  return redact(value) as Value;
}

/** The beginning of every world: the service's keys, and one merchant. */
function beginWorld({ engine, auth, merchants }: ServiceParts, { webhookUrl }: Settings): void {
  const merchant = { name: "Test merchant", email: "merchant@shop.example" };
  engine.unit(() => {
    auth.begin();
    merchants.register(webhookUrl === undefined ? merchant : { ...merchant, webhookUrl });
  });
}

/** The first merchant's id and secrets, and the administrator's key. All are fakes that open nothing but this simulator. */
export interface Credentials {
  /** What a fault's `merchant` takes; no secret. */
  readonly merchantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly adminKey: string;
  readonly webhookSecret: string;
}

export function credentialsOf({ merchants, auth }: ServiceParts): Credentials {
  const { id, clientId, clientSecret, webhookSecret } = merchants.first();
  return { merchantId: id, clientId, clientSecret, adminKey: auth.adminKey, webhookSecret };
}

/** Tells merchants of facts, each as its resource's own events file words it. */
function announcements({
  outbox,
  merchants,
  intents,
  subscriptions,
}: {
  outbox: Outbox;
  merchants: Merchants;
  intents: PaymentIntents;
  subscriptions: Subscriptions;
}): (fact: Fact) => void {
  const tell = (
    type: string,
    { merchantId, webhookUrl }: { readonly merchantId: string; readonly webhookUrl?: string },
    content: () => object,
  ): void => {
    outbox.announce({ type, merchantId, url: webhookUrl ?? merchants.get(merchantId)?.webhookUrl, content });
  };
  return ({ type, resource, row }) => {
    if (UNANNOUNCED.has(type)) return;
    if (resource === "payment_intent") {
      const intent = row as IntentRow;
      if (intent.data.purpose !== "checkout") tell(type, intent.data, intentEventContent(intent, intents));
    } else if (resource === "checkout") {
      const session = row as CheckoutRow;
      tell(type, session.data, checkoutEventContent(session));
    } else if (resource === "subscription" || resource === "invoice") {
      const invoice = resource === "invoice" ? (row as InvoiceRow) : undefined;
      const subscription = subscriptions.existing(invoice?.data.subscriptionId ?? row.id);
      tell(type, subscription.data, subscriptionEventContent(subscription, invoice, subscriptions));
    }
  };
}

/** This service, as a simulator runs it. */
export const paymentService = { acts, open: assembleService, begin: beginWorld };
