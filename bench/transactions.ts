import { startChild } from "./child.ts";
import type { TransactionCosts } from "./fill-transactions.ts";
import { showProgress } from "./progress.ts";
import { bytes, grouped, markdownTable, microseconds, milliseconds } from "./table.ts";

const sizes = [1000, 10_000, 100_000, 1_000_000];

/** The bounds: milliseconds per page, and bytes per record. */
const MOST_TIME = 1;
const MOST_HEAP = 1000;

/** Returns the cost of lists of transactions as a table by size, and how many bounds are broken. */
export async function measureTransactions(): Promise<{ readonly table: string; readonly broken: number }> {
  const child = startChild<number, TransactionCosts>("fill-transactions.ts");
  const points: TransactionCosts[] = [];
  for (const size of sizes) {
    showProgress(`${grouped(size)} transactions`);
    points.push(await child.ask(size));
  }
  child.close();

  let broken = 0;
  const row = (
    name: string,
    figure: keyof TransactionCosts,
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
    row("List by external id", "byExternalId", milliseconds, MOST_TIME),
    row("List by status, somewhere in the list", "byStatus", milliseconds, MOST_TIME),
    row("List by dates and status", "byDates", milliseconds, MOST_TIME),
    row("Heap of a record beyond its intent", "heap", bytes, MOST_HEAP),
    row("Time to record one, twice projected", "time", microseconds),
  ];
  const head = ["Transactions (in process, without HTTP)", ...sizes.map((size) => grouped(size)), "bound"];
  return { table: markdownTable(head, rows), broken };
}
