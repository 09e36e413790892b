import { useState } from "preact/hooks";
import { run } from "../../../../report/page/store.ts";
import { Prose } from "../../../../report/page/prose.tsx";
import { durationInWords, momentOf, withShortIds } from "../../../../report/page/words.ts";
import { Said, useAction } from "../action.tsx";
import type { Action } from "../action.tsx";
import { Reason } from "../reason.tsx";
import { control } from "../control.ts";
import { reasonAgainstChanges } from "../worlds.ts";
import type { ListedWorld } from "../../../../report/live-run.ts";

/** What moves the clock: the words on a button, and the call. */
const MOVES = [
  ["next event", "POST /clock/step", {}],
  ["+ 1 hour", "POST /clock/advance", { duration: "1 hour" }],
  ["+ 1 day", "POST /clock/advance", { duration: "1 day" }],
  ["+ 1 month", "POST /clock/advance", { duration: "1 month" }],
  ["settle", "POST /clock/settle", {}],
] as const;

/** The virtual time, what is due next, and what moves the clock. */
export function MoveClock({ world }: { readonly world: ListedWorld }) {
  const action = useAction();
  const reason = reasonAgainstChanges(world);
  const now = run.value.now ?? world.now;
  return (
    <section class="clock-bar" aria-label="Clock">
      <p class="now">
        <span class="eyebrow">Virtual time</span>
        <time dateTime={now}>{momentOf(now)}</time> UTC
        {world.clock.isMovedBy === "time" && <span class="pill tone-pending">runs by itself</span>}
      </p>
      <Next now={now} />
      <div class="moves" role="group" aria-label="Move the clock">
        {MOVES.map(([words, call, body]) => (
          <button
            type="button"
            key={words}
            disabled={reason !== undefined}
            onClick={() => action.begin(() => move(world.path, call, body))}
          >
            {words}
          </button>
        ))}
        <ToDate world={world} action={action} now={now} isDisabled={reason !== undefined} />
      </div>
      <Said of={action} />
      <Reason world={world} />
    </section>
  );
}

function Next({ now }: { readonly now: string }) {
  const next = run.value.pending.find(({ at }) => at !== undefined);
  if (next?.at === undefined) return <p class="next hint">Nothing waits for the clock.</p>;
  const wait = Date.parse(next.at) - Date.parse(now);
  return (
    <p class="next">
      <b>{wait <= 0 ? "due now" : `in ${durationInWords(wait)}`}</b> <Prose text={withShortIds(next.what)} />
    </p>
  );
}

interface ToDateProps {
  readonly world: ListedWorld;
  readonly action: Action;
  readonly now: string;
  readonly isDisabled: boolean;
}

function ToDate({ world, action, now, isDisabled }: ToDateProps) {
  const [date, setDate] = useState("");
  return (
    <form
      class="to-date"
      onSubmit={(event) => {
        event.preventDefault();
        action.begin(() => moveTo(world.path, date === "" ? now : `${date}Z`));
      }}
    >
      <input
        type="datetime-local"
        step="1"
        aria-label="Date to which the clock goes, in UTC"
        value={date === "" ? now.slice(0, 19) : date}
        disabled={isDisabled}
        onInput={({ currentTarget }) => setDate(currentTarget.value)}
      />
      <button type="submit" disabled={isDisabled}>
        go to date
      </button>
    </form>
  );
}

/** Lets time pass up to a moment. */
export async function moveTo(path: string, at: string): Promise<{ problem?: string; said?: string }> {
  const instant = Number.isNaN(Date.parse(at)) ? at : new Date(at).toISOString();
  return move(path, "POST /clock/advance-to", { instant });
}

async function move(path: string, call: string, body: object): Promise<{ problem?: string; said?: string }> {
  const { data, problem } = await control<{ readonly now: string }>(path, call, body);
  return problem === undefined ? { said: `It is ${momentOf(data.now)} now.` } : { problem };
}
