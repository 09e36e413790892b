import { withGlobal } from "@sinonjs/fake-timers";
import { CentavoError } from "../errors/centavo-error.ts";

/** A clock whose time the process's `Date` can follow, such as a simulator's. */
export interface FollowedClock {
  now(): string;
  onMove(listener: (now: number) => void): () => void;
}

/** The process's `Date` under a virtual clock. `using date = fakeDate(sim)` ends it with its block. */
export interface FakedDate extends Disposable {
  /** Gives the process its own time back. May be called twice. */
  close(): void;
}

/**
 * Lets the process's own `Date` follow a simulator's clock, so that a merchant's checks of signature stamps and token expiry hold under
 * time travel. Nothing but `Date` is faked: real timers, MSW and test runners go on as they were. A webhook's stamp is the process's
 * time (`webhook.stamp`), so it is virtual then, too.
 *
 * @throws CentavoError `INTERCEPTION_CONFLICT` where something else has faked `Date` already.
 *
 * @example
 * using date = fakeDate(sim);
 * await sim.clock.advance("1 year");
 * console.log(new Date()); // a year later
 */
export function fakeDate(sim: { readonly clock: FollowedClock }): FakedDate {
  if ("clock" in globalThis.Date || "isFake" in globalThis.Date) {
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      "fakeDate(): something else has faked Date already, such as another fakeDate(), vi.useFakeTimers() or jest.useFakeTimers(). " +
        'End that first, or leave Date out of it: vi.useFakeTimers({ toFake: ["setTimeout"] }).',
    );
  }
  const fake = withGlobal(globalThis).install({ toFake: ["Date"], now: Date.parse(sim.clock.now()) });
  let stopFollowing: (() => void) | undefined = sim.clock.onMove((now) => fake.setSystemTime(now));
  const close = () => {
    if (stopFollowing === undefined) return;
    stopFollowing();
    stopFollowing = undefined;
    fake.uninstall();
  };
  return { close, [Symbol.dispose]: close };
}
