import type { Row } from "../reported-run.ts";
import { Rows } from "./rows.tsx";
import { asidesAfter, run } from "./store.ts";
import { momentOf } from "./words.ts";

/** What happened, one line for each entry. */
export function Timeline() {
  return <Rows name="Timeline" height={34} draw={(row, before) => <Line row={row} before={before} />} />;
}

function Line({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
  return (
    <>
      <Asides row={row} before={before} />
      <div class="line">
        <Moment at={row.at} before={before?.at} />
        <span class={`who who-${row.from}`}>{row.who}</span>
        <span class="what">{row.text}</span>
        {row.result !== undefined && <span class="result">{row.result}</span>}
      </div>
    </>
  );
}

/** The headings of the story between two shown rows. */
export function Asides({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
  if (run.value.asides.length === 0) return null;
  const found = [];
  for (let after = before?.sequence ?? 0; after < row.sequence; after += 1)
    found.push(...(asidesAfter.value.get(after) ?? []));
  return (
    <>
      {found.map(({ kind, text }, index) => (
        <p key={index} class={`aside ${kind}`}>
          {text}
        </p>
      ))}
    </>
  );
}

/** A moment, shown only as far as it differs from the one before. */
export function Moment({ at, before = "" }: { readonly at: string; readonly before?: string | undefined }) {
  const [date, time] = momentOf(at);
  return (
    <time class={`moment${at === before ? " same" : ""}`} dateTime={at}>
      {before.startsWith(date) ? <span class="date same">{date}</span> : <span class="date">{date}</span>}
      <span class="time">{time}</span>
    </time>
  );
}
