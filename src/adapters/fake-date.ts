import type { Service } from "../kit/http/callable-service.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { holdDate, isDateFaked } from "../kit/base/runtime/fakes.ts";

/** A clock that the process's `Date` can follow, such as a simulator's. */
export interface FollowedClock {
  now(): string;
  onMove(listener: (now: string) => void): () => void;
}

/** A faked `Date`. `using date = fakeDate(sim)` restores the real one at the end of the block. */
export interface FakedDate extends Disposable {
  /** Restores the real `Date`. Does nothing when called again. */
  close(): void;
}

/** The simulators whose time `Date` tells. */
const followed = new WeakSet<object>();

/** Whether `Date` follows this simulator. */
export function followsDateOf(sim: object): boolean {
  return followed.has(sim);
}

/**
 * Makes the process's own `Date` follow a simulator's clock, so that a merchant's checks of signature stamps and token expiry hold under
 * time travel. It fakes only `Date`: real timers, MSW and test runners work as before. A webhook's stamp is the process's time
 * (`webhook.stamp`), so the stamp becomes virtual too.
 *
 * @param sim the simulator whose clock `Date` follows
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when `Date` is already faked
 *
 * @example
 * using date = fakeDate(sim);
 * await sim.clock.advance("1 year");
 * console.log(new Date()); // a year later
 */
export function fakeDate(sim: { readonly clock: FollowedClock } & Pick<Service, "onClose">): FakedDate {
  return followDate(sim);
}

/**
 * Makes `Date` follow as `fakeDate` does.
 * @param onReplaced called with what is wrong when fake timers take the place of `Date`. Until they end, moving the clock throws it, too
 */
export function followDate(
  sim: Parameters<typeof fakeDate>[0],
  onReplaced: (error: CentavoError) => void = () => undefined,
): FakedDate {
  if (isDateFaked()) {
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      "fakeDate(): Date is already faked, for example by another fakeDate(), vi.useFakeTimers() or jest.useFakeTimers(). " +
        'End that first, or let it fake everything but Date: vi.useFakeTimers({ toFake: ["setTimeout"] }).',
    );
  }
  const now = (): number => OriginalDate.parse(sim.clock.now());
  let replaced: CentavoError | undefined;
  const noteReplaced = (call: string): CentavoError => {
    replaced = dateIsReplaced(call, sim.clock.now());
    onReplaced(replaced);
    return replaced;
  };
  const held = holdDate(now, noteReplaced);
  const stopWatching = sim.clock.onMove(() => {
    held.check();
    if (tellsAnotherTime(now)) throw replaced ?? noteReplaced("a library");
  });
  followed.add(sim);
  const close = () => {
    if (!followed.delete(sim)) return;
    stopWatching();
    held.end();
    forget?.();
  };
  const forget = sim.onClose?.(close);
  return { close, [Symbol.dispose]: close };
}

/** Whether `Date` tells another time. What cannot be called tells none. */
function tellsAnotherTime(now: () => number): boolean {
  const before = now();
  try {
    const told = new globalThis.Date().getTime();
    return !(before <= told && told <= now());
  } catch {
    return false;
  }
}

/** How to fake timers without `Date`, by the call that fakes both. */
const TIMERS_ALONE: Readonly<Record<string, string>> = {
  "vi.setSystemTime()": 'vi.useFakeTimers({ toFake: ["setTimeout"] })',
  "vi.useFakeTimers()": 'vi.useFakeTimers({ toFake: ["setTimeout"] })',
  "jest.useFakeTimers()": 'jest.useFakeTimers({ doNotFake: ["Date", "nextTick", "queueMicrotask"] })',
  "sinon.useFakeTimers()": 'sinon.useFakeTimers({ toFake: ["setTimeout"] })',
  "FakeTimers.install()": 'FakeTimers.install({ toFake: ["setTimeout"] })',
  "mock.timers.enable()": 'mock.timers.enable({ apis: ["setTimeout"] })',
};

function dateIsReplaced(call: string, now: string): CentavoError {
  const alone = TIMERS_ALONE[call];
  return new CentavoError(
    "INTERCEPTION_CONFLICT",
    `${call} replaced Date, which follows the virtual clock. That clock stands at ${now}; move it with await sim.clock.advanceTo(…). ` +
      `${alone === undefined ? "" : `To fake timers without Date: ${alone}. `}For a Date that does not follow: fakeDate: false.`,
  );
}
