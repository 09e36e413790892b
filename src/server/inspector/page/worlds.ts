import { computed, signal } from "@preact/signals";
import type { ListedWorld } from "../../../report/live-run.ts";
import { PLACE, follow } from "./connection.ts";

/** Undefined until the server has told them. */
export const worlds = signal<readonly ListedWorld[] | undefined>(undefined);
/** The path of the world that is shown; undefined until one is chosen. */
export const chosenPath = signal<string | undefined>(undefined);
/** The path of the world beside it, if two are compared. */
export const besidePath = signal<string | undefined>(undefined);

/** The world that is shown: the chosen one, or else the first. */
export const shownWorld = computed<ListedWorld | undefined>(() => {
  const all = worlds.value ?? [];
  return all.find(({ path }) => path === chosenPath.value) ?? all[0];
});

/** Why the page may not change a world; undefined when it may. */
export function reasonAgainstChanges({ clock, isGone, isEnded }: ListedWorld): string | undefined {
  if (isGone) return "This world has ended.";
  if (clock.isMovedBy !== "test") return undefined;
  if (isEnded) return "The test has ended. Fork its world to go on from here.";
  return clock.reason ?? "The test owns this world.";
}

export function followWorlds(): void {
  follow(`${PLACE}/inspector/worlds`, { worlds: (data: readonly ListedWorld[]) => (worlds.value = data) });
}
