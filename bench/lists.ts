import { startChild } from "./child.ts";
import type { ListCosts } from "./fill-lists.ts";
import type { TransactionCosts } from "./fill-transactions.ts";
import { showProgress } from "./progress.ts";
import { bytes, grouped, markdownTable, microseconds, milliseconds } from "./table.ts";

const sizes = [1000, 10_000, 100_000, 1_000_000];

/** The bounds: milliseconds per page, and bytes per record. */
const MOST_TIME = 1;
const MOST_HEAP = 1000;

/** Returns the cost of lists as a table by size, and how many bounds are broken. */
export async function measureLists(): Promise<{ readonly table: string; readonly broken: number }> {
  const child = startChild<number, TransactionCosts>("fill-transactions.ts");
  const lists = startChild<number, ListCosts>("fill-lists.ts");
  const points: (TransactionCosts & ListCosts)[] = [];
  for (const size of sizes) {
    showProgress(`lists of ${grouped(size)} rows`);
    points.push({ ...(await child.ask(size)), ...(await lists.ask(size)) });
  }
  child.close();
  lists.close();

  let broken = 0;
  const row = (
    name: string,
    figure: keyof TransactionCosts | keyof ListCosts,
    write: (value: number) => string,
    most?: number,
  ): string[] => {
    const values = points.map((point) => point[figure]);
    const isBroken = most !== undefined && Math.max(...values) > most;
    if (isBroken) broken += 1;
    const bound = most === undefined ? "" : `at most ${write(most)}`;
    return [name, ...values.map(write), isBroken ? `**broken:** ${bound}` : bound];
  };
  const rows = [
    row("Transactions by external id", "byExternalId", milliseconds, MOST_TIME),
    row("Transactions by status, somewhere in the list", "byStatus", milliseconds, MOST_TIME),
    row("Transactions by dates and status", "byDates", milliseconds, MOST_TIME),
    row("Transactions by amount, which looks at each", "byAmount", milliseconds),
    row("Payment sessions by external id", "sessionsByExternalId", milliseconds, MOST_TIME),
    row("Payment sessions by status, somewhere in the list", "sessionsByStatus", milliseconds, MOST_TIME),
    row("Subscriptions by status", "subscriptions", milliseconds, MOST_TIME),
    row("Plans after a plan, somewhere in the list", "plans", milliseconds, MOST_TIME),
    row("`sim.subscriptions.last()`", "last", milliseconds, MOST_TIME),
    row("`sim.subscriptions.list({ status })` of ten", "fewByStatus", milliseconds, MOST_TIME),
    row("`sim.webhooks.events({ type })` of ten", "events", milliseconds, MOST_TIME),
    row("`sim.webhooks.failures()` of ten", "failures", milliseconds, MOST_TIME),
    row("`sim.webhooks.attempts({ eventId })`", "attempts", milliseconds, MOST_TIME),
    row("The first question after a restore or a fork, each row", "first", microseconds),
    row("Heap of the record of a transaction beyond its payment", "heap", bytes, MOST_HEAP),
    row("Time to record a transaction, twice projected", "time", microseconds),
  ];
  const head = [
    "Lists (in process, without HTTP), in a world of so many rows",
    ...sizes.map((size) => grouped(size)),
    "bound",
  ];
  return { table: markdownTable(head, rows), broken };
}
