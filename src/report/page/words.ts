import type { ReportedResource, ReportedRun, Tone } from "../reported-run.ts";

type Price = NonNullable<ReportedResource["price"]>;

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** Returns a length of time in its two largest units, such as `3 days 2 hours`. */
export function durationInWords(milliseconds: number): string {
  const parts: string[] = [];
  let rest = milliseconds;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(counted(count, unit));
  }
  if (parts.length === 0) return `${milliseconds} ms`;
  return parts.slice(0, 2).join(" ");
}

export function counted(count: number, noun: string): string {
  const plural = noun.replace(/(?<=[^aeiou])y$/, "ie");
  return `${count.toLocaleString("en")} ${count === 1 ? noun : `${plural}s`}`;
}

export function money({ amount, currency, every }: Price): string {
  const often = every === undefined ? "" : ` every ${every}`;
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)) + often;
  } catch {
    return `${amount} ${currency}${often}`;
  }
}

/** Returns the date and the time of a moment, with milliseconds only if they are not zero. */
export function momentOf(at: string): string {
  return at.replace("T", " ").replace(/(\.000)?Z$/, "");
}

export function kindOf({ machine }: ReportedResource): string {
  return machine.replaceAll("_", " ");
}

/** Returns what the merchant calls a resource, and its customer. */
export function namesOf(resource: ReportedResource | undefined): readonly string[] {
  return [resource?.name, resource?.customer].filter((each) => each !== undefined);
}

/** Returns the merchant's own names of these resources, or else their customers, each once. */
export function ownNames(resources: readonly (ReportedResource | undefined)[]): readonly string[] {
  return [...new Set(resources.flatMap((each) => each?.name ?? each?.customer ?? []))];
}

/** Shortens an id to the part that distinguishes it within a run. */
export function shortId(id: string): string {
  const [, prefix, rest = ""] = /^([a-z]+_)(\w+)$/i.exec(id) ?? [];
  return prefix !== undefined && rest.length > 9 ? `${prefix}${rest.slice(0, 6)}…` : id;
}

/** Shortens the ids in a sentence. */
export function withShortIds(text: string): string {
  return text.replaceAll(/\b([a-z]+_\w{6})\w{9,}/g, "$1…");
}

/** Sums the payments of a run by currency: succeeded, open, and failed or canceled. */
export function sumsOf({ resources }: ReportedRun): readonly { tone: Tone; title: string; texts: readonly string[] }[] {
  const payments = resources.filter(({ isPayment }) => isPayment === true);
  return (
    [
      ["good", "Succeeded"],
      ["pending", "Open"],
      ["bad", "Failed or canceled"],
    ] as const
  ).map(([tone, title]) => ({ tone, title, texts: sumsIn(payments.filter((payment) => payment.tone === tone)) }));
}

function sumsIn(payments: readonly ReportedResource[]): string[] {
  const prices = payments.flatMap(({ price }) => price ?? []);
  return [...Map.groupBy(prices, ({ currency }) => currency)].map(([currency, own]) =>
    money({ amount: own.reduce((sum, { amount }) => sum + amount, 0), currency }),
  );
}
