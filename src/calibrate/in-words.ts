import { inWords } from "../kit/base/errors/in-words.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { DELIVERY } from "./calibration.ts";
import type { Calibration, ShownRow } from "./calibration.ts";
import { isRecord } from "./differences.ts";

/** A part of what a calibration says: its title, and one line for each thing. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** Whether a terminal shows only the first lines. */
  readonly isLong?: boolean;
}

/** A file of assumptions that a calibration is compared with. */
export interface CheckedFile {
  /** Its path, as it was typed. */
  readonly name: string;
  readonly assumptions: AssumptionOverrides;
}

/** How many exchanges are named for one row. */
const MOST_SOURCES = 3;

/**
 * Tells a calibration in sentences, in sections without empty ones.
 * @param checked the file that it is compared with, in place of the defaults
 */
export function calibrationInWords(calibration: Calibration, checked?: CheckedFile): readonly Section[] {
  const { rows, disagreements, acts, drift, leftOut, unseen, played, isCut } = calibration;
  const found = rows.filter(({ id }) => Object.hasOwn(calibration.assumptions, id));
  const confirmed = rows.filter((row) => !found.includes(row) && (checked === undefined || !row.changed));
  const sections: readonly Section[] = [
    ...(checked === undefined ? [foundSection(played, found)] : checkedSections(played, rows, found, checked)),
    {
      title: `${counted(disagreements.length, "assumption")} on which the recordings disagree`,
      lines: disagreements.map(({ id, key, values }) => {
        const each = values.map(({ value, sources }) => `${JSON.stringify(value)} says ${sourcesInWords(sources)}`);
        return `${id}${key === undefined ? "" : ` of ${key}`}: ${each.join("; ")}`;
      }),
    },
    {
      title: `${counted(drift.length, "difference")} that no assumption explains`,
      lines: drift.map(({ source, call, path, expected, came }) => {
        const [mine, theirs] = [expected, came].map((value) => (value === undefined ? "nothing" : inWords(value)));
        const does = call === DELIVERY ? "sends" : "answers";
        return `${source} (${call}), ${path}: Centavo ${does} ${mine}, the recording has ${theirs}`;
      }),
    },
    {
      title: `${counted(acts.length, "act")} performed, because the recordings show what came of them`,
      lines: acts.map(({ source, act }) => `before ${source}: ${act}`),
    },
    {
      title: `${counted(confirmed.length, "default")} that the recordings confirm`,
      lines: confirmed.map(({ id, exchanges }) => `${id}: ${sourcesInWords(exchanges)}`),
    },
    {
      title: `${counted(unseen.length, "assumption")} of which the recordings say nothing`,
      isLong: true,
      lines: unseen.map((id) => `${id}: ${assumptionTable[id].question}`),
    },
    {
      title: `${counted(leftOut.length, "exchange")} left out`,
      lines: leftOut.map(({ source, why }) => `${source}: ${why}`),
    },
    {
      title: "Not every value was tried, because the recordings are long",
      lines: isCut ? ["Record fewer exchanges, or calibrate with a part of them."] : [],
    },
  ];
  return sections.filter(({ lines }, index) => index === 0 || lines.length > 0);
}

function foundSection(played: number, found: readonly ShownRow[]): Section {
  return {
    title: `${counted(played, "exchange")} played. ${counted(found.length, "assumption")} found that differ from the defaults`,
    lines: found.map(({ id, value, changed, exchanges }) => {
      const isNew = changed ? "" : ", as before";
      return `${id} ${JSON.stringify(value)}${isNew}: ${sourcesInWords(exchanges)}`;
    }),
  };
}

function checkedSections(
  played: number,
  rows: readonly ShownRow[],
  found: readonly ShownRow[],
  { name, assumptions }: CheckedFile,
): readonly Section[] {
  const different = rows.filter(({ changed }) => changed);
  const same = found.filter(({ changed }) => !changed);
  const given: Readonly<Record<string, unknown>> = assumptions;
  return [
    {
      title: `${counted(played, "exchange")} played. ${counted(different.length, "assumption")} on which ${name} and the recordings differ`,
      lines: different.map(({ id, value, exchanges }) => {
        const [theirs, said] = withoutShared(given[id], value);
        const has = theirs === undefined ? "leaves the default" : `has ${JSON.stringify(theirs)}`;
        return `${id}: ${name} ${has}, the recordings say ${JSON.stringify(said)} (${sourcesInWords(exchanges)})`;
      }),
    },
    {
      title: `${counted(same.length, "assumption")} of ${name} that the recordings confirm`,
      lines: same.map(({ id, value, exchanges }) => `${id} ${JSON.stringify(value)}: ${sourcesInWords(exchanges)}`),
    },
  ];
}

/** Returns two values, of tables only the members in which they differ. */
function withoutShared(left: unknown, right: unknown): readonly [unknown, unknown] {
  if (!isRecord(left) || !isRecord(right)) return [left, right];
  const only = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(one).filter(
        ([name, value]) => !Object.hasOwn(other, name) || JSON.stringify(value) !== JSON.stringify(other[name]),
      ),
    );
  return [only(left, right), only(right, left)];
}

function sourcesInWords(sources: readonly string[]): string {
  if (sources.length === 0) return "no single exchange shows it";
  const named = sources.slice(0, MOST_SOURCES).join("; ");
  const more = sources.length - MOST_SOURCES;
  return more > 0 ? `${named}; and ${more} more` : named;
}

function counted(count: number, what: string): string {
  return `${count === 0 ? "No" : count} ${what}${count === 1 ? "" : "s"}`;
}
