import type { Checkout, CheckoutRow } from "../service/checkout/commands.ts";
import type { CheckoutSession } from "../service/checkout/schema.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import type { IntentRow, PaymentIntents } from "../service/payment-intents/commands.ts";
import type { Contact } from "../service/payment-intents/machine.ts";
import { statusOf } from "../service/payment-intents/schema.ts";
import type { IntentStatus } from "../service/payment-intents/schema.ts";
import type { WebhookAttempt, WebhookEvent } from "../webhooks/event.ts";
import type { Outbox } from "../webhooks/outbox.ts";

/** How a test looks at resources, without a request and without leaving a trace in the journal. */
export interface Reader<View> {
  /** The resource, or undefined where there is none with this id. */
  get(id: string): View | undefined;
  /** All of them, oldest first. */
  list(): View[];
  /** The newest. */
  last(): View | undefined;
}

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

/** A webhook event as a test sees it. */
export interface EventView {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly status: WebhookEvent["status"];
  readonly url?: string;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  /** The fault that made the event up, or that swallowed it. */
  readonly fault?: string;
}

/** One try to deliver an event as a test sees it. */
export interface AttemptView extends Omit<WebhookAttempt, "at" | "answeredAt" | "nextAt"> {
  readonly at: string;
  /** When the answer came, where a fault kept it under way. */
  readonly answeredAt?: string;
  readonly nextAt?: string;
}

/** How a test looks at what merchants are told. */
export interface WebhooksReader {
  /** Events, oldest first. */
  events(filter?: { readonly type?: string }): EventView[];
  /** Attempts to deliver them, oldest first. */
  attempts(filter?: { readonly eventId?: string }): AttemptView[];
  /** Sends an event once more when the clock next settles or moves. */
  redeliver(eventId: string): void;
}

export function readerOf<StoredRow, View>(
  source: { get(id: string): StoredRow | undefined; all(): StoredRow[] },
  view: (row: StoredRow) => View,
): Reader<View> {
  // What a test does to a view must not reach the world.
  const copy = (row: StoredRow): View => structuredClone(view(row));
  const viewed = (row: StoredRow | undefined): View | undefined => (row === undefined ? undefined : copy(row));
  return {
    get: (id) => viewed(source.get(id)),
    list: () => source.all().map(copy),
    last: () => viewed(source.all().at(-1)),
  };
}

export function intentView(intent: IntentRow, intents: PaymentIntents): IntentView {
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

export function checkoutView(session: CheckoutRow, checkout: Checkout, baseUrl: string): CheckoutView {
  const { returnUrl, webhookUrl, sessionToken } = session.data;
  return { ...checkout.session(sessionToken, baseUrl), returnUrl, webhookUrl };
}

export function webhooksReaderOf(outbox: Outbox, redeliver: (eventId: string) => void): WebhooksReader {
  return {
    events: ({ type } = {}) => {
      const events = outbox.events().filter((event) => type === undefined || event.type === type);
      return events.map((event) => eventView(event, outbox.bodyOf(event)));
    },
    attempts: ({ eventId } = {}) => {
      const attempts = outbox.attempts().filter((attempt) => eventId === undefined || attempt.eventId === eventId);
      return attempts.map(attemptView);
    },
    redeliver,
  };
}

function eventView({ id, type, createdAt, status, url, attempts, fault }: WebhookEvent, body: string): EventView {
  return {
    id,
    type,
    createdAt: toTimestamp(createdAt),
    status,
    ...(url === undefined ? {} : { url }),
    body: JSON.parse(body) as Record<string, unknown>,
    attempts,
    ...(fault === undefined ? {} : { fault }),
  };
}

function attemptView({ at, answeredAt, nextAt, ...attempt }: WebhookAttempt): AttemptView {
  return {
    ...structuredClone(attempt),
    at: toTimestamp(at),
    ...(answeredAt === undefined ? {} : { answeredAt: toTimestamp(answeredAt) }),
    ...(nextAt === undefined ? {} : { nextAt: toTimestamp(nextAt) }),
  };
}

function methodView({
  id,
  kind,
  brand,
  last4,
}: NonNullable<IntentRow["data"]["method"]>): NonNullable<IntentView["paymentMethod"]> {
  return { id, type: kind, ...(brand === undefined ? {} : { brand }), ...(last4 === undefined ? {} : { last4 }) };
}
