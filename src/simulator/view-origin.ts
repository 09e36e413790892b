import type { TestCalls } from "../kit/engine/test-calls.ts";

/** The world that a view was read from. */
export interface ViewOrigin {
  readonly sim: {
    readonly internals: {
      readonly parts: { readonly engine: { readonly world: number; readonly testCalls: TestCalls } };
    };
  };
  /** The count of the simulator's worlds at that time: a later one has replaced the world of the view. */
  readonly world: number;
}

/** A registered symbol, because a test and its matchers may load Centavo as an ES module and as CommonJS. */
const ORIGIN = Symbol.for("centavo.view-origin");

/**
 * Makes a reader's view remember where it came from, without a trace in comparisons, copies or JSON, and notes ids that it does not find.
 * @param called what a simulator calls the reader
 */
export function rememberingOrigin<Reader extends object>(
  sim: ViewOrigin["sim"],
  called: string,
  reader: Reader,
): Reader {
  const methods = Object.entries(reader).map(([name, method]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      // Before the method reads, because a clock that runs then brings the world to its moment.
      const { world, testCalls } = sim.internals.parts.engine;
      const read = method(...given);
      if (name === "get" && read === undefined) testCalls.unfound = { reader: called, id: String(given[0]) };
      remember(read, { sim, world });
      return read;
    },
  ]);
  return Object.fromEntries(methods) as Reader;
}

/** Returns where a view was read; undefined for anything else. */
export function originOf(value: object): ViewOrigin | undefined {
  return (value as { readonly [ORIGIN]?: ViewOrigin })[ORIGIN];
}

/** Views may contain others, as a subscription contains its latest invoice. */
function remember(read: unknown, origin: ViewOrigin): void {
  if (typeof read !== "object" || read === null) return;
  if ("id" in read) Object.defineProperty(read, ORIGIN, { value: origin });
  for (const part of Object.values(read)) remember(part, origin);
}
