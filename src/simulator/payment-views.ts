import type { Checkout } from "../service/checkout/commands.ts";
import type { CheckoutRow } from "../service/checkout/machine.ts";
import type { CheckoutSession } from "../service/checkout/schema.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import type { PaymentIntents } from "../service/payment-intents/commands.ts";
import type { Contact, IntentRow } from "../service/payment-intents/machine.ts";
import { statusOf } from "../service/payment-intents/schema.ts";
import type { IntentStatus } from "../service/payment-intents/schema.ts";
import { planView } from "../service/subscriptions/views.ts";
import { ledgerOf } from "../service/transactions/ledger.ts";
import type { Ledger } from "../service/transactions/ledger.ts";
import { readerOf } from "./readers.ts";
import type { ServiceParts } from "./service-parts.ts";

/** A payment intent as a test sees it: more than any answer shows. */
export interface IntentView {
  readonly id: string;
  readonly status: IntentStatus;
  readonly purpose: "payment_intent" | "checkout" | "subscription";
  /** Centavos. */
  readonly amount: number;
  /** Centavos. */
  readonly fee: number;
  readonly description: string;
  readonly transactionId: string;
  readonly sessionToken: string;
  readonly externalId?: string;
  readonly contact?: Contact;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly paymentMethod?: {
    readonly id: string;
    readonly type: string;
    readonly brand?: string;
    readonly last4?: string;
  };
  readonly declineCode?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A checkout session as a test sees it. */
export interface CheckoutView extends CheckoutSession {
  readonly returnUrl: string;
  readonly webhookUrl: string;
}

/** What a test reads of this service: `sim.intents`, `sim.checkouts`, … */
export type PaymentViews = ReturnType<typeof paymentViews>;

export function paymentViews({ intents, checkout, subscriptions, transactions }: ServiceParts, baseUrl: string) {
  const audience = { kind: "owner", publicUrl: baseUrl } as const;
  const intent = (row: IntentRow): IntentView => intentView(row, intents);
  const sessions = {
    get: (id: string) => checkout.get(id) ?? checkout.byToken(id),
    all: () => checkout.all(),
  };
  return {
    intents: readerOf(intents, intent),
    intentOf: (row: IntentRow) => structuredClone(intent(row)),
    checkouts: readerOf(sessions, (session) => checkoutView(session, checkout, baseUrl)),
    plans: readerOf(subscriptions.plans, planView),
    subscriptions: readerOf(subscriptions, (subscription) => subscriptions.view(subscription, audience)),
    invoices: readerOf(subscriptions.billing, (invoice) => subscriptions.invoiceView(invoice, audience)),
    transactions: readerOf(transactions, (transaction) => transaction),
    ledger: (): Ledger => ledgerOf(transactions),
  };
}

function intentView(intent: IntentRow, intents: PaymentIntents): IntentView {
  const {
    purpose,
    amount,
    description,
    transactionId,
    sessionToken,
    externalId,
    contact,
    metadata,
    method,
    declineCode,
  } = intent.data;
  return {
    id: intent.id,
    status: statusOf[intent.state],
    purpose,
    amount,
    fee: intents.feeOf(intent),
    description,
    transactionId,
    sessionToken,
    ...(externalId === undefined ? {} : { externalId }),
    ...(contact === undefined ? {} : { contact }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(method === undefined ? {} : { paymentMethod: methodView(method) }),
    ...(declineCode === undefined ? {} : { declineCode }),
    createdAt: toTimestamp(intent.createdAt),
    updatedAt: toTimestamp(intent.updatedAt),
  };
}

function checkoutView(session: CheckoutRow, checkout: Checkout, baseUrl: string): CheckoutView {
  const { returnUrl, webhookUrl, sessionToken } = session.data;
  return { ...checkout.session(sessionToken, baseUrl), returnUrl, webhookUrl };
}

function methodView({
  id,
  kind,
  brand,
  last4,
}: NonNullable<IntentRow["data"]["method"]>): NonNullable<IntentView["paymentMethod"]> {
  return { id, type: kind, ...(brand === undefined ? {} : { brand }), ...(last4 === undefined ? {} : { last4 }) };
}
