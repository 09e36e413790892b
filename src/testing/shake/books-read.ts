import type { Simulator } from "../../simulator/simulator.ts";
import { placesOf } from "./source-places.ts";
import type { SourcePlace } from "./test-record.ts";

/** How many places are noted. A test that reads in a loop repeats the same ones. */
const MOST_PLACES = 200;

/** What only Centavo knows of a run: no merchant and no customer ever sees it. */
const OWN_BOOKS = {
  webhooks: ["events", "attempts", "failures"],
  faults: ["list", "unused"],
  journal: undefined,
} as const;

/** The members of a remote simulator that read them. */
const OF_REMOTE = [
  ["webhooks", ["events", "attempts", "failures"]],
  ["faults", ["list", "unused"]],
  ["journal", ["entries", "length", "digest", "toString"]],
  ["clock", ["pending"]],
  [undefined, ["snapshot", "recording", "coverage"]],
] as const;

/** Does the same as `noteBooksRead` for the code of a test that asks a server. */
export function noteRemoteBooksRead(remote: object): readonly SourcePlace[] {
  const [places, note] = notes();
  for (const [group, members] of OF_REMOTE) {
    const part = group === undefined ? remote : (Reflect.get(remote, group) as object);
    for (const name of members) {
      const member = Object.getOwnPropertyDescriptor(part, name);
      if (member === undefined) continue;
      Object.defineProperty(part, name, {
        configurable: true,
        enumerable: true,
        get: () => {
          note();
          return member.get === undefined ? (member.value as unknown) : (member.get.call(part) as unknown);
        },
      });
    }
  }
  return places;
}

/** Returns places that grow, and a function that notes the place in the user's code that calls. */
function notes(): readonly [places: readonly SourcePlace[], note: () => void] {
  const places: SourcePlace[] = [];
  const note = (): void => {
    const [place] = placesOf(new Error("A place in the code").stack);
    if (place === undefined || places.length >= MOST_PLACES) return;
    if (!places.some(({ file, line }) => file === place.file && line === place.line)) places.push(place);
  };
  return [places, note];
}

/**
 * Notes where the code of a test reads Centavo's own books. A trouble changes them, even if the merchant bears it.
 * @returns the places, which grow
 */
export function noteBooksRead(sim: Simulator): readonly SourcePlace[] {
  const [places, note] = notes();
  for (const [name, methods] of Object.entries(OWN_BOOKS)) {
    // The faults of a shake have replaced those of the class already.
    const replaced = Object.getOwnPropertyDescriptor(sim, name)?.value as object | undefined;
    Object.defineProperty(sim, name, {
      configurable: true,
      get: () => {
        const part = replaced ?? (Reflect.get(Object.getPrototypeOf(sim) as object, name, sim) as object);
        if (methods === undefined) note();
        return methods === undefined ? part : noted(part, methods, note);
      },
    });
  }
  Object.defineProperty(sim, "clock", { configurable: true, value: noted(sim.clock, ["pending", "settle"], note) });
  for (const name of ["snapshot", "recording", "coverage"] as const) {
    const read = sim[name].bind(sim) as () => unknown;
    Object.defineProperty(sim, name, {
      configurable: true,
      value: () => {
        note();
        return read();
      },
    });
  }
  return places;
}

/** Returns a part of a simulator, some methods of which are noted. `settle` reads only where it is strict. */
function noted<Part extends object>(part: Part, methods: readonly string[], note: () => void): Part {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const call = (member as (...given: readonly unknown[]) => unknown).bind(target);
      if (!methods.includes(String(name))) return call;
      return (...given: readonly unknown[]) => {
        if (name !== "settle" || (given[0] as { strict?: unknown } | undefined)?.strict === true) note();
        return call(...given);
      };
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
