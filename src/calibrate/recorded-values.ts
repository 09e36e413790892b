import { isRecord } from "./differences.ts";
import { momentOf, TOLERANCE } from "./moments.ts";
import type { Compared, Played } from "./play.ts";
import { parsed } from "./steps.ts";
import { textsIn } from "./texts.ts";

/** Values that stand in a recording where a world differs from it, and so may be those of an assumption. */
export interface RecordedValues {
  readonly numbers: readonly number[];
  readonly durations: readonly string[];
  /** Lists of lengths of time: the waits between deliveries of one body. */
  readonly waits: readonly (readonly string[])[];
  /** Names of headers, and short texts. */
  readonly texts: readonly string[];
  /** Every text of an exchange that differs. */
  readonly said: ReadonlySet<string>;
}

const MOST = 24;
const LONGEST_TEXT = 200;
/** How many earlier exchanges on the same name are looked at, beside the first. */
const MOST_EARLIER = 3;
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;
const HOURS_IN_WORDS = 48;

/** Gathers them from the exchanges that differ. */
export function recordedValuesIn({ compared }: Played): RecordedValues {
  const differing = compared.filter(({ weight }) => weight > 0);
  return {
    numbers: few(differing.flatMap(numbersIn)),
    durations: few(durationsIn(compared)),
    waits: waitsIn(compared),
    texts: few(differing.flatMap(textsOf)),
    said: new Set(differing.flatMap(({ step }) => textsIn([step.document, parsed(step.exchange.request.body)]))),
  };
}

function few<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)].slice(0, MOST);
}

function textsOf({ differences }: Compared): readonly string[] {
  return differences.flatMap(({ path, came }) => {
    const header = path.split("headers.")[1];
    const text = typeof came === "string" && came.length <= LONGEST_TEXT ? came : "";
    if (header !== undefined) return [header, text];
    // A single word is an id or a status.
    return /\S\s+\S/.test(text) ? [text] : [];
  });
}

function numbersIn({ differences }: Compared): readonly number[] {
  return differences.flatMap(({ came }) => {
    if (typeof came === "number") return [came];
    return typeof came === "string" ? (came.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) : [];
  });
}

/** Returns how far recorded moments are from their exchange and from one another, and how long after related ones an exchange came. */
function durationsIn(compared: readonly Compared[]): readonly string[] {
  const lengths: number[] = [];
  /** When exchanges began that speak of a name: the first, and the latest. */
  const spoken = new Map<string, readonly number[]>();
  for (const { step, differences, sides, weight } of compared) {
    const named = new Set(sides.names.namesIn(`${step.path} ${step.text ?? ""}`));
    if (weight > 0) {
      lengths.push(...lengthsIn(differences, sides), ...gapsIn(momentsIn(step.document)));
      for (const name of named)
        for (const earlier of spoken.get(name) ?? []) {
          const gap = step.at - earlier;
          lengths.push(gap, gap + 1000, gap - 1000);
        }
    }
    for (const name of named) {
      const [first = step.at, ...latest] = spoken.get(name) ?? [];
      spoken.set(name, [first, ...latest.slice(1 - MOST_EARLIER), step.at]);
    }
  }
  return few(lengths.filter((length) => length > 0).map(inWords));
}

function lengthsIn(differences: Compared["differences"], { moments }: Compared["sides"]): readonly number[] {
  return differences.flatMap(({ came }) => {
    const moment = momentOf(came);
    if (moment !== undefined) return [moment - moments.recorded];
    // A lifetime in seconds.
    return typeof came === "number" ? [came * 1000] : [];
  });
}

function gapsIn(moments: readonly number[]): readonly number[] {
  return moments.flatMap((later) => moments.map((earlier) => later - earlier));
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
