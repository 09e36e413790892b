import { lanes } from "../reported-run.ts";
import type { Row } from "../reported-run.ts";
import { Rows } from "./rows.tsx";
import { Asides, Moment } from "./timeline.tsx";

const WIDTH = 100 / lanes.length;

/** The same entries as messages between participants. */
export function Sequence() {
  return (
    <div class="sequence">
      <div class="lanes" aria-hidden="true">
        <span />
        <div class="tracks">
          {lanes.map((lane) => (
            <span key={lane} class={`lane who-${lane}`}>
              {lane}
            </span>
          ))}
        </div>
      </div>
      <Rows name="Sequence" height={44} draw={(row, before) => <Message row={row} before={before} />} />
    </div>
  );
}

function Message({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
  const [from, to] = [lanes.indexOf(row.from), lanes.indexOf(row.to)];
  const isAlone = from === to;
  const left = (Math.min(from, to) + 0.5) * WIDTH;
  const place = isAlone
    ? from > 1
      ? { right: `${100 - left - WIDTH / 2}%`, maxWidth: `${left + WIDTH / 2}%` }
      : { left: `${left - WIDTH / 2}%`, maxWidth: `${100 - left + WIDTH / 2}%` }
    : { left: `${left}%`, width: `${Math.abs(to - from) * WIDTH}%` };
  // An answer has an arrow of its own.
  const result = row.kind === "answer" || row.kind === "request" ? undefined : row.result;
  return (
    <>
      <Asides row={row} before={before} />
      <div class="message">
        <Moment at={row.at} before={before?.at} />
        <div class="tracks">
          {lanes.map((lane) => (
            <span key={lane} class="lane" />
          ))}
          <span class="visually-hidden">{isAlone ? row.from : `${row.from} to ${row.to}`}:</span>
          <span class={isAlone ? "alone" : `arrow ${from < to ? "right" : "left"}`} style={place}>
            <span class="label">
              {row.label}
              {result !== undefined && <span class="result">{result}</span>}
            </span>
          </span>
        </div>
      </div>
    </>
  );
}
