import { signal } from "@preact/signals";
import { counted, momentOf } from "../../../report/page/words.ts";
import { chosenPath, shownWorld, worlds } from "./worlds.ts";
import type { ListedWorld } from "../../../report/live-run.ts";

/** How many worlds make a search worth its place, and how many are listed at once. */
const MANY = 8;
const MOST_LISTED = 300;

const wanted = signal("");

/** The worlds of the server: a list beside the page, and on a phone a field above it. */
export function WorldList() {
  const all = worlds.value ?? [];
  const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ title, name }) =>
    words.every((word) => `${title}\n${name}`.toLowerCase().includes(word)),
  );
  return (
    <nav class="worlds" aria-label="Worlds">
      <label class="world-select">
        <span>World</span>
        <select
          value={shownWorld.value?.path ?? ""}
          onChange={({ currentTarget: { value } }) => (chosenPath.value = value)}
        >
          {all.map((world) => (
            <option key={world.path} value={world.path}>
              {world.title}
              {world.isEnded ? " (ended)" : ""}
            </option>
          ))}
        </select>
      </label>
      <div class="world-list">
        <h2 class="eyebrow">
          Worlds <span class="count">{all.length.toLocaleString("en")}</span>
        </h2>
        {all.length > MANY && (
          <input
            type="search"
            aria-label="Search the worlds"
            placeholder="Search the worlds"
            value={wanted.value}
            onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          />
        )}
        <ul>
          {found.slice(0, MOST_LISTED).map((world) => (
            <li key={world.path}>
              <World world={world} />
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="hint">No world has that name.</p>}
        {found.length > MOST_LISTED && <p class="hint">And {counted(found.length - MOST_LISTED, "further world")}.</p>}
      </div>
    </nav>
  );
}

function World({ world }: { readonly world: ListedWorld }) {
  const { path, title, name, now, entries, isEnded } = world;
  return (
    <button
      type="button"
      class="world"
      aria-current={path === shownWorld.value?.path}
      onClick={() => (chosenPath.value = path)}
    >
      <span class="title">{title}</span>
      {name !== title && name !== "" && <span class="hint name">{name}</span>}
      <span class="hint facts">
        {counted(entries, "entry")} · {isEnded ? "ended" : momentOf(now).slice(0, 16)}
      </span>
    </button>
  );
}
