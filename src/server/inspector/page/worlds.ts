import { computed, signal } from "@preact/signals";
import { PLACE, follow } from "./connection.ts";

/** A world of the server. */
export interface InspectedWorld {
  readonly name: string;
  /** What stands before the paths of the world; empty for the default one. */
  readonly path: string;
  /** The test that it belongs to, or another name for people. */
  readonly title: string;
  readonly now: string;
  /** How many entries its journal has. */
  readonly entries: number;
  readonly clock: { readonly isMovedBy: "test" | "time" | "page"; readonly reason?: string };
  readonly isEnded: boolean;
}

/** Undefined until the server has told them. */
export const worlds = signal<readonly InspectedWorld[] | undefined>(undefined);
/** The path of the world that is shown; undefined until one is chosen. */
export const chosenPath = signal<string | undefined>(undefined);
/** The path of the world beside it, if two are compared. */
export const besidePath = signal<string | undefined>(undefined);

/** The world that is shown: the chosen one, or else the first. */
export const shownWorld = computed<InspectedWorld | undefined>(() => {
  const all = worlds.value ?? [];
  return all.find(({ path }) => path === chosenPath.value) ?? all[0];
});

/** Why nobody but the test moves the clock of a world; undefined when the page may. */
export function reasonAgainstMoving({ clock, isEnded }: InspectedWorld): string | undefined {
  if (isEnded) return "This world has ended.";
  if (clock.isMovedBy !== "test") return undefined;
  return clock.reason ?? "The test moves the clock of this world.";
}

export function followWorlds(): void {
  follow(`${PLACE}/inspector/worlds`, { worlds: (data: readonly InspectedWorld[]) => (worlds.value = data) });
}
