import { followDate, followsDateOf } from "../../adapters/fake-date.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { fakedTimers } from "../../kit/base/runtime/fakes.ts";
import { provideTimers } from "../../kit/base/runtime/provided-timers.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { replaceGlobals } from "./merchant-globals.ts";
import { MerchantProcess, wholeProcess } from "./merchant-process.ts";
import { merchantWork } from "./merchant-work.ts";

/** Faked timers. `using timers = fakeTimers(sim)` restores the real ones at the end of the block. */
export interface FakedTimers extends Disposable {
  /** Restores the real timers and, unless something else lets it follow, the real `Date`. Does nothing when called again. */
  close(): void;
}

/**
 * Makes the process's timers follow a simulator's clock, so that a shop's own scheduler runs under time travel: `setTimeout`, `setInterval`,
 * `AbortSignal.timeout`, and those of `node:timers` and `node:timers/promises`. Each rings at its own moment, between the service's timers.
 * `Date` follows, too. The option `timers: true` of `createSimulator` does the same.
 *
 * Timers that were set before stay real, and so do those of Node itself, `setImmediate` and `process.nextTick`. A timer that throws rejects
 * the call that moves the clock. When the world is restored or reset, timers begin anew. `sim.close()` ends them.
 *
 * @param sim the simulator whose clock the timers follow
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when timers or `Date` are already faked, or follow another simulator
 *
 * @example
 * using timers = fakeTimers(sim);
 * setInterval(() => takeAccessAway(), 3_600_000);
 * await sim.clock.advance("2 days"); // it has run 48 times
 */
export function fakeTimers(sim: Simulator): FakedTimers {
  return followTimers(sim);
}

/**
 * Makes the timers follow as `fakeTimers` does.
 * @param onDateReplaced called with what is wrong when fake timers take the place of `Date`
 */
export function followTimers(sim: Simulator, onDateReplaced?: (error: CentavoError) => void): FakedTimers {
  const faked = fakedTimers().filter((name) => name === "setTimeout" || name === "setInterval");
  if (wholeProcess.process !== undefined || faked.length > 0) {
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      `fakeTimers() or timers: true: ${faked.length > 0 ? `${faked.join(" and ")} ${faked.length === 1 ? "is" : "are"} faked already, for example by vi.useFakeTimers() or jest.useFakeTimers()` : "the timers of this process follow another simulator, and a process has one set of them"}. ` +
        "End that first, or leave the timers of this simulator real.",
    );
  }
  const date = followsDateOf(sim) ? undefined : followDate(sim, onDateReplaced);
  const { waits } = sim.clock;
  const process = new MerchantProcess({
    time: {
      quiet: 0,
      after: (milliseconds, ring) => waits.startTimer(`a timer of ${milliseconds} ms`, milliseconds, ring),
    },
    fetchOf: () => globalThis.fetch,
  });
  wholeProcess.process = process;
  const putBack = replaceGlobals();
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    wholeProcess.process = undefined;
    process.end();
    merchantWork.ends();
    putBack();
    date?.close();
    forget();
  };
  const forget = sim.onClose(close);
  return { close, [Symbol.dispose]: close };
}

provideTimers(fakeTimers);
