import type { ComponentChildren } from "preact";
import type { Part, Row } from "../reported-run.ts";
import { PathDiagram } from "./diagram.tsx";
import { resource, run, selected, selectedRow } from "./store.ts";
import { Text } from "./timeline.tsx";
import { counted, durationInWords, momentOf, ownNames, shortId } from "./words.ts";

/** What the details of an entry show besides its row. */
export interface DetailsProps {
  /** What a reader can do with the entry. */
  readonly actions?: (row: Row) => ComponentChildren;
  /** Returns what the entry carried, if more is known of it than its row says. */
  readonly partsOf?: (row: Row) => readonly Part[] | undefined;
}

export function Details({ actions, partsOf }: DetailsProps) {
  const row = selectedRow.value;
  if (row === undefined)
    return (
      <aside id="details" class="details empty" tabIndex={-1} aria-label="Details">
        <p>Select an entry to see its headers, its body and the state that it led to.</p>
        <p class="hint">
          <kbd>↓</kbd> <kbd>↑</kbd> move, <kbd>/</kbd> search, <kbd>Esc</kbd> close
        </p>
      </aside>
    );
  const { sequence, at, who, kind, label, tone, result, facts, about } = row;
  const parts = partsOf?.(row) ?? row.parts;
  const { resources, rows } = run.value;
  const moved = about
    .map((index) => resources[index])
    .find((each) => each?.moves.some((move) => move.sequence === sequence));
  const since = Date.parse(at) - Date.parse(rows[0]?.at ?? at);
  return (
    <aside id="details" class="details" tabIndex={-1} aria-label="Details">
      <header>
        <p class="eyebrow">
          #{sequence} · {who} · {kind}
        </p>
        <button type="button" class="close" aria-label="Close the details" onClick={() => (selected.value = undefined)}>
          ×
        </button>
        <h2>
          {kind === "request" && parts.length > 0 ? label : <Text row={row} />}{" "}
          {kind === "request" && result !== undefined && <span class={`pill tone-${tone}`}>{result}</span>}
        </h2>
        <p class="when">
          {momentOf(at)} UTC · {since === 0 ? "at the beginning" : `${durationInWords(since)} after the beginning`}
        </p>
      </header>
      {actions?.(row)}
      {about.length > 0 && (
        <p class="about">
          {about.map((index) => (
            <button type="button" key={index} class="chip" onClick={() => (resource.value = index)}>
              only {[...ownNames([resources[index]]), shortId(resources[index]?.id ?? "")].join(" ")}
            </button>
          ))}
        </p>
      )}
      {moved !== undefined && <PathDiagram resource={moved} until={sequence} />}
      {parts.map((part, index) => (
        <Carried key={`${sequence} ${index}`} part={part} />
      ))}
      {facts.length > 0 && (
        <details open={parts.length === 0}>
          <summary>In the journal</summary>
          <Pairs pairs={facts} />
        </details>
      )}
    </aside>
  );
}

function Carried({ part: { title, headers = [], body, cut } }: { readonly part: Part }) {
  return (
    <section class="carried">
      <h3>{title}</h3>
      {headers.length > 0 && (
        <details>
          <summary>{counted(headers.length, "header")}</summary>
          <Pairs pairs={headers} />
        </details>
      )}
      {body === undefined ? <p class="nothing">No body.</p> : <Body text={body} title={title} />}
      {cut !== undefined && <p class="nothing">… {counted(cut, "further character")} left out</p>}
    </section>
  );
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [string, string])[] }) {
  return (
    <dl class="pairs">
      {pairs.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A JSON member at the beginning of a line: its name, and the rest. */
const MEMBER = /^(\s*)("(?:[^"\\]|\\.)*")(: )(.*)$/;

function Body({ text, title }: { readonly text: string; readonly title: string }) {
  return (
    <pre tabIndex={0} aria-label={`Body: ${title}`}>
      {text.split("\n").map((line, index) => {
        const [, space = "", name, colon, rest] = MEMBER.exec(line) ?? [];
        return name === undefined ? (
          `${line}\n`
        ) : (
          <span key={index}>
            {space}
            <span class="member">{name}</span>
            {colon}
            {rest}
            {"\n"}
          </span>
        );
      })}
    </pre>
  );
}
