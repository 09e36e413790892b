import { gapOf } from "./coverage/of-seen.ts";
import type { Coverage } from "../simulator/coverage-result.ts";
import { moveWithInput, ofResource } from "./coverage/happenings.ts";
import { parts } from "../simulator/coverage-result.ts";
import { machines } from "./coverage/machines.ts";
import type { Machine } from "./coverage/machines.ts";
import { isAbout, resources } from "./coverage/scope.ts";
import { TITLES } from "./coverage/table.ts";
import { universe } from "./coverage/universe.ts";
import type { ReportedCoverage, ServicePart } from "./reported-run.ts";

export function reportedCoverage(coverage: Coverage): ReportedCoverage {
  const { notUsed, forgotten, neverTested } = coverage;
  return {
    parts: Object.fromEntries(
      parts.map((part) => {
        const { seen, percent } = coverage[part];
        const gaps: readonly string[] = neverTested.filter((gap) => gap.part === part).map(({ name }) => name);
        return [part, { seen, neverTested: gaps, percent }];
      }),
    ) as ReportedCoverage["parts"],
    visited: Object.fromEntries(
      machines
        .filter(({ name }) => coverage.resources.includes(name))
        .map((machine) => [machine.name, visitedOf(machine, coverage)]),
    ),
    notUsed,
    forgotten,
  };
}

/** Returns every part of the service in words, limited to these kinds of resource. All runs of a report share it. */
export function serviceParts(counted = resources): readonly ServicePart[] {
  return parts.map((part) => ({
    part,
    title: TITLES[part],
    all: universe[part].filter((name) => isAbout(counted, part, name)).map((name) => gapOf(part, name)),
  }));
}

/** Names the visited states and moves as the machine's diagram does. */
function visitedOf({ name, initial, states, moves }: Machine, coverage: Coverage): readonly string[] {
  const seen = states.filter((state) => coverage.states.seen.includes(ofResource(name, state)));
  const made = moves.filter((move) => coverage.moves.seen.includes(moveWithInput(move)));
  return [
    ...(seen.includes(initial) ? ["start", `start-${initial}`] : []),
    ...seen,
    ...new Set(made.flatMap(({ from, input, to }) => [`${from}-${to}`, `${from}-${input}-${to}`])),
  ];
}
