/**
 * A child process that fills a list of transactions and reads pages of it. The intents and sessions behind them are generated on demand
 * and not kept, so that the heap holds only the records of transactions. Every other payment is a checkout session. Needs `--expose-gc`.
 */
import type { Checkout } from "../src/service/checkout/commands.ts";
import type { CheckoutRow } from "../src/service/checkout/machine.ts";
import type { CheckoutSession } from "../src/service/checkout/schema.ts";
import { Engine } from "../src/kit/engine/engine.ts";
import type { PaymentIntents } from "../src/service/payment-intents/commands.ts";
import type { PaymentMethod } from "../src/service/payment-methods/commands.ts";
import { Transactions } from "../src/service/transactions/commands.ts";
import type {
  ListPaymentSessionsQuery,
  ListTransactionsQuery,
  PaymentSessionPage,
  TransactionPage,
} from "../src/service/transactions/schema.ts";
import { answerParent } from "./child.ts";
import { heapInUse, median, microsecondsSince } from "./measure.ts";
import type { IntentRow } from "../src/service/payment-intents/machine.ts";

/** The cost of transactions in a list of this size. */
export interface TransactionCosts {
  /** Bytes of live heap per record. */
  readonly heap: number;
  /** Microseconds of processor time to record one, from its first status to its last. */
  readonly time: number;
  /** Median milliseconds of one page of ten. */
  readonly byExternalId: number;
  readonly byStatus: number;
  readonly byDates: number;
  readonly byAmount: number;
  readonly sessionsByStatus: number;
  readonly sessionsByExternalId: number;
  /** The same of a page that is found by a filter over an array of so many rows. */
  readonly filter: number;
}

const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;
const IN_A_UNIT = 100;
/** Small lists are filled several times, because a single one uses too little heap to measure. */
const LEAST_WEIGHED = 50_000;
const ROUNDS = 101;
/** A filter takes as long whatever it looks for, so that few rounds tell. */
const FILTER_ROUNDS = 11;
const MERCHANT = "mer_bench";
const METHOD: PaymentMethod = { id: "pm_card_approved", kind: "card", behaviour: "pm_card_approved" };

answerParent(async (question): Promise<TransactionCosts> => {
  const count = question as number;
  // Compiles the code first, so that its heap is not counted.
  measure(recorded(2000), 2000);
  const heapBefore = heapInUse();
  const start = process.cpuUsage();
  const lists = Array.from({ length: Math.ceil(LEAST_WEIGHED / count) }, () => recorded(count));
  const time = microsecondsSince(start) / (count * lists.length);
  const heap = (heapInUse() - heapBefore) / (count * lists.length);
  measure(recorded(2000), 2000);
  return { heap, time, ...measure(lists[0] as Transactions, count), filter: filterOf(count) };
});

/** Fills a list with one transaction per minute, each first in processing and then decided. Every tenth fails. */
function recorded(count: number): Transactions {
  const engine = new Engine({ seed: "bench", now: START, journal: { keep: 0 } });
  let decided = 0;
  const made: Pick<PaymentIntents, "get" | "feeOf"> = {
    get: (id) => intentOf(Number(id.slice(3)), decided),
    feeOf: () => 5246,
  };
  const sessions: Pick<Checkout, "get" | "byIntent" | "intentOf" | "view"> = {
    get: (id) => sessionOf(Number(id.slice(3)), decided),
    byIntent: () => undefined,
    intentOf: ({ id }) => intentOf(Number(id.slice(3)), decided),
    view: (session) => ({ id: session.id }) as CheckoutSession,
  };
  const transactions = new Transactions({ engine, intents: made as PaymentIntents, checkout: sessions as Checkout });
  const project = (index: number): void => {
    const resource = index % 2 === 0 ? "payment_intent" : "checkout";
    const row = resource === "checkout" ? sessionOf(index, decided) : intentOf(index, decided);
    transactions.project({ type: resource, resource, row, at: START });
  };
  // From the first question on, the index of lists follows every record.
  transactions.list(MERCHANT, {});
  for (let first = 0; first < count; first += IN_A_UNIT)
    engine.unit(() => {
      for (let index = first; index < Math.min(count, first + IN_A_UNIT); index += 1) {
        project(index);
        decided = index + 1;
        project(index);
      }
    });
  return transactions;
}

/** Generates the intent with this number. Those below `decided` have ended. */
function intentOf(index: number, decided: number): IntentRow {
  const at = START + index * MINUTE;
  const digits = String(index).padStart(24, "0");
  return {
    id: `pi_${digits}`,
    state: index >= decided ? "processing" : index % 10 === 9 ? "failed" : "succeeded",
    createdAt: at,
    updatedAt: at,
    data: {
      merchantId: MERCHANT,
      purpose: "payment_intent",
      transactionId: `txn_${digits}`,
      sessionToken: digits,
      clientKey: `ck_${digits}`,
      amount: 149_900,
      description: "Two tickets",
      externalId: `order-${index}`,
      method: METHOD,
      processingTime: 2000,
    },
  };
}

/** Generates the session with this number, which its intent pays for. */
function sessionOf(index: number, decided: number): CheckoutRow {
  const { id, state, data, ...rest } = intentOf(index, decided);
  return {
    ...rest,
    id: id.replace("pi_", "cs_"),
    state: state === "processing" || state === "failed" ? state : "completed",
    data: {
      ...data,
      externalId: `order-${index}`,
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
      contact: {},
      intentId: id,
      isThirdParty: true,
      expiresAt: rest.createdAt,
      triesLeft: 0,
    },
  };
}

/** Reads pages at several places of the list. */
function measure(transactions: Transactions, count: number): Omit<TransactionCosts, "heap" | "time" | "filter"> {
  let total = 0;
  const medianOf = (find: (place: number) => { readonly items: readonly unknown[] }): number =>
    median(
      Array.from({ length: ROUNDS }, (_, round) => {
        const place = Math.floor((count * round) / ROUNDS);
        const start = performance.now();
        total += find(place).items.length;
        return performance.now() - start;
      }),
    );
  const list = (query: ListTransactionsQuery): TransactionPage => transactions.list(MERCHANT, query);
  const listSessions = (query: ListPaymentSessionsQuery): PaymentSessionPage =>
    transactions.listPaymentSessions(MERCHANT, query, "");
  const dayOf = (place: number): string => new Date(START + place * MINUTE).toISOString();
  const figures = {
    byExternalId: medianOf((place) => list({ external_id: `order-${place}` })),
    byStatus: medianOf((place) => list({ status: "failed", offset: Math.floor(place / 20) })),
    byDates: medianOf((place) => list({ dateFrom: dayOf(place / 2), dateTo: dayOf(place), status: "succeeded" })),
    byAmount: medianOf((place) => list({ amountMin: 149_900, offset: place })),
    sessionsByStatus: medianOf((place) => listSessions({ status: "failed", offset: Math.floor(place / 20) })),
    sessionsByExternalId: medianOf((place) => listSessions({ external_id: `order-${place | 1}` })),
  };
  if (total < ROUNDS) throw new Error("The lists of transactions were empty.");
  return figures;
}

/** Finds pages as a list without an index would. */
function filterOf(count: number): number {
  const rows = Array.from({ length: count }, (_, index) => intentOf(index, count));
  const figures = Array.from({ length: FILTER_ROUNDS }, (_, round) => {
    const from = Math.floor((count * round) / FILTER_ROUNDS / 10);
    const start = performance.now();
    const page = rows.filter(({ state }) => state === "failed").slice(from, from + 10);
    const took = performance.now() - start;
    if (page.length === 0) throw new Error("The filter found nothing.");
    return took;
  });
  return median(figures);
}
