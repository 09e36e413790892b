import { checkouts } from "../checkout/fixture.ts";
import type { CheckoutView } from "../checkout/views.ts";
import { defineFixture } from "../fixture.ts";
import type { Site, StatusOptions } from "../fixture.ts";
import { intents } from "../payment-intents/fixture.ts";
import { paymentIntents } from "../payment-intents/resource.ts";
import type { CreateIntentBody, IntentStatus } from "../schemas/payment-intents.ts";
import type { IntentView } from "../payment-intents/views.ts";
import { withoutCustomer } from "../payment-methods/declined-payments.ts";
import { transactionStatus } from "../schemas/transactions.ts";
import type { Transaction, TransactionStatus } from "../schemas/transactions.ts";
import type { TransactionReaders } from "./views.ts";

const transactionDeclines = { failed: withoutCustomer };
const fields = ["amount", "description", "externalId", "metadata"] as const;

/** A transaction: its status, `succeeded` by default, and fields of its payment. */
export type TransactionOptions = StatusOptions<TransactionStatus, typeof transactionDeclines> &
  Partial<Pick<CreateIntentBody, (typeof fields)[number]>>;

export interface TransactionMaker {
  /** Makes a payment whose transaction has a status. */
  transaction(options?: TransactionOptions): Promise<Transaction>;
}

/** The intent whose transaction has each status. Only a session expires. */
const intentOf: Readonly<Record<Exclude<TransactionStatus, "expired">, IntentStatus>> = {
  pending: "requires_payment_method",
  processing: "processing",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "canceled",
};

export const transactions = defineFixture<
  TransactionMaker,
  Site<never, TransactionReaders>,
  IntentView | CheckoutView
>()({
  make: "transaction",
  statuses: transactionStatus.options,
  usual: "succeeded",
  declined: transactionDeclines,
  fields,
  from: ({ status }) => (status === "expired" ? [checkouts, "expired"] : [intents, intentOf[status]]),
  begin: () => async (_site, payment) => payment,
  intent: ({ of }, payment) => of(paymentIntents).get("intentId" in payment ? payment.intentId : payment.id),
  view: ({ sim }, { transactionId }) => sim.transactions.get(transactionId),
});
