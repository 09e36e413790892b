import { keepNewest } from "../kit/engine/newest.ts";
import type { Service } from "../kit/http/callable-service.ts";

/** How many ids and keys of ended worlds are remembered in total, and of each kind per world. */
const MOST_KEPT = 20_000;
const MOST_OF_A_KIND = 100;

/** The names of ended worlds, by the ids and keys that they issued, oldest first. */
const namesByText = new Map<string, string>();
const watched = new WeakSet<Service>();

/** Remembers what a world issued once its simulator is closed, so that the answer to a late call can name the world. */
export function rememberWhenClosed(service: Service): void {
  const { identity } = service;
  if (identity === undefined || watched.has(service)) return;
  watched.add(service);
  service.onClose?.(() => {
    for (const text of identity.issued(MOST_OF_A_KIND)) {
      namesByText.delete(text);
      namesByText.set(text, identity.name);
    }
    keepNewest(namesByText, MOST_KEPT);
  });
}

/** Whether any ended world is remembered. */
export function someWorldsEnded(): boolean {
  return namesByText.size > 0;
}

/** Returns the name of the ended world that issued a text. */
export function endedIssuerOf(text: string): string | undefined {
  return namesByText.get(text);
}
