import { inWords } from "../engine/duration.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import type { AnyFault } from "./declaration.ts";
import type { FaultPlan, PlannedFault } from "./plan.ts";

/** A fault that was added, as a test follows it. */
export interface AddedFault {
  /** The name under which the journal speaks of it. */
  readonly id: string;
  /** How often it has fired so far in the world as it stands; for a fault that was removed, how often it had fired until then. */
  readonly hits: number;
  /**
   * Resolves once the fault has fired so often, so that a test knows that its call has arrived before it moves the clock.
   * @param times how often; once by default
   * @throws {CentavoError} `INVALID_STATE` when the fault is removed before, as by a reset; `INVALID_OPTION` when `times` is not a
   *   whole number from 1 on, or is more than the fault's own `times` or `nth` allow
   *
   * @example
   * const fault = sim.faults.add({ kind: "request.latency", delay: "40 s", times: 1 });
   * const call = sim.fetch(url);
   * await fault.struck();
   * await sim.clock.advance("40 s");
   */
  struck(times?: number): Promise<void>;
  /**
   * Removes the fault; what it already did stands. Does nothing when the fault is no longer planned, as after a reset, even when
   * another fault has got its name.
   */
  remove(): void;
}

/** Follows a fault that was added, and tells whether it is still planned. */
export interface FaultHandle extends Omit<AddedFault, "remove"> {
  isPlanned(): boolean;
}

/** What tests hold of the faults that they added, and what they wait for. It belongs to this process, and no snapshot holds it. */
export class FaultHandles {
  readonly #plan: FaultPlan;
  readonly #waiting = new Set<() => void>();
  /** How often those that were removed had fired, by their identity, for whoever still holds their handle. */
  readonly #hitsOfRemoved = new Map<string, number>();
  /** The last handle of each, because a world that began anew may plan what looks the same. */
  readonly #latest = new Map<string, object>();

  constructor(plan: FaultPlan) {
    this.#plan = plan;
  }

  /** The handle of a fault that was just added. */
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

  /** Keeps what the handle of a removed fault goes on telling. */
  removed(planned: PlannedFault): void {
    this.#hitsOfRemoved.set(identityOf(planned), planned.hits);
    this.changed();
  }

  /** Lets those who wait look again: a fault has fired or was removed, or another world has taken the place of theirs. */
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
    `The fault ${id} was taken away before it had bitten ${inTimes(times)}; it had ${hits === 0 ? "not bitten at all" : `bitten ${inTimes(hits)}`}.`,
  );
}

/** @throws {CentavoError} `INVALID_OPTION` for a number of times that is never reached */
function requireReachable(times: unknown, { times: most = Infinity, nth }: AnyFault, id: string): void {
  const refuse = (why: string): CentavoError =>
    new CentavoError("INVALID_OPTION", `struck(${inWords(times)}) of the fault ${id}: ${why}.`);
  if (!Number.isInteger(times) || (times as number) < 1) throw refuse("times is a whole number from 1 on");
  const limit = nth === undefined ? most : 1;
  if ((times as number) > limit)
    throw refuse(
      `it never bites more than ${inTimes(limit)}, because ${nth === undefined ? `its times is ${most}` : `its nth is ${nth}`}`,
    );
}

function inTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** What a fault is in every copy of its world. Its name alone does not say that, because another may get it. */
function identityOf({ id, number, fault }: PlannedFault): string {
  return JSON.stringify([id, number, fault]);
}
