import { parseInstant } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { inWords } from "../base/errors/in-words.ts";
import type { AnyFault, AnyFaultKind, Occasion } from "./declaration.ts";
import { FaultHandles } from "./handles.ts";
import type { AddedFault, FaultHandle } from "./handles.ts";
import { FaultPlan } from "./plan.ts";
import type { FaultState, PlannedFault } from "./plan.ts";
import type { KnownFaults } from "./reading.ts";
import { isCalled, isDue } from "./recurrence.ts";

/** Plans faults for a test: `sim.faults`. */
export interface FaultsControl<Fault = AnyFault> {
  /**
   * Plans a fault from now on.
   * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
   */
  add(fault: Fault): AddedFault;
  /**
   * Removes a fault; what it has already done stays.
   * @throws {CentavoError} `NOT_FOUND` naming the planned faults
   */
  remove(id: string): void;
  /** Returns every planned fault, in the order in which they were added. */
  list(): FaultState<Fault>[];
  /** Returns the planned faults that have not fired. */
  unused(): FaultState<Fault>[];
  /** Removes every fault. */
  clear(): void;
}

export interface FaultsOptions {
  readonly engine: Engine;
  /** The kinds of fault that the service knows. */
  readonly known: KnownFaults;
}

/** The planned faults. It decides how often, when and where they fire; their kinds decide what they do. */
export class Faults {
  readonly #engine: Engine;
  readonly #known: KnownFaults;
  readonly #plan: FaultPlan;
  readonly #handles: FaultHandles;

  constructor({ engine, known }: FaultsOptions) {
    this.#engine = engine;
    this.#known = known;
    this.#plan = new FaultPlan(engine, (fault) => known.complaintAbout(fault));
    this.#handles = new FaultHandles(this.#plan);
  }

  /** Whether no fault is planned. Callers then need not describe an occasion. */
  get none(): boolean {
    return this.#plan.faults.length === 0;
  }

  /**
   * Reads a fault as a test gave it.
   * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
   */
  read(given: unknown): AnyFault {
    return this.#known.read(given);
  }

  /**
   * Plans a fault from now on.
   * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
   */
  add(given: AnyFault): FaultHandle {
    const fault = this.read(given);
    const engine = this.#engine;
    if (fault.until !== undefined && parseInstant(fault.until) <= engine.now)
      throw new CentavoError(
        "INVALID_FAULT",
        `faults.add: until is ${inWords(fault.until)}, and the clock stands at ${toTimestamp(engine.now)} already, so the fault could never fire. Give a later moment, or leave until out.`,
      );
    const { id, number } = this.#plan.next(fault.id);
    if (this.#plan.get(id) !== undefined) {
      throw new CentavoError(
        "INVALID_FAULT",
        `faults.add({ id: "${id}" }): a fault with this id is planned already. Remove that one first, or give this one another id.`,
      );
    }
    const planned = { id, number, fault, occasions: 0, hits: 0 };
    engine.unit(() => {
      this.#plan.add(planned);
      engine.note("fault", engine.journal.redaction.value({ act: "add", ...fault, id }));
    });
    return this.#handles.open(planned);
  }

  /**
   * Removes a fault; what it has already done stays.
   * @throws {CentavoError} `NOT_FOUND`
   */
  remove(id: string): void {
    requirePlanned(id, this.list());
    this.#engine.unit(() => this.#remove(id));
  }

  clear(): void {
    this.#engine.unit(() => {
      for (const { id } of this.list()) this.#remove(id);
    });
  }

  /** Makes callers that wait for a fault check again, because their world was replaced. */
  worldReplaced(): void {
    this.#handles.changed();
  }

  list(): FaultState[] {
    return this.#plan.faults.map(({ id, fault, occasions, hits }) => ({ id, fault, occasions, hits }));
  }

  unused(): FaultState[] {
    return this.list().filter(({ hits }) => hits === 0);
  }

  /**
   * Offers an occasion to the planned faults of some kinds that it concerns, in the order in which they were added. A fault that fires
   * changes the subject, and is counted and journaled.
   * @param kinds the declared kinds
   * @param isOver called after each effect; returns true to skip the remaining faults; by default none is skipped
   */
  fire<Subject>(
    kinds: readonly AnyFaultKind<Subject>[],
    occasion: Occasion,
    subject: Subject,
    isOver: (subject: Subject) => boolean = () => false,
  ): Subject {
    const engine = this.#engine;
    for (const planned of this.#plan.faults) {
      const { id, number, fault } = planned;
      const kind = kinds.find((one) => one.kind === fault.kind);
      if (kind === undefined || !isDue(fault, engine.now)) continue;
      const service = this.#known.serviceOf(fault.kind) as never;
      if (kind.hasOccasion?.(fault as never, subject, service) === false) continue;
      if (!this.#known.concerns(fault, occasion)) continue;
      const count = (): boolean => this.#count(planned, occasion);
      if (!(engine.inUnit ? count() : engine.unit(count))) continue;
      this.#handles.changed();
      occasion.struck?.push({ id, kind: fault.kind });
      kind.effect({ ...fault, id, number } as never, subject, service);
      if (isOver(subject)) break;
    }
    return subject;
  }

  /** Counts an occasion, and returns whether the fault fires on it. */
  #count(planned: PlannedFault, occasion: Occasion): boolean {
    const { id, fault, occasions, hits } = planned;
    const { probability = 1 } = fault;
    const fires = isCalled(fault, occasions + 1, hits) && (probability === 1 || this.#chance(id) < probability);
    this.#plan.replace({ ...planned, occasions: occasions + 1, hits: hits + (fires ? 1 : 0) });
    if (fires) this.#engine.note("fault", { act: "strike", id, kind: fault.kind, hit: hits + 1, ...occasion.note });
    return fires;
  }

  /** Returns a number from 0 up to, not including, 1, drawn from the fault's own stream, which also provides its invented ids. */
  #chance(id: string): number {
    const range = 2 ** 30;
    return this.#engine.random.below(`fault/${id}`, range) / range;
  }

  #remove(id: string): void {
    const removed = this.#plan.get(id);
    if (removed === undefined) return;
    this.#plan.remove(id);
    this.#engine.note("fault", { act: "remove", id });
    this.#handles.removed(removed);
  }
}

/**
 * @param planned the faults that the caller may know
 * @throws {CentavoError} `NOT_FOUND` naming them
 */
export function requirePlanned(id: string, planned: readonly { readonly id: string }[]): void {
  const known = planned.map((state) => state.id);
  if (known.includes(id)) return;
  throw new CentavoError(
    "NOT_FOUND",
    `faults.remove("${id}"): there is no such fault; ${known.length === 0 ? "none is planned" : `planned are ${known.join(", ")}`}.`,
  );
}
