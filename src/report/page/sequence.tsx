import { lanes } from "../reported-run.ts";
import type { Row } from "../reported-run.ts";
import { Rows } from "./rows.tsx";
import { Before, OwnNames } from "./timeline.tsx";

const WIDTH = 100 / lanes.length;

/** The same entries as messages between participants. */
export function Sequence() {
  return (
    <div class="sequence">
      <div class="lanes" aria-hidden="true">
        {lanes.map((lane) => (
          <span key={lane} class={`who-${lane}`}>
            {lane}
          </span>
        ))}
      </div>
      <Rows name="Sequence" height={44} draw={(row, before) => <Message row={row} before={before} />} />
    </div>
  );
}

function Message({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
  const [from, to] = [lanes.indexOf(row.from), lanes.indexOf(row.to)];
  const isAlone = from === to;
  const [left, right] = [(Math.min(from, to) + 0.5) * WIDTH, (Math.max(from, to) + 0.5) * WIDTH];
  const middle = (left + right) / 2;
  // An answer has an arrow of its own.
  const result = row.kind === "answer" || row.kind === "request" ? undefined : row.result;
  return (
    <>
      <Before row={row} before={before} />
      <div class="message">
        {lanes.map((lane, index) => (
          <span key={lane} class="lane" style={{ left: `${(index + 0.5) * WIDTH}%` }} />
        ))}
        <span class="visually-hidden">{isAlone ? row.from : `${row.from} to ${row.to}`}:</span>
        <div class="label" style={{ gridTemplateColumns: `minmax(0, ${middle}fr) auto minmax(0, ${100 - middle}fr)` }}>
          <span class={isAlone ? "alone" : ""}>
            {row.label}
            <OwnNames row={row} />
            {result !== undefined && <span class="result">{result}</span>}
          </span>
        </div>
        {!isAlone && (
          <span
            class={`arrow ${from < to ? "right" : "left"}`}
            style={{ marginLeft: `${left}%`, width: `${right - left}%` }}
          />
        )}
      </div>
    </>
  );
}
