import { withGlobal } from "@sinonjs/fake-timers";
import type { Service } from "../kit/http/callable-service.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { dropEndedDate, endFakedDate, isDateFaked } from "../kit/base/runtime/fakes.ts";

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

/** A faker of the process's `Date`, with the `Date` that it was made for. */
let faker: { readonly date: DateConstructor; readonly timers: ReturnType<typeof withGlobal> } | undefined;

/**
 * Creating a faker inspects every global, which takes longer than faking `Date`. So the tests share one until the process has another
 * `Date`.
 */
function fakeTimers(): ReturnType<typeof withGlobal> {
  const { Date: date } = globalThis;
  if (faker?.date !== date) faker = { date, timers: withGlobal(globalThis) };
  return faker.timers;
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
  dropEndedDate();
  if (isDateFaked()) {
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      "fakeDate(): Date is already faked, for example by another fakeDate(), vi.useFakeTimers() or jest.useFakeTimers(). " +
        'End that first, or let it fake everything but Date: vi.useFakeTimers({ toFake: ["setTimeout"] }).',
    );
  }
  const fake = fakeTimers().install({ toFake: ["Date"], now: Date.parse(sim.clock.now()) });
  const faked = globalThis.Date;
  let stopFollowing: (() => void) | undefined = sim.clock.onMove((now) => fake.setSystemTime(Date.parse(now)));
  const close = () => {
    if (stopFollowing === undefined) return;
    stopFollowing();
    stopFollowing = undefined;
    fake.uninstall();
    endFakedDate(faked);
    forget?.();
  };
  const forget = sim.onClose?.(close);
  return { close, [Symbol.dispose]: close };
}
