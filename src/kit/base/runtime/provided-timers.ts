import { CentavoError } from "../errors/centavo-error.ts";

/** It has a name, because the core and the entries for Node may be copies of different formats. */
const PROVIDED = Symbol.for("centavo.fake-timers");

/** Lets `createSimulator` make the process's timers follow a clock. The core does not load what replaces them. */
export function provideTimers(follow: (followed: never) => unknown): void {
  Reflect.set(globalThis, PROVIDED, follow);
}

/** @throws {CentavoError} `INVALID_OPTION` while nothing that replaces timers was loaded */
export function providedTimers(): (followed: never) => unknown {
  const follow = Reflect.get(globalThis, PROVIDED) as ((followed: never) => unknown) | undefined;
  if (follow !== undefined) return follow;
  throw new CentavoError(
    "INVALID_OPTION",
    'createSimulator: the option timers is true, and what replaces the timers of Node is not loaded. Write import "centavo/node"; in the file that creates the simulator. withSimulator and simulated need no import.',
  );
}
