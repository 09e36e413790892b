import { everyEntry, moveSelection, onlyProblems, query, resource, selected, tab } from "./store.ts";

/** What each key does, unless the focus is in a field. */
const KEYS: Readonly<Record<string, () => void>> = {
  "/": () => document.querySelector<HTMLElement>("#search")?.focus(),
  j: () => moveSelection(1),
  k: () => moveSelection(-1),
  p: () => void (onlyProblems.value = !onlyProblems.value),
  e: () => void (everyEntry.value = !everyEntry.value),
};

/**
 * Handles the keys that the footer lists.
 * @param tabs the names of the views, in the order of their numbers
 */
export function listenToKeys(tabs: readonly string[]): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Escape") {
      stepBack();
      return;
    }
    if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
    const view = tabs[Number(event.key) - 1];
    const act = view === undefined ? KEYS[event.key] : () => void (tab.value = view);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

/** Closes the details. If they are closed, clears the search and the filters. */
function stepBack(): void {
  if (selected.value !== undefined) {
    selected.value = undefined;
    document.querySelector<HTMLElement>(".rows")?.focus();
    return;
  }
  query.value = "";
  resource.value = undefined;
  onlyProblems.value = false;
}
