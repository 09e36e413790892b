import { signal } from "@preact/signals";
import type { Part, Row } from "../../../report/reported-run.ts";
import { control } from "./control.ts";

/** What entries carried, by the path of their world and their sequence number. */
const carried = signal<ReadonlyMap<string, readonly Part[]>>(new Map());
/** How many of them the page keeps. */
const MOST_KEPT = 500;
/** The kinds of entry that carry something. */
const CARRYING: ReadonlySet<string> = new Set(["request", "answer", "delivery"]);

/** Returns the headers and bodies of an entry, once they are known. */
export function carriedBy(path: string, { sequence }: Row): readonly Part[] | undefined {
  return carried.value.get(`${path} ${sequence}`);
}

/** Asks for the headers and bodies of an entry. The stream of the run leaves them out, because the journal does not keep them. */
export async function askForCarried(path: string, { kind, sequence, result }: Row): Promise<void> {
  const place = `${path} ${sequence}`;
  // A call that is under way has no answer yet.
  if (!CARRYING.has(kind) || carried.value.has(place) || (kind === "request" && result === undefined)) return;
  const { data } = await control<{ readonly parts: readonly Part[] }>(path, `GET /journal/${sequence}/carried`);
  if (data === undefined || data.parts.length === 0) return;
  carried.value = new Map([...[...carried.value].slice(-MOST_KEPT), [place, data.parts]]);
}

/** Forgets what the entries of a world carried, because another world has taken its place. */
export function forgetCarried(path: string): void {
  carried.value = new Map([...carried.value].filter(([place]) => !place.startsWith(`${path} `)));
}
