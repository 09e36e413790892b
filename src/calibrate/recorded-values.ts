import { isRecord } from "./differences.ts";
import { momentOf, TOLERANCE } from "./moments.ts";
import type { Compared, Played } from "./play.ts";

/** Values that stand in a recording where a world differs from it, and so may be those of an assumption. */
export interface RecordedValues {
  readonly numbers: readonly number[];
  readonly durations: readonly string[];
  /** Lists of lengths of time: the waits between deliveries of one body. */
  readonly waits: readonly (readonly string[])[];
  readonly texts: readonly string[];
}

const MOST = 24;
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;
const HOURS_IN_WORDS = 48;

/** Gathers them from the exchanges that differ. */
export function evidenceIn({ compared }: Played): RecordedValues {
  const differing = compared.filter(({ weight }) => weight > 0);
  return {
    numbers: few(differing.flatMap(numbersIn)),
    durations: few(differing.flatMap((each) => durationsIn(each, compared))),
    waits: waitsIn(compared),
    texts: few(
      differing.flatMap(({ differences }) => differences.flatMap(({ path }) => path.split("headers.")[1] ?? [])),
    ),
  };
}

function few<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)].slice(0, MOST);
}

function numbersIn({ differences }: Compared): readonly number[] {
  return differences.flatMap(({ came }) => {
    if (typeof came === "number") return [came];
    return typeof came === "string" ? (came.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) : [];
  });
}

/** Returns how far the recorded moments are from their exchange and from one another, and how long after others the exchange came. */
function durationsIn(differing: Compared, compared: readonly Compared[]): readonly string[] {
  const { step, differences, sides } = differing;
  const lengths: number[] = [];
  for (const { came } of differences) {
    const moment = momentOf(came);
    if (moment !== undefined) lengths.push(moment - sides.moments.recorded);
    // A lifetime in seconds.
    else if (typeof came === "number") lengths.push(came * 1000);
  }
  const moments = momentsIn(step.document);
  for (const later of moments) for (const earlier of moments) lengths.push(later - earlier);
  const place = compared.indexOf(differing);
  const earlier = compared.slice(0, place);
  const named = new Set(sides.names.namesIn(`${step.path} ${step.text ?? ""}`));
  const related = earlier.filter(({ step: { path, text } }) =>
    sides.names.namesIn(`${path} ${text ?? ""}`).some((name) => named.has(name)),
  );
  for (const other of [...related.slice(-3), ...related.slice(0, 1)]) {
    const gap = step.at - other.step.at;
    lengths.push(gap, gap + 1000, gap - 1000);
  }
  return few(lengths.filter((length) => length > 0).map(inWords));
}

function momentsIn(document: unknown): readonly number[] {
  const moments: number[] = [];
  gather(document);
  return [...new Set(moments)].slice(0, 8);

  function gather(value: unknown): void {
    if (typeof value === "string") {
      const moment = momentOf(value);
      if (moment !== undefined) moments.push(moment);
    } else if (Array.isArray(value)) for (const item of value) gather(item);
    else if (isRecord(value)) for (const part of Object.values(value)) gather(part);
  }
}

/** Returns the waits between deliveries of one body. */
function waitsIn(compared: readonly Compared[]): readonly (readonly string[])[] {
  const deliveries = compared.filter(({ step }) => step.exchange.kind === "delivery" && step.text !== undefined);
  const byBody = [...Map.groupBy(deliveries, ({ step }) => step.text).values()].filter((group) => group.length > 1);
  const lists = byBody.map((group) =>
    group.slice(1).map(({ step }, index) => inWords(step.at - (group[index]?.step.at ?? step.at))),
  );
  return [...new Map(lists.map((list) => [list.join(), list])).values()].slice(0, MOST);
}

/** Writes a length of time in its largest whole unit, when it is as good as whole. */
function inWords(milliseconds: number): string {
  for (const [unit, size] of UNITS) {
    const count = Math.round(milliseconds / size);
    if (unit === "day" && count * 24 <= HOURS_IN_WORDS) continue;
    if (count > 0 && Math.abs(milliseconds - count * size) <= Math.min(TOLERANCE, size / 10))
      return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return `${Math.max(1, Math.round(milliseconds))} milliseconds`;
}
