import type { ComponentChildren } from "preact";
import { Details } from "./details.tsx";
import type { DetailsProps } from "./details.tsx";
import { everyEntry, onlyProblems, query, resource, run, tab, visible } from "./store.ts";
import { counted, kindOf, ownNames, shortId } from "./words.ts";

/** One way to look at a run. */
export interface View {
  readonly draw: () => ComponentChildren;
  /** What stands at its tab. */
  readonly count?: number;
  /** Whether it lists the rows that the filters leave, with the details of one beside them. */
  readonly isList?: true;
}

interface ExplorerProps extends DetailsProps {
  /** By the names of their tabs. */
  readonly views: Readonly<Record<string, View>>;
  /** What stands beside the filters. */
  readonly tools?: ComponentChildren;
}

/** The views of a run, one at a time. */
export function Explorer({ views, tools, ...ofDetails }: ExplorerProps) {
  const names = Object.keys(views);
  const shown = views[tab.value];
  const isList = shown?.isList === true;
  return (
    <div class="explorer">
      <div class="tabs" role="tablist" aria-label="Views" onKeyDown={(event) => onTabKey(event, names)}>
        {names.map((name) => (
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
            {views[name]?.count !== undefined && <span class="count">{views[name].count.toLocaleString("en")}</span>}
          </button>
        ))}
      </div>
      {isList && <Filters tools={tools} />}
      <div
        id="view"
        role="tabpanel"
        aria-labelledby={`tab-${tab.value}`}
        class={isList ? "split" : "whole"}
        // What is scrolled by hand is scrolled by keys, too.
        {...(!isList && { tabIndex: 0 })}
      >
        {shown?.draw()}
        {isList && <Details {...ofDetails} />}
      </div>
    </div>
  );
}

function onTabKey({ key }: KeyboardEvent, names: readonly string[]): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step === undefined) return;
  const next = names[(names.indexOf(tab.value) + step + names.length) % names.length];
  if (next === undefined) return;
  tab.value = next;
  document.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
}

/** How many resources the filter offers besides the chosen one: the newest. A list of thousands helps nobody. */
const MOST_OFFERED = 500;

function Filters({ tools }: Pick<ExplorerProps, "tools">) {
  const { resources, rows } = run.value;
  const earliest = resources.length - MOST_OFFERED;
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
        {resources.map((each, index) =>
          index < earliest && index !== resource.value ? undefined : (
            <option key={each.id} value={index}>
              {[kindOf(each), ...ownNames([each]), shortId(each.id)].join(" ")}, {each.status}
            </option>
          ),
        )}
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
      {tools}
    </div>
  );
}
