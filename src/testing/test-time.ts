import { followDate } from "../adapters/fake-date.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { fakedTimers, isDateFaked } from "../kit/base/runtime/fakes.ts";
import { followTimers } from "../merchant/process/fake-timers.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { RealTimers } from "./real-timers.ts";
import type { TestOptions } from "./test-options.ts";

/** The test whose clock `Date` follows by default. */
let followed: { readonly sim: Simulator; readonly name: string } | undefined;

/** The time of the process during one test: what of it follows the virtual clock, and what else is done to it. */
export class TestTime {
  readonly #fakeDate: boolean | undefined;
  readonly #timers: boolean;
  readonly #isConcurrent: boolean;
  #realTimers: RealTimers | undefined;
  #fakedTimers: readonly string[] = [];
  /** Says which call took `Date` from the virtual clock. */
  dateIsReplaced: CentavoError | undefined;

  constructor({ fakeDate, timers = false }: TestOptions, isConcurrent: boolean) {
    this.#fakeDate = fakeDate ?? (isConcurrent ? false : undefined);
    this.#timers = timers;
    this.#isConcurrent = isConcurrent;
  }

  /** @throws {CentavoError} `INVALID_OPTION` or `INTERCEPTION_CONFLICT` when the process cannot follow the clock of this test */
  check(name: string): void {
    if (this.#fakeDate === false && this.#timers) throw dateFollowsToo(this.#isConcurrent);
    if (this.#fakeDate === undefined && followed !== undefined) throw dateIsTaken(followed.name, name);
  }

  /**
   * Begins to follow the clock of a simulator, until that is closed.
   * @param name the test's name, for the message to another test at the same time
   */
  follow(sim: Simulator, name: string): void {
    const isDefault = this.#fakeDate === undefined && !isDateFaked();
    const onReplaced = (error: CentavoError): void => void (this.dateIsReplaced ??= error);
    if (this.#timers) followTimers(sim, onReplaced);
    else if (this.#fakeDate === true || isDefault) followDate(sim, onReplaced);
    if (isDefault) followed = { sim, name };
    if (!this.#timers)
      this.#realTimers = new RealTimers(sim.internals.parts.engine, sim.internals.settings.receiverTimeout);
  }

  /** Notes what hooks may undo before a failure is explained. */
  note(): void {
    this.#fakedTimers = fakedTimers();
  }

  /** Returns what the causes of a failure look at. */
  get clues() {
    return {
      fakedTimers: this.#fakedTimers,
      dateIsReplaced: this.dateIsReplaced?.message,
      realTimers: this.#realTimers?.passedBy ?? [],
      timersOfApps: this.#realTimers?.ofApps ?? [],
    };
  }

  stop(sim: Simulator): void {
    if (followed?.sim === sim) followed = undefined;
    this.#realTimers?.stop();
  }
}

function dateFollowsToo(isConcurrent: boolean): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    isConcurrent
      ? "withSimulator: the option timers is true in a concurrent test, and a process has one set of timers. Let the test run alone: test.sequential."
      : "simulated or withSimulator: the option timers is true and fakeDate is false, but a scheduler that asks Date needs both to follow. Leave fakeDate out.",
  );
}

function dateIsTaken(holder: string, name: string): CentavoError {
  return new CentavoError(
    "INTERCEPTION_CONFLICT",
    `The simulated test ${JSON.stringify(name)} began while Date still follows the clock of ${JSON.stringify(holder)}, and a process has one Date. ` +
      "Give tests that run at the same time, such as those of test.concurrent, fakeDate: false. If they should not overlap, " +
      "the earlier one is still running, perhaps because the runner gave up on it after its timeout.",
  );
}
