import { inWords } from "../base/errors/in-words.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import type { AnyFault } from "./declaration.ts";
import type { FaultPlan, PlannedFault } from "./plan.ts";

/** A handle on a fault that a test added. */
export interface AddedFault {
  /** Its name in the journal. */
  readonly id: string;
  /** How often it has fired in the current world; for a removed fault, how often it had fired until then. */
  readonly hits: number;
  /**
   * Resolves once the fault has fired `times` times. A test can await it to be sure that its call has arrived before it moves the clock.
   * @param times how many times; once by default
   * @throws {CentavoError} `INVALID_STATE` when the fault is removed first, as by a reset; `INVALID_OPTION` when `times` is not a
   *   whole number of at least 1, or is more than the fault's own `times` or `nth` allow
   *
   * @example
   * const fault = sim.faults.add({ kind: "request.latency", delay: "40 s", times: 1 });
   * const call = sim.fetch(url);
   * await fault.struck();
   * await sim.clock.advance("40 s");
   */
  struck(times?: number): Promise<void>;
  /**
   * Removes the fault; what it has already done stays. Does nothing when the fault is no longer planned, such as after a reset, even if
   * another fault has its name now.
   */
  remove(): void;
}

/** A handle that also knows whether its fault is still planned. */
export interface FaultHandle extends Omit<AddedFault, "remove"> {
  isPlanned(): boolean;
}

/** The handles of added faults, and the calls that wait for them. They belong to this process; no snapshot contains them. */
export class FaultHandles {
  readonly #plan: FaultPlan;
  readonly #waiting = new Set<() => void>();
  /** How often removed faults had fired, by identity, because a test may keep their handles. */
  readonly #hitsOfRemoved = new Map<string, number>();
  /** The latest handle of each identity, because a world that was reset may plan an identical fault. */
  readonly #latest = new Map<string, object>();

  constructor(plan: FaultPlan) {
    this.#plan = plan;
  }

  /** Returns the handle of a fault that was just added. */
  open(added: PlannedFault): FaultHandle {
    const { id, fault } = added;
    const identity = identityOf(added);
    const itself = {};
    this.#hitsOfRemoved.delete(identity);
    this.#latest.set(identity, itself);
    const isLatest = (): boolean => this.#latest.get(identity) === itself;
    const planned = (): PlannedFault | undefined => {
      const found = this.#plan.get(id);
      return found !== undefined && isLatest() && identityOf(found) === identity ? found : undefined;
    };
    const hits = (): number => (isLatest() ? (planned()?.hits ?? this.#hitsOfRemoved.get(identity) ?? 0) : 0);
    return {
      id,
      get hits() {
        return hits();
      },
      struck: async (times = 1) => {
        requireReachable(times, fault, id);
        await this.#fired({ id, times, hits, isPlanned: () => planned() !== undefined });
      },
      isPlanned: () => planned() !== undefined,
    };
  }

  /** Keeps the hits of a removed fault for its handle. */
  removed(planned: PlannedFault): void {
    this.#hitsOfRemoved.set(identityOf(planned), planned.hits);
    this.changed();
  }

  /** Makes waiting callers check again: a fault has fired or was removed, or the world was replaced. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  #fired({
    id,
    times,
    hits,
    isPlanned,
  }: {
    readonly id: string;
    readonly times: number;
    readonly hits: () => number;
    readonly isPlanned: () => boolean;
  }): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (hits() < times && isPlanned()) return;
        this.#waiting.delete(look);
        if (hits() >= times) resolve();
        else reject(removedTooEarly(id, times, hits()));
      };
      this.#waiting.add(look);
      look();
    });
  }
}

function removedTooEarly(id: string, times: number, hits: number): CentavoError {
  return new CentavoError(
    "INVALID_STATE",
    `struck(${times}) of the fault ${id}: it was removed ${hits === 0 ? "before it fired" : `after it had fired ${inTimes(hits)}`}. sim.faults.remove, clear and sim.reset() remove faults; await struck() before them.`,
  );
}

/** @throws {CentavoError} `INVALID_OPTION` for a number of times that the fault can never reach */
function requireReachable(times: unknown, { times: most = Infinity, nth }: AnyFault, id: string): void {
  const refuse = (why: string): CentavoError =>
    new CentavoError("INVALID_OPTION", `struck(${inWords(times)}) of the fault ${id}: ${why}.`);
  if (!Number.isInteger(times) || (times as number) < 1) throw refuse("times must be a whole number of at least 1");
  const limit = nth === undefined ? most : 1;
  if ((times as number) > limit)
    throw refuse(
      `it never fires more than ${inTimes(limit)}, because ${nth === undefined ? `its times is ${most}` : `its nth is ${nth}`}. Await fewer, or plan the fault to fire more often`,
    );
}

function inTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** Identifies a fault in every copy of its world. Its name is not enough, because another fault may get it later. */
function identityOf({ id, number, fault }: PlannedFault): string {
  return JSON.stringify([id, number, fault]);
}
