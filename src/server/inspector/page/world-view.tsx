import { useEffect } from "preact/hooks";
import type { ReportedRun } from "../../../report/reported-run.ts";
import { Assumptions } from "../../../report/page/assumptions.tsx";
import { Explorer } from "../../../report/page/explorer.tsx";
import type { View } from "../../../report/page/explorer.tsx";
import { Resources } from "../../../report/page/resources.tsx";
import { Sequence } from "../../../report/page/sequence.tsx";
import { isFollowing, run, runs, selectedRow } from "../../../report/page/store.ts";
import { Timeline } from "../../../report/page/timeline.tsx";
import { Said, useAction } from "./action.tsx";
import { askForCarried, carriedBy } from "./carried.ts";
import { Causes } from "./causes.tsx";
import { Clock } from "./clock/clock.tsx";
import { MoveClock } from "./clock/move-clock.tsx";
import { Compare } from "./compare/compare.tsx";
import { Customer } from "./customer.tsx";
import { EntryActions } from "./entry-actions.tsx";
import { Faults } from "./faults/faults.tsx";
import { forkOf } from "./fork.ts";
import { followRun } from "./live-run.ts";
import { save } from "./save.ts";
import { showNothing } from "./shown.ts";
import { Sums } from "./sums.tsx";
import type { ListedWorld } from "../../../report/live-run.ts";

/** The views of a world, in the order of their tabs. */
export const views = [
  "timeline",
  "sequence",
  "resources",
  "clock",
  "faults",
  "customer",
  "assumptions",
  "compare",
] as const;

function viewsOf(world: ListedWorld, shown: ReportedRun): Readonly<Record<(typeof views)[number], View>> {
  const { resources, pending, faults, assumptions } = shown;
  return {
    timeline: { draw: () => <Timeline />, isList: true },
    sequence: { draw: () => <Sequence />, isList: true },
    resources: { draw: () => <Resources />, count: resources.length },
    clock: { draw: () => <Clock world={world} />, count: pending.length },
    faults: { draw: () => <Faults world={world} />, ...(faults.length > 0 && { count: faults.length }) },
    customer: { draw: () => <Customer world={world} /> },
    assumptions: { draw: () => <Assumptions />, count: assumptions.length },
    compare: { draw: () => <Compare world={world} /> },
  };
}

/** Everything about one world. */
export function WorldView({ world }: { readonly world: ListedWorld }) {
  const { path } = world;
  useEffect(() => {
    showNothing();
    const live = followRun(path);
    const stop = live.run.subscribe((shown) => {
      if (live.isKnown.value) runs.value = { ...runs.value, runs: [shown] };
    });
    return () => {
      stop();
      live.close();
    };
  }, [path]);
  const shown = run.value;
  const chosen = selectedRow.value;
  useEffect(() => {
    if (chosen !== undefined && !world.isGone) void askForCarried(path, chosen);
  }, [path, chosen]);
  return (
    <main class="world-view">
      <Head world={world} />
      <MoveClock world={world} />
      <Causes run={shown} />
      {shown.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <Explorer
        views={viewsOf(world, shown)}
        tools={<Follow />}
        actions={(row) => (
          <EntryActions key={row.sequence} row={{ ...row, parts: carriedBy(path, row) ?? row.parts }} world={world} />
        )}
        partsOf={(row) => carriedBy(path, row)}
      />
    </main>
  );
}

/** Whether the newest entry stays in view. Scrolling to the end turns it on, and scrolling elsewhere turns it off. */
function Follow() {
  return (
    <button
      type="button"
      class="follow"
      aria-pressed={isFollowing.value}
      onClick={() => (isFollowing.value = !isFollowing.value)}
    >
      ↓ follow
    </button>
  );
}

function Head({ world }: { readonly world: ListedWorld }) {
  const action = useAction();
  useEffect(() => {
    document.title = `${world.title} · Centavo inspector`;
  }, [world.title]);
  return (
    <div class="world-head">
      <h1>{world.title}</h1>
      {world.isEnded && <span class="pill">ended</span>}
      <Sums run={run.value} />
      <div class="world-actions" role="group" aria-label="This world">
        <button type="button" disabled={world.isGone} onClick={() => action.begin(() => forkOf(world))}>
          Fork
        </button>
        <button type="button" onClick={() => action.begin(() => save(world, "report"))}>
          ↓ Report
        </button>
        <button type="button" onClick={() => action.begin(() => save(world, "recording"))}>
          ↓ Recording
        </button>
      </div>
      <Said of={action} />
    </div>
  );
}
