import * as z from "zod/mini";
import type { Assumptions } from "../assumption-table.ts";
import type { Checkout } from "../checkout/commands.ts";
import type { CheckoutSession, CheckoutStatus } from "../schemas/checkout.ts";
import type { CheckoutRow } from "../checkout/machine.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import type { Fact } from "../../kit/engine/facts.ts";
import { shapeOf } from "../../kit/engine/row-schema.ts";
import type { Table } from "../../kit/engine/table.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import { ApiError } from "../api-error.ts";
import { DEFAULT_CURRENCY } from "../currencies.ts";
import { pageOf } from "../list-page.ts";
import type { PaymentIntents } from "../payment-intents/commands.ts";
import type { IntentRow, IntentState } from "../payment-intents/machine.ts";
import { entryOf, isFinal } from "./entry.ts";
import { endOf, startOf } from "../schemas/transactions.ts";
import type {
  ListPaymentSessionsQuery,
  ListTransactionsQuery,
  PaymentSessionPage,
  Transaction,
  TransactionPage,
  TransactionStatus,
} from "../schemas/transactions.ts";
import { transactionEntry } from "./rows.ts";
import type { TransactionEntry } from "./rows.ts";

/** The sums of forgotten transactions that succeeded in one currency, in its smallest unit. */
interface BroughtForward {
  readonly amount: bigint;
  readonly fee: bigint;
}

/** The sums as they are stored: as text, because a world is plain JSON, whose numbers may be too small for a sum. */
type StoredSums = Readonly<Record<keyof BroughtForward, string>>;
const storedSum = z.string().check(z.regex(/^\d{1,40}$/));
const storedSums = shapeOf<StoredSums>()(() => ({ amount: storedSum, fee: storedSum }));

/** The parts of the service that `Transactions` uses. */
export interface TransactionsOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly intents: PaymentIntents;
  readonly checkout: Checkout;
}

const DEFAULT_LIMIT = 10;

/** The status of the transaction of an intent. */
const statusOfIntent: Readonly<Record<IntentState, TransactionStatus>> = {
  requires_payment_method: "pending",
  requires_confirmation: "pending",
  requires_action: "pending",
  processing: "processing",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "canceled",
};

/** The status of the transaction of a checkout session. */
const statusOfCheckout: Readonly<Record<CheckoutStatus, TransactionStatus>> = {
  pending: "pending",
  processing: "processing",
  completed: "succeeded",
  failed: "failed",
  cancelled: "canceled",
  expired: "expired",
};

/** A read-only view of every payment (4.4), projected from intents and checkout sessions. */
export class Transactions {
  readonly #options: TransactionsOptions;
  readonly rows: Table<TransactionEntry>;
  readonly #broughtForward: Table<StoredSums>;

  constructor(options: TransactionsOptions) {
    this.#options = options;
    const { engine } = options;
    this.rows = engine.table("transactions", { row: transactionEntry, identifies: ["id"] });
    this.#broughtForward = engine.table("brought-forward", { row: storedSums });
  }

  /**
   * Updates the transaction of a payment. A checkout session and its intents are one transaction. Reads the current row and not the row of
   * the fact, because only the new intent of a further try publishes a fact.
   */
  project({ resource, row }: Fact): void {
    const { intents, checkout } = this.#options;
    if (resource === "payment_intent") {
      const intent = intents.get(row.id) as IntentRow;
      if (intent.data.purpose === "checkout") this.#projectSession(checkout.byIntent(intent.id));
      else this.#put(intent.data.transactionId, "payment_intent", intent, statusOfIntent[intent.state], intent);
    } else if (resource === "checkout") this.#projectSession(checkout.get(row.id));
  }

  /** Returns the sums of the forgotten transactions that succeeded in a currency; undefined when there are none. */
  broughtForward(currency: string): BroughtForward | undefined {
    const stored = this.#broughtForward.get(currency);
    return stored && { amount: BigInt(stored.amount), fee: BigInt(stored.fee) };
  }

  show(merchantId: string, transactionId: string): Transaction {
    const entry = this.rows.get(transactionId);
    if (entry === undefined || entry.merchantId !== merchantId) throw new ApiError("TRANSACTION_NOT_FOUND");
    return this.view(entry);
  }

  list(merchantId: string, query: ListTransactionsQuery): TransactionPage {
    const { limit = DEFAULT_LIMIT, offset = 0, status, dateFrom, dateTo, amountMin = 0, amountMax } = query;
    const { assumptions } = this.#options;
    const read = assumptions.value("transaction.dates");
    const { days, offset: zone } = typeof read === "string" ? { days: read, offset: undefined } : read;
    const from = dateFrom === undefined ? -Infinity : startOf(dateFrom, zone);
    const lastOf = days === "whole" ? endOf : startOf;
    const [first, last] = dateTo === undefined ? [] : [startOf(dateTo, zone), lastOf(dateTo, zone)];
    const { dates, amounts } = assumptions.value("transaction.filters");
    const isUntil = dates === "inclusive" ? within(last) : below(first);
    const isUpTo = amounts === "inclusive" ? within(amountMax) : below(amountMax);
    const { external_id: externalId, paymentMethod: kind } = query;
    const wanted = this.rows
      .all()
      .filter(
        (entry) =>
          entry.merchantId === merchantId &&
          (externalId === undefined || entry.externalId === externalId) &&
          (status === undefined || entry.status === status) &&
          (kind === undefined || entry.kind === kind) &&
          entry.createdAt >= from &&
          isUntil(entry.createdAt) &&
          entry.amount >= amountMin &&
          isUpTo(entry.amount),
      );
    const { rows, total } = pageOf(wanted, { offset, limit });
    const items = rows.map((entry) => this.view(entry));
    return { items, total, limit, offset, hasMore: offset + items.length < total };
  }

  paymentSession(merchantId: string, sessionToken: string, publicUrl: string): CheckoutSession {
    const { checkout } = this.#options;
    const session = checkout.byToken(sessionToken);
    if (session === undefined || session.data.merchantId !== merchantId) throw new ApiError("SESSION_NOT_FOUND");
    return checkout.view(session, publicUrl);
  }

  listPaymentSessions(merchantId: string, query: ListPaymentSessionsQuery, publicUrl: string): PaymentSessionPage {
    const { limit = DEFAULT_LIMIT, offset = 0, status, external_id: externalId } = query;
    const { checkout } = this.#options;
    const wanted = checkout.rows
      .all()
      .filter(
        (session) =>
          session.data.merchantId === merchantId &&
          (status === undefined || checkout.statusOf(session) === status) &&
          (externalId === undefined || session.data.externalId === externalId),
      );
    const { rows, total } = pageOf(wanted, { offset, limit });
    const items = rows.map((session) => checkout.view(session, publicUrl));
    return { items, total, limit, offset, hasMore: offset + items.length < total };
  }

  #bringForward(entries: readonly TransactionEntry[]): void {
    const intents = entries.map((entry) => this.#intentOf(entry));
    for (const [currency, paid] of Map.groupBy(intents, currencyOf)) {
      let { amount, fee } = this.broughtForward(currency) ?? { amount: 0n, fee: 0n };
      for (const intent of paid) {
        amount += BigInt(intent.data.amount);
        fee += BigInt(this.#options.intents.feeOf(intent));
      }
      this.#broughtForward.set(currency, { amount: String(amount), fee: String(fee) });
    }
  }

  #intentOf({ resource, resourceId }: TransactionEntry): IntentRow {
    const { intents, checkout } = this.#options;
    return resource === "checkout"
      ? checkout.intentOf(checkout.get(resourceId) as CheckoutRow)
      : (intents.get(resourceId) as IntentRow);
  }

  #projectSession(session: CheckoutRow | undefined): void {
    if (session === undefined) return;
    const intent = this.#options.checkout.intentOf(session);
    this.#put(
      session.data.transactionId,
      "checkout",
      session,
      statusOfCheckout[this.#options.checkout.statusOf(session)],
      intent,
    );
  }

  #put(
    id: string,
    resource: TransactionEntry["resource"],
    row: IntentRow | CheckoutRow,
    status: TransactionStatus,
    intent: IntentRow,
  ): void {
    const known = this.rows.get(id);
    if (known?.status === status && known.kind === intent.data.method?.kind) return;
    this.rows.set(id, entryOf(id, resource, row, status, intent));
    if (isFinal(status)) this.#options.engine.history.finish("payments", id);
  }

  /** Whether a finished transaction is still needed. Only an intent can be, for its invoice. */
  isNeeded(id: string): boolean {
    const entry = this.rows.get(id);
    const intent = entry?.resource === "payment_intent" ? this.#options.intents.get(entry.resourceId) : undefined;
    return intent !== undefined && this.#options.intents.isNeeded(intent);
  }

  /** Forgets transactions, with their intents and checkout sessions. */
  forget(ids: readonly string[]): void {
    const { intents, checkout } = this.#options;
    const entries = ids.flatMap((id) => this.rows.get(id) ?? []);
    this.#bringForward(entries.filter(({ status }) => status === "succeeded"));
    const idsOf = (resource: TransactionEntry["resource"]): string[] =>
      entries.flatMap((entry) => (entry.resource === resource ? [entry.resourceId] : []));
    intents.forget(idsOf("payment_intent"));
    checkout.forget(idsOf("checkout"));
    this.rows.forget(ids);
  }

  view(entry: TransactionEntry): Transaction {
    const { intents, checkout } = this.#options;
    const session = entry.resource === "checkout" ? checkout.get(entry.resourceId) : undefined;
    const intent = session === undefined ? (intents.get(entry.resourceId) as IntentRow) : checkout.intentOf(session);
    const owner = session ?? intent;
    const { method, declineCode, purpose, subscriptionId, invoiceId } = intent.data;
    const { externalId, metadata = {}, description, contact = {} } = owner.data;
    const hasSucceeded = entry.status === "succeeded";
    const fee = hasSucceeded ? intents.feeOf(intent) : 0;
    return {
      id: entry.id,
      ...(externalId === undefined ? {} : { externalId }),
      type: purpose,
      amount: entry.amount,
      fee,
      net: hasSucceeded ? entry.amount - fee : 0,
      currency: currencyOf(intent),
      status: entry.status,
      ...(method === undefined
        ? {}
        : {
            paymentMethod: {
              id: method.id,
              type: method.kind,
              ...(method.brand === undefined ? {} : { brand: method.brand }),
              ...(method.last4 === undefined ? {} : { last4: method.last4 }),
            },
          }),
      ...(declineCode === undefined ? {} : { declineCode }),
      sessionToken: owner.data.sessionToken,
      ...(session === undefined ? { intentId: intent.id } : {}),
      ...(subscriptionId === undefined ? {} : { subscriptionId }),
      ...(invoiceId === undefined ? {} : { invoiceId }),
      contact,
      description,
      metadata,
      createdAt: toTimestamp(entry.createdAt),
      updatedAt: toTimestamp(owner.updatedAt),
    };
  }
}

/** An upper bound that is listed itself. */
function within(bound = Infinity): (value: number) => boolean {
  return (value) => value <= bound;
}

/** An upper bound that is not listed itself. */
function below(bound = Infinity): (value: number) => boolean {
  return (value) => value < bound;
}

function currencyOf({ data }: IntentRow): string {
  return data.currency ?? DEFAULT_CURRENCY;
}
