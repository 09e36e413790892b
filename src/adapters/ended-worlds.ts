import { keepNewest } from "../kit/engine/newest.ts";
import type { Service } from "../kit/http/callable-service.ts";

/** How many ids and keys of ended worlds are kept at most, and how many of each kind for one world. */
const MOST_KEPT = 20_000;
const MOST_OF_A_KIND = 100;

/** The names of ended worlds, by what they issued. The oldest come first. */
const namesByText = new Map<string, string>();
const watched = new WeakSet<Service>();

/** Remembers what a world issued once its simulator is closed, so that the answer to a late call can name its world. */
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

/** Whether anything of an ended world is kept. */
export function someWorldsEnded(): boolean {
  return namesByText.size > 0;
}

/** Returns the name of the ended world that issued this text. */
export function endedIssuerOf(text: string): string | undefined {
  return namesByText.get(text);
}
