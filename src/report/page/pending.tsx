import type { ReportedRun } from "../reported-run.ts";
import { Prose } from "./prose.tsx";
import { run } from "./store.ts";
import { OwnNames } from "./timeline.tsx";
import { counted, durationInWords, momentOf } from "./words.ts";

/** What the clock would do next, and the faults that the test planned. */
export function Pending() {
  const { pending, faults, now } = run.value;
  return (
    <div class="prose">
      <h2>Pending</h2>
      {pending.length === 0 ? (
        <p class="nothing">Nothing waits for the clock.</p>
      ) : (
        <DueTable pending={pending} now={now} />
      )}
      <h2>Planned faults</h2>
      {faults.length === 0 ? (
        <p class="nothing">The test planned no fault.</p>
      ) : (
        <ul class="faults">
          {faults.map(({ id, what, hits }) => (
            <li key={id}>
              <span class={`pill tone-${hits === 0 ? "pending" : "fault"}`}>
                {hits === 0 ? "never fired" : `fired ${counted(hits, "time")}`}
              </span>{" "}
              <code>{id}</code> {what}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface DueTableProps {
  readonly pending: ReportedRun["pending"];
  readonly now: string | undefined;
}

/** What is due, and when. */
export function DueTable({ pending, now }: DueTableProps) {
  return (
    <table class="stacked">
      <caption class="visually-hidden">What is due</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {pending.map(({ at, what, about }, index) => (
          <tr key={index}>
            <td>{at === undefined ? "never by itself" : at !== pending[index - 1]?.at && <Due at={at} now={now} />}</td>
            <td>
              <Prose text={what} /> <OwnNames row={{ about }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Due({ at, now = at }: { readonly at: string; readonly now?: string | undefined }) {
  const wait = Date.parse(at) - Date.parse(now);
  return (
    <>
      {momentOf(at)} <span class="hint">{wait <= 0 ? "due now" : `in ${durationInWords(wait)}`}</span>
    </>
  );
}
