import type { Row } from "../reported-run.ts";
import { Moment } from "./moment.tsx";
import { Prose } from "./prose.tsx";
import { Rows } from "./rows.tsx";
import { asidesAfter, run } from "./store.ts";
import { ownNames } from "./words.ts";

/** The kinds of row that are sentences. The others hold data, whose backticks are its own. */
const SENTENCES: ReadonlySet<string> = new Set(["warning", "failure", "refused"]);

/** What happened, one line for each entry. */
export function Timeline() {
  return <Rows name="Timeline" height={34} draw={(row, before) => <Line row={row} before={before} />} />;
}

function Line({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
  return (
    <>
      <Before row={row} before={before} />
      <div class="line">
        <span class={`who who-${row.from}`}>{row.who}</span>
        <span class="what">
          <Text row={row} />
        </span>
        <span class="end">
          <OwnNames row={row} />
          {row.result !== undefined && <span class="result">{row.result}</span>}
        </span>
      </div>
    </>
  );
}

export function Text({ row: { kind, text } }: { readonly row: Row }) {
  return SENTENCES.has(kind) ? <Prose text={text} /> : <>{text}</>;
}

/** What the merchant calls the resources that something concerns, because ids say little to a reader. */
export function OwnNames({ row: { about } }: { readonly row: Pick<Row, "about"> }) {
  const names = ownNames(about.map((index) => run.value.resources[index]));
  return names.length === 0 ? null : <span class="own">{names.join(", ")}</span>;
}

/** What stands above a row: the headings of the story, and the time if it is another than above. */
export function Before({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
  return (
    <>
      {before === undefined && <Moment at={row.at} />}
      <Asides row={row} before={before} />
      {before !== undefined && <Moment at={row.at} before={before.at} />}
    </>
  );
}

function Asides({ row, before }: { readonly row: Row; readonly before: Row | undefined }) {
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
