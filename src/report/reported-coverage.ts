import { gapOf } from "../coverage/coverage.ts";
import type { Coverage } from "../coverage/coverage.ts";
import { moveWithInput, ofResource, parts } from "../coverage/happenings.ts";
import { machines } from "../coverage/machines.ts";
import type { Machine } from "../coverage/machines.ts";
import { TITLES } from "../coverage/table.ts";
import { universe } from "../coverage/universe.ts";
import type { ReportedCoverage, ServicePart } from "./reported-run.ts";

/** Returns what the report shows of coverage. */
export function reportedCoverage(coverage: Coverage): ReportedCoverage {
  const { forgotten } = coverage;
  return {
    parts: Object.fromEntries(
      parts.map((part) => {
        const { seen, percent } = coverage[part];
        return [part, { seen, percent }];
      }),
    ) as ReportedCoverage["parts"],
    visited: Object.fromEntries(machines.map((machine) => [machine.name, visitedOf(machine, coverage)])),
    forgotten,
  };
}

/** Returns every part of the service in words, which all runs of a report share. */
export function serviceParts(): readonly ServicePart[] {
  return parts.map((part) => ({
    part,
    title: TITLES[part],
    all: universe[part].map((name) => gapOf(part, name)),
  }));
}

/** Names what was gone through as the diagram of the machine does. */
function visitedOf({ name, initial, states, moves }: Machine, coverage: Coverage): readonly string[] {
  const seen = states.filter((state) => coverage.states.seen.includes(ofResource(name, state)));
  const made = moves.filter((move) => coverage.moves.seen.includes(moveWithInput(move)));
  return [
    ...(seen.includes(initial) ? ["start", `start-${initial}`] : []),
    ...seen,
    ...new Set(made.flatMap(({ from, input, to }) => [`${from}-${to}`, `${from}-${input}-${to}`])),
  ];
}
