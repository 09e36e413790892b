import { useLayoutEffect, useRef } from "preact/hooks";
import { diagrams } from "virtual:machine-diagrams";
import type { ReportedResource } from "../reported-run.ts";

interface DiagramProps {
  readonly resource: ReportedResource;
  /** The sequence up to which the path is marked; all of it by default. */
  readonly until?: number;
}

/** The states of a resource, with the path that it took. */
export function Diagram({ resource, until = Infinity }: DiagramProps) {
  const picture = useRef<HTMLDivElement>(null);
  const { machine, moves } = resource;
  // An earlier state says nothing of the end.
  const tone = until >= (moves.at(-1)?.sequence ?? 0) ? resource.tone : "plain";
  const drawn = diagrams[machine];
  useLayoutEffect(() => {
    for (const part of picture.current?.querySelectorAll(".visited, .last") ?? [])
      part.classList.remove("visited", "last");
    const mark = (id: string, name = "visited"): void =>
      picture.current?.querySelector(`#${CSS.escape(`${machine}-${id}`)}`)?.classList.add(name);
    const made = moves.filter(({ sequence }) => sequence <= until);
    for (const { from = "start", input, to } of made)
      for (const id of [from, to, `${from}-${to}`, `${from}-${input}-${to}`]) mark(id);
    const last = made.at(-1);
    if (last !== undefined) mark(last.to, "last");
  });
  if (drawn === undefined) return null;
  return <div ref={picture} class={`diagram tone-${tone}`} dangerouslySetInnerHTML={{ __html: drawn }} />;
}
