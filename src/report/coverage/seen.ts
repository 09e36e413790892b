import type { WrittenEntries } from "../../kit/engine/written-entries.ts";
import { happeningsIn } from "./happenings.ts";
import { parts } from "../../simulator/coverage-result.ts";
import type { Happening } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";

export class Seen {
  readonly #names = new Map<Part, Set<string>>(parts.map((part) => [part, new Set()]));

  /** Adds what entries show, and returns what is new. */
  addEntries({ world, entries }: WrittenEntries): readonly Happening[] {
    return entries.flatMap((entry) => happeningsIn(entry, world)).filter((happening) => this.add(happening));
  }

  /** Returns false if it was seen before. */
  add([part, name]: Happening): boolean {
    const names = this.#names.get(part);
    if (names === undefined || names.has(name)) return false;
    names.add(name);
    return true;
  }

  has(part: Part, name: string): boolean {
    return this.#names.get(part)?.has(name) === true;
  }

  get all(): readonly Happening[] {
    return [...this.#names].flatMap(([part, names]) => [...names].map((name) => [part, name] as const));
  }
}
