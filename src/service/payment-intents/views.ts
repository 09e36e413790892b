import type { ByStatus } from "../../kit/declaration/filter.ts";
import type { Reader } from "../../kit/declaration/reader.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { PaymentIntents } from "./commands.ts";
import type { Contact, IntentRow } from "./machine.ts";
import type { DeclineCode } from "../decline-codes.ts";
import type { PaymentMethodKind } from "../test-methods.ts";
import { statusOf } from "./status.ts";
import type { IntentStatus } from "../schemas/payment-intents.ts";

/** A payment intent as a test sees it, with fields that the API does not show. */
export interface IntentView {
  readonly id: string;
  readonly status: IntentStatus;
  readonly purpose: "payment_intent" | "checkout" | "subscription";
  /** The merchant whose payment it is. */
  readonly merchantId: string;
  /** The subscription and the invoice that it pays; only with the purpose `subscription`. */
  readonly subscriptionId?: string;
  readonly invoiceId?: string;
  /** Centavos. */
  readonly amount: number;
  /** Only of an intent that pays an invoice. */
  readonly currency?: string;
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
    readonly type: PaymentMethodKind;
    readonly brand?: string;
    readonly last4?: string;
  };
  readonly declineCode?: DeclineCode;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How a test reads payment intents. */
export interface IntentReaders {
  /** Payment intents, including those of checkout sessions. */
  readonly intents: Reader<IntentView, ByStatus<IntentStatus>>;
}

export function intentView(intent: IntentRow, intents: PaymentIntents): IntentView {
  const {
    purpose,
    merchantId,
    subscriptionId,
    invoiceId,
    amount,
    currency,
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
    merchantId,
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    ...(invoiceId === undefined ? {} : { invoiceId }),
    amount,
    ...(currency === undefined ? {} : { currency }),
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

function methodView({
  id,
  kind,
  brand,
  last4,
}: NonNullable<IntentRow["data"]["method"]>): NonNullable<IntentView["paymentMethod"]> {
  return { id, type: kind, ...(brand === undefined ? {} : { brand }), ...(last4 === undefined ? {} : { last4 }) };
}
