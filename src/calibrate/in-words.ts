import { inWords } from "../kit/base/errors/in-words.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { Calibration } from "./calibration.ts";

/** A part of what a calibration says: its title, and one line for each thing. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** How many exchanges are named for one row. */
const MOST_SOURCES = 3;

/** Tells a calibration in sentences, in sections without empty ones. */
export function calibrationInWords(calibration: Calibration): readonly Section[] {
  const { rows, disagreements, acts, drift, leftOut, unseen, played, isCut } = calibration;
  const found = rows.filter(({ id }) => Object.hasOwn(calibration.assumptions, id));
  const confirmed = rows.filter((row) => !found.includes(row));
  const sections: readonly Section[] = [
    {
      title: `${counted(played, "exchange")} played. ${counted(found.length, "assumption")} found that differ from the defaults`,
      lines: found.map(({ id, value, changed, exchanges }) => {
        const isNew = changed ? "" : ", as before";
        return `${id} ${JSON.stringify(value)}${isNew}: ${sourcesInWords(exchanges)}`;
      }),
    },
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
        return `${source} (${call}), ${path}: expected ${mine}, came ${theirs}`;
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

function sourcesInWords(sources: readonly string[]): string {
  if (sources.length === 0) return "no exchange alone";
  const named = sources.slice(0, MOST_SOURCES).join("; ");
  const more = sources.length - MOST_SOURCES;
  return more > 0 ? `${named}; and ${more} more` : named;
}

function counted(count: number, what: string): string {
  return `${count === 0 ? "No" : count} ${what}${count === 1 ? "" : "s"}`;
}
