import { startChild } from "./child.ts";
import type { ListCosts } from "./fill-lists.ts";
import type { TransactionCosts } from "./fill-transactions.ts";
import { showProgress } from "./progress.ts";
import { grouped } from "./table.ts";
import type { Curve, Curves, Point } from "./table.ts";

const sizes = [100, 1000, 10_000, 100_000, 1_000_000];

/** The bounds: milliseconds per page, and bytes per record. */
const MOST_TIME = 1;
const MOST_HEAP = 1000;

/** Measures the cost of lists by their size. */
export async function measureLists(): Promise<Curves> {
  const child = startChild<number, TransactionCosts>("fill-transactions.ts");
  const lists = startChild<number, ListCosts>("fill-lists.ts");
  const points: (TransactionCosts & ListCosts)[] = [];
  for (const size of sizes) {
    showProgress(`lists of ${grouped(size)} rows`);
    points.push({ ...(await child.ask(size)), ...(await lists.ask(size)) });
  }
  child.close();
  lists.close();

  const pointsOf = (figure: keyof TransactionCosts | keyof ListCosts): Point[] =>
    points.map((point, index) => [sizes[index] ?? 0, point[figure]]);
  const curve = (
    name: string,
    figure: keyof TransactionCosts | keyof ListCosts,
    unit: Curve["unit"],
    most?: number,
  ): Curve => ({
    what: name,
    unit,
    points: pointsOf(figure),
    ...(unit === "ms" && { beside: { what: "a filter of an array", points: pointsOf("filter") } }),
    ...(most === undefined ? {} : { bound: { atMost: most } }),
  });
  const curves = [
    curve("Transactions by external id", "byExternalId", "ms", MOST_TIME),
    curve("Transactions by status, somewhere in the list", "byStatus", "ms", MOST_TIME),
    curve("Transactions by dates and status", "byDates", "ms", MOST_TIME),
    curve("Transactions by amount, which looks at each", "byAmount", "ms"),
    curve("Payment sessions by external id", "sessionsByExternalId", "ms", MOST_TIME),
    curve("Payment sessions by status, somewhere in the list", "sessionsByStatus", "ms", MOST_TIME),
    curve("Subscriptions by status", "subscriptions", "ms", MOST_TIME),
    curve("Plans after a plan, somewhere in the list", "plans", "ms", MOST_TIME),
    curve("`sim.subscriptions.last()`", "last", "ms", MOST_TIME),
    curve("`sim.subscriptions.list({ status })` of ten", "fewByStatus", "ms", MOST_TIME),
    curve("`sim.webhooks.events({ type })` of ten", "events", "ms", MOST_TIME),
    curve("`sim.webhooks.failures()` of ten", "failures", "ms", MOST_TIME),
    curve("`sim.webhooks.attempts({ eventId })`", "attempts", "ms", MOST_TIME),
    curve("The first question after a restore or a fork, each row", "first", "µs"),
    curve("Heap of the record of a transaction beyond its payment", "heap", "B", MOST_HEAP),
    curve("Time to record a transaction, twice projected", "time", "µs"),
  ];
  return { of: "Lists (in process, without HTTP), in a world of so many rows", curves };
}
