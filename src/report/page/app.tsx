import { Assumptions } from "./assumptions.tsx";
import { Coverage } from "./coverage.tsx";
import { Details } from "./details.tsx";
import { Pending } from "./pending.tsx";
import { Prose } from "./prose.tsx";
import { Resources } from "./resources.tsx";
import { Sequence } from "./sequence.tsx";
import {
  everyEntry,
  isPrinted,
  onlyProblems,
  openRun,
  query,
  resource,
  run,
  runIndex,
  runs,
  tab,
  tabs,
  visible,
} from "./store.ts";
import type { Tab } from "./store.ts";
import { Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";
import { counted, kindOf, momentOf, ownNames, shortId } from "./words.ts";

const VIEWS: Readonly<Record<Tab, () => ReturnType<typeof Timeline>>> = {
  timeline: () => <Timeline />,
  sequence: () => <Sequence />,
  resources: () => <Resources />,
  pending: () => <Pending />,
  assumptions: () => <Assumptions />,
  coverage: () => <Coverage />,
};

export function App() {
  const shown = run.value;
  const { outcome = "unknown" } = shown;
  return (
    <>
      <header class="top">
        <p class="brand">centavo report</p>
        <Runs />
        <h1>
          {outcome !== "unknown" && <span class={`verdict-word ${outcome}`}>{outcome}</span>}{" "}
          <Prose text={shown.title} />
        </h1>
      </header>
      <main>
        <Summary run={shown} />
        {shown.notes.map((note) => (
          <p key={note} class="note">
            <Prose text={note} />
          </p>
        ))}
        <Body />
      </main>
      <Foot />
    </>
  );
}

function Runs() {
  const all = runs.value.runs;
  if (all.length < 2) return null;
  return (
    <label class="runs">
      <span>Story</span>
      <select value={runIndex.value} onChange={({ currentTarget }) => openRun(Number(currentTarget.value))}>
        {all.map(({ title, outcome }, index) => (
          <option key={index} value={index}>
            {outcome === "failed" ? "✗ " : outcome === "passed" ? "✓ " : ""}
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Body() {
  const { rows, coverage } = run.value;
  if (rows.length > 0) return isPrinted.value ? <Printed /> : <Explorer />;
  if (coverage === undefined) return null;
  return (
    <div class="explorer whole">
      <Coverage />
    </div>
  );
}

function Explorer() {
  const { pending, assumptions, resources } = run.value;
  const counts: Partial<Record<Tab, number>> = {
    resources: resources.length,
    pending: pending.length,
    assumptions: assumptions.length,
  };
  const isList = tab.value === "timeline" || tab.value === "sequence";
  return (
    <div class="explorer">
      <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onTabKey}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            id={`tab-${name}`}
            role="tab"
            aria-selected={tab.value === name}
            aria-controls="view"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => (tab.value = name)}
          >
            {name}
            {counts[name] !== undefined && <span class="count">{counts[name]}</span>}
          </button>
        ))}
      </div>
      {isList && <Filters />}
      <div id="view" role="tabpanel" aria-labelledby={`tab-${tab.value}`} class={isList ? "split" : "whole"}>
        {VIEWS[tab.value]()}
        {isList && <Details />}
      </div>
    </div>
  );
}

function onTabKey({ key }: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step === undefined) return;
  const next = tabs[(tabs.indexOf(tab.value) + step + tabs.length) % tabs.length];
  if (next === undefined) return;
  tab.value = next;
  document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
}

function Filters() {
  const { resources, rows } = run.value;
  return (
    <div class="filters" role="search">
      <input
        id="search"
        type="search"
        placeholder="Search paths, ids, headers, bodies"
        aria-label="Search"
        value={query.value}
        onInput={({ currentTarget }) => (query.value = currentTarget.value)}
      />
      <select
        aria-label="Resource"
        value={resource.value ?? ""}
        onChange={({ currentTarget: { value } }) => (resource.value = value === "" ? undefined : Number(value))}
      >
        <option value="">every resource</option>
        {resources.map((each, index) => (
          <option key={each.id} value={index}>
            {[kindOf(each), ...ownNames([each]), shortId(each.id)].join(" ")}, {each.status}
          </option>
        ))}
      </select>
      <label>
        <input
          type="checkbox"
          checked={onlyProblems.value}
          onChange={() => (onlyProblems.value = !onlyProblems.value)}
        />
        problems only
      </label>
      <label>
        <input type="checkbox" checked={everyEntry.value} onChange={() => (everyEntry.value = !everyEntry.value)} />
        every entry
      </label>
      <output aria-live="polite">
        {visible.value.length.toLocaleString("en")} of {counted(rows.length, "entry")}
      </output>
    </div>
  );
}

/** On paper, all views follow one another. */
function Printed() {
  return (
    <>
      <h2>Timeline</h2>
      <Timeline />
      <Resources />
      <Pending />
      <h2>Assumptions</h2>
      <Assumptions />
      <h2>Coverage</h2>
      <Coverage />
    </>
  );
}

function Foot() {
  const { rows, seed, digest, now } = run.value;
  if (seed === undefined)
    return (
      <footer>
        <p>Centavo {runs.value.version}</p>
      </footer>
    );
  return (
    <footer>
      <p>
        Seed <code>{seed}</code>
        {digest !== undefined && (
          <>
            {" "}
            · digest <code>{digest.slice(0, 12)}</code>
          </>
        )}
        {now !== undefined && <> · ended {momentOf(now)} UTC</>} · Centavo {runs.value.version}. Amounts, cards and
        customers are simulated; secrets are taken out.
      </p>
      {rows.length > 0 && <Keyboard />}
    </footer>
  );
}

function Keyboard() {
  return (
    <details>
      <summary>Keyboard</summary>
      <p>
        <kbd>/</kbd> search · <kbd>↓</kbd> <kbd>↑</kbd> or <kbd>j</kbd> <kbd>k</kbd> next and previous entry ·{" "}
        <kbd>Page ↓</kbd> <kbd>Page ↑</kbd> <kbd>Home</kbd> <kbd>End</kbd> further · <kbd>Enter</kbd> to the details ·{" "}
        <kbd>Esc</kbd> closes them, then clears the filters · <kbd>1</kbd> to <kbd>{tabs.length}</kbd> the views ·{" "}
        <kbd>p</kbd> problems only · <kbd>e</kbd> every entry
      </p>
    </details>
  );
}
