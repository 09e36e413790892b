import { run } from "../../../../report/page/store.ts";
import { DueTable } from "../../../../report/page/pending.tsx";
import { counted, momentOf, withShortIds } from "../../../../report/page/words.ts";
import { Said, useAction } from "../action.tsx";
import { reasonAgainstChanges } from "../worlds.ts";
import type { ListedWorld } from "../../../../report/live-run.ts";
import { moveTo } from "./move-clock.tsx";
import { labelsOf, timeLineOf } from "./time-line.ts";
import type { Mark } from "./time-line.ts";

/** How many of what is due are listed. */
const MOST_LISTED = 200;
/** Where the words of a tick stand before it, in percent of the line. */
const LATE = 90;

/** What is due, when, on a line and as a table. */
export function Clock({ world }: { readonly world: ListedWorld }) {
  const { pending, now = world.now } = run.value;
  if (pending.length === 0)
    return (
      <p class="nothing">
        Nothing waits for the clock. A payment that settles, a session that expires and a membership that renews would
        stand here.
      </p>
    );
  return (
    <div class="prose clock-view">
      <Line world={world} now={now} />
      <DueTable pending={pending.slice(0, MOST_LISTED)} now={now} />
      {pending.length > MOST_LISTED && <p class="hint">And {counted(pending.length - MOST_LISTED, "later one")}.</p>}
    </div>
  );
}

function Line({ world, now }: { readonly world: ListedWorld; readonly now: string }) {
  const action = useAction();
  const { marks, ticks } = timeLineOf(now, run.value.pending);
  const reason = reasonAgainstChanges(world);
  return (
    <section class="time-line" aria-label="What is due, on a line">
      <div class="line-of-time">
        <span class="tick start" style={{ left: "0%" }}>
          now
        </span>
        {ticks.map(({ words, place }) => (
          <span key={words} class={place > LATE ? "tick late" : "tick"} style={{ left: `${place}%` }}>
            {words}
          </span>
        ))}
        {labelsOf(marks).map(({ mark, place }) => (
          <span key={`label ${mark.at}`} class="mark-label" style={place} aria-hidden="true">
            {withShortIds(mark.what[0] ?? "")}
            {mark.what.length > 1 && ` +${mark.what.length - 1}`}
          </span>
        ))}
        {marks.map((mark) => (
          <button
            type="button"
            key={`${mark.at} ${mark.what[0]}`}
            class={mark.what.length > 1 ? "mark many" : "mark"}
            style={{ left: `${mark.place}%` }}
            aria-label={`Go to ${momentOf(mark.at)}: ${inWords(mark)}`}
            title={`${momentOf(mark.at)}\n${mark.what.slice(0, 8).join("\n")}`}
            disabled={reason !== undefined}
            onClick={() => action.begin(() => moveTo(world.path, mark.at))}
          >
            {mark.what.length > 1 ? mark.what.length : ""}
          </button>
        ))}
      </div>
      <p class="hint">{reason ?? "A mark takes the clock to its moment."}</p>
      <Said of={action} />
    </section>
  );
}

function inWords({ what: [first = "", ...others] }: Mark): string {
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}
