import { useLayoutEffect, useRef } from "preact/hooks";
import { diagrams } from "virtual:machine-diagrams";
import type { ReportedResource, Tone } from "../reported-run.ts";

interface DiagramProps {
  readonly machine: string;
  /** What is marked, by the names of the diagram; the rest is grey. */
  readonly visited: readonly string[];
  /** The highlighted state. */
  readonly last?: string | undefined;
  readonly tone?: Tone;
}

/** The states of a machine and the moves between them. Some are marked. */
export function Diagram({ machine, visited, last, tone = "plain" }: DiagramProps) {
  const picture = useRef<HTMLDivElement>(null);
  const drawn = diagrams[machine];
  useLayoutEffect(() => {
    for (const part of picture.current?.querySelectorAll(".visited, .last") ?? [])
      part.classList.remove("visited", "last");
    const mark = (id: string, name = "visited"): void =>
      picture.current?.querySelector(`#${CSS.escape(`${machine}-${id}`)}`)?.classList.add(name);
    for (const id of visited) mark(id);
    if (last !== undefined) mark(last, "last");
  });
  if (drawn === undefined) return null;
  return (
    <div
      ref={picture}
      class={`diagram tone-${tone}`}
      role="group"
      aria-label={`Diagram: ${machine.replaceAll("_", " ")}`}
      // A narrow page scrolls it sideways, because smaller words could not be read.
      tabIndex={0}
      dangerouslySetInnerHTML={{ __html: drawn }}
    />
  );
}

interface PathProps {
  readonly resource: ReportedResource;
  /** The sequence number up to which the path is marked; all of it by default. */
  readonly until?: number;
}

/** The states of a resource, with the path that it took. */
export function PathDiagram({ resource: { machine, moves, tone }, until = Infinity }: PathProps) {
  const made = moves.filter(({ sequence }) => sequence <= until);
  return (
    <Diagram
      machine={machine}
      visited={made.flatMap(({ from = "start", input, to }) => [from, to, `${from}-${to}`, `${from}-${input}-${to}`])}
      last={made.at(-1)?.to}
      // Only the final state has a tone.
      tone={made.length === moves.length ? tone : "plain"}
    />
  );
}
