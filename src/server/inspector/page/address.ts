import { effect } from "@preact/signals";
import { tab } from "../../../report/page/store.ts";
import { besidePath, chosenPath } from "./worlds.ts";
import { views } from "./world-view.tsx";

/** Keeps in the address what is shown, so that a reload shows the same. */
export function keepInAddress(): void {
  const given = new URLSearchParams(location.search);
  chosenPath.value = given.get("world") ?? undefined;
  besidePath.value = given.get("beside") ?? undefined;
  const view = views.find((name) => name === given.get("view"));
  if (view !== undefined) tab.value = view;
  effect(() => {
    const shown = new URLSearchParams();
    if (chosenPath.value !== undefined) shown.set("world", chosenPath.value);
    if (besidePath.value !== undefined) shown.set("beside", besidePath.value);
    if (tab.value !== "timeline") shown.set("view", tab.value);
    const query = shown.toString();
    history.replaceState(null, "", location.pathname + (query === "" ? "" : `?${query}`) + location.hash);
  });
}
