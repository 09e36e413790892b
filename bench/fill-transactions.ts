/**
 * A child process that fills a list of transactions and reads pages of it. The intents behind them are generated on demand and not kept,
 * so that the heap holds only the records of transactions. Needs `--expose-gc`.
 */
import type { Checkout } from "../src/service/checkout/commands.ts";
import { Engine } from "../src/engine/engine.ts";
import type { PaymentIntents } from "../src/service/payment-intents/commands.ts";
import type { PaymentMethod } from "../src/service/payment-methods/commands.ts";
import { Transactions } from "../src/service/transactions/commands.ts";
import type { ListTransactionsQuery } from "../src/service/transactions/schema.ts";
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
}

const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;
const IN_A_UNIT = 100;
/** Small lists are filled several times, because a single one uses too little heap to measure. */
const LEAST_WEIGHED = 50_000;
const ROUNDS = 101;
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
  return { heap, time, ...measure(lists[0] as Transactions, count) };
});

/** Fills a list with one transaction per minute, each first in processing and then decided. Every tenth fails. */
function recorded(count: number): Transactions {
  const engine = new Engine({ seed: "bench", now: START, journal: { keep: 0 } });
  let decided = 0;
  const made: Pick<PaymentIntents, "get" | "feeOf"> = {
    get: (id) => intentOf(Number(id.slice(3)), decided),
    feeOf: () => 5246,
  };
  const transactions = new Transactions({ engine, intents: made as PaymentIntents, checkout: {} as Checkout });
  const project = (index: number): void =>
    transactions.project({
      type: "payment_intent",
      resource: "payment_intent",
      row: intentOf(index, decided),
      at: START,
    });
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

/** Reads pages at several places of the list. */
function measure(
  transactions: Transactions,
  count: number,
): Pick<TransactionCosts, "byExternalId" | "byStatus" | "byDates"> {
  let total = 0;
  const medianOf = (queryAt: (place: number) => ListTransactionsQuery): number =>
    median(
      Array.from({ length: ROUNDS }, (_, round) => {
        const query = queryAt(Math.floor((count * round) / ROUNDS));
        const start = performance.now();
        total += transactions.list(MERCHANT, query).items.length;
        return performance.now() - start;
      }),
    );
  const dayOf = (place: number): string => new Date(START + place * MINUTE).toISOString();
  const figures = {
    byExternalId: medianOf((place) => ({ external_id: `order-${place}` })),
    byStatus: medianOf((place) => ({ status: "failed", offset: Math.floor(place / 20) })),
    byDates: medianOf((place) => ({ dateFrom: dayOf(place / 2), dateTo: dayOf(place), status: "succeeded" })),
  };
  if (total < ROUNDS) throw new Error("The lists of transactions were empty.");
  return figures;
}
