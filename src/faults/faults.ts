import type { Engine } from "../engine/engine.ts";
import { durationMilliseconds, inWords, parseInstant } from "../engine/duration.ts";
import type { Table } from "../engine/table.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { concerns } from "./occasion.ts";
import type { Occasion } from "./occasion.ts";
import { readFault } from "./reading.ts";
import type { Vocabulary } from "./reading.ts";
import type { Fault } from "./schema.ts";

/** A fault that was added, as a test follows it. */
export interface AddedFault {
  /** The name under which the journal speaks of it. */
  readonly id: string;
  /** How often it has bitten so far, in the world as it is; once it is taken away, how often it had. */
  readonly hits: number;
  /**
   * Resolves once it has bitten so often, so that a test knows that its call has arrived before it moves the clock.
   * @param times once by default
   * @throws {CentavoError} `INVALID_STATE` where the fault is taken away before, as by a reset; `INVALID_OPTION` where `times` is no
   *   whole number from 1 on, or more than the fault's own `times` or `nth` allow
   */
  struck(times?: number): Promise<void>;
  /**
   * Takes it away; what it already did stands. Does nothing where it is not planned any more, as after a reset: another fault that has
   * got its name is not meant.
   */
  remove(): void;
}

/** A fault as it stands in the world. */
export interface FaultState {
  readonly id: string;
  readonly fault: Fault;
  /** How many occasions there were for it. */
  readonly occasions: number;
  /** On how many of them it bit. */
  readonly hits: number;
}

/** How a test plans faults: `sim.faults`. */
export interface FaultsControl {
  /**
   * Plans a fault from now on.
   * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
   */
  add(fault: Fault): AddedFault;
  /**
   * Takes one away; what it already did stands.
   * @throws {CentavoError} `NOT_FOUND` naming those that are planned
   */
  remove(id: string): void;
  /** Every fault that is planned, in the order of adding. */
  list(): FaultState[];
  /** Those that have not bitten. */
  unused(): FaultState[];
  /** Takes all away. */
  clear(): void;
}

export type FaultKind = Fault["kind"];

/** A fault that bites now, with the name by which the journal knows it, and the number that no other fault of its world ever had. */
export type Biting<Kind extends FaultKind> = Extract<Fault, { kind: Kind }> & {
  readonly id: string;
  readonly number: number;
};

/** A fault that is planned, told from another that had its name before by its number. */
interface Planned extends FaultState {
  readonly number: number;
}

/** All faults in the order of adding, in one row, because their order is part of what they mean. */
interface Plan {
  /** The number of the last that was added, which names the next. */
  readonly added: number;
  readonly faults: readonly Planned[];
}

/** What `Faults` needs of the rest of the service. */
export interface FaultsOptions {
  readonly engine: Engine;
  /** The names that a fault may use, so that a wrong one is refused when the fault is added. */
  readonly vocabulary: Vocabulary;
  /** Takes secrets out of a value that goes into the journal. */
  readonly redact: <Value>(value: Value) => Value;
}

const clockKinds: ReadonlySet<"clock.skew"> = new Set(["clock.skew"]);

const NOTHING_PLANNED: Plan = Object.freeze({ added: 0, faults: [] });

/** What is planned to go wrong: faults with their counters, part of the world and therefore of its snapshots and forks. */
export class Faults {
  readonly #engine: Engine;
  readonly #vocabulary: Vocabulary;
  readonly #redact: FaultsOptions["redact"];
  readonly #plans: Table<Plan>;
  /** Those who wait for a fault to bite: they belong to this process, and no snapshot holds them. */
  readonly #watchers = new Set<() => void>();
  /** How often those that were taken away had bitten, by what they are, for whoever still holds their handle. */
  readonly #hitsOfRemoved = new Map<string, number>();
  /** The last handle of each, because a world that began anew may plan what looks the same. */
  readonly #handles = new Map<string, object>();

  constructor({ engine, vocabulary, redact }: FaultsOptions) {
    this.#engine = engine;
    this.#vocabulary = vocabulary;
    this.#redact = redact;
    this.#plans = engine.table("faults");
  }

  /** Whether nothing is planned, which is when nobody needs to ask further. */
  get none(): boolean {
    return this.#plan.faults.length === 0;
  }

  /**
   * Plans a fault from now on.
   * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
   */
  add(given: Fault): AddedFault {
    const fault = readFault(given, this.#vocabulary);
    const engine = this.#engine;
    const { added, faults } = this.#plan;
    const number = fault.id === undefined ? this.#freeNumber(added + 1) : added + 1;
    const id = fault.id ?? idOf(number);
    if (this.#stateOf(id) !== undefined) {
      throw new CentavoError(
        "INVALID_FAULT",
        `faults.add({ id: "${id}" }): there is a fault of this name already. Remove that one first, or give this one another id.`,
      );
    }
    engine.unit(() => {
      this.#change({ added: number, faults: [...faults, { id, number, fault, occasions: 0, hits: 0 }] });
      engine.note("fault", this.#redact({ act: "add", ...fault, id }));
    });
    engine.inputs?.add("fault.add", { fault });
    return this.#handleOf({ id, number, fault });
  }

  /**
   * Takes a fault away; what it already did stands.
   * @throws {CentavoError} `NOT_FOUND`
   */
  remove(id: string): void {
    if (this.#stateOf(id) === undefined) {
      const known = this.list().map((state) => state.id);
      throw new CentavoError(
        "NOT_FOUND",
        `faults.remove("${id}"): there is no such fault; ${known.length === 0 ? "none is planned" : `planned are ${known.join(", ")}`}.`,
      );
    }
    this.#engine.unit(() => this.#remove(id));
    this.#engine.inputs?.add("fault.remove", { fault: id });
  }

  clear(): void {
    this.#engine.unit(() => {
      for (const { id } of this.list()) this.#remove(id);
    });
    this.#engine.inputs?.add("fault.clear", {});
  }

  /** Lets those who wait for a fault look again, in a world that was put in the place of theirs. */
  worldReplaced(): void {
    for (const watch of this.#watchers) watch();
  }

  list(): FaultState[] {
    return this.#plan.faults.map(({ id, fault, occasions, hits }) => ({ id, fault, occasions, hits }));
  }

  unused(): FaultState[] {
    return this.list().filter(({ hits }) => hits === 0);
  }

  /**
   * Goes through the faults of some kinds that concern an occasion, in the order of adding, and counts and journals each that bites.
   * @param take does what the fault asks; where it answers false, the faults after it have no occasion any more
   */
  strike<Kind extends FaultKind>(
    kinds: ReadonlySet<Kind>,
    occasion: Occasion,
    take: (fault: Biting<Kind>) => boolean,
  ): void {
    const engine = this.#engine;
    for (const state of this.#plan.faults) {
      const { fault } = state;
      if (!kinds.has(fault.kind as Kind) || !this.#isDue(fault) || !concerns(fault, occasion)) continue;
      const bites = engine.inUnit ? this.#count(state, occasion) : engine.unit(() => this.#count(state, occasion));
      if (bites) for (const watch of this.#watchers) watch();
      if (bites && !take({ ...state.fault, id: state.id, number: state.number } as Biting<Kind>)) return;
    }
  }

  /**
   * How far the service's clock is from a merchant's at one stamp, in milliseconds: above 0 where the service is ahead. The first fault
   * that bites decides.
   * @param stamped what gets the stamp, for the journal
   */
  skewOf(stamp: "webhook" | "token", merchant: string, stamped: Readonly<Record<string, unknown>>): number {
    if (this.none) return 0;
    let skew = 0;
    this.strike(clockKinds, { stamp, merchant, note: { stamp, ...stamped } }, ({ by, direction }) => {
      skew = durationMilliseconds(by) * (direction === "behind" ? -1 : 1);
      return false;
    });
    return skew;
  }

  #isDue({ from, until }: Fault): boolean {
    const { now } = this.#engine;
    return (from === undefined || parseInstant(from) <= now) && (until === undefined || now < parseInstant(until));
  }

  /** Counts an occasion, and the hit where it is one. */
  #count(planned: Planned, occasion: Occasion): boolean {
    const { id, fault, occasions, hits } = planned;
    const engine = this.#engine;
    const { times = Infinity, after = 0, nth, probability = 1 } = fault;
    const number = occasions + 1;
    const isCalled = hits < times && number > after && (nth === undefined || number === nth);
    const bites = isCalled && (probability === 1 || this.#chance(id) < probability);
    const counted = { ...planned, occasions: number, hits: hits + (bites ? 1 : 0) };
    const { added, faults } = this.#plan;
    this.#change({ added, faults: faults.map((state) => (state.id === id ? counted : state)) });
    if (bites) engine.note("fault", { act: "strike", id, kind: fault.kind, hit: hits + 1, ...occasion.note });
    return bites;
  }

  /** From 0 up to, not including, 1, from the fault's own stream, of which what it makes up and shuffles is drawn too. */
  #chance(id: string): number {
    const range = 2 ** 30;
    return this.#engine.random.below(`fault/${id}`, range) / range;
  }

  #remove(id: string): void {
    const { added, faults } = this.#plan;
    const removed = this.#stateOf(id);
    if (removed !== undefined) this.#hitsOfRemoved.set(identityOf(removed), removed.hits);
    this.#change({ added, faults: faults.filter((state) => state.id !== id) });
    this.#engine.note("fault", { act: "remove", id });
    for (const watch of this.#watchers) watch();
  }

  get #plan(): Plan {
    return this.#plans.get("plan") ?? NOTHING_PLANNED;
  }

  #change(plan: Plan): void {
    this.#plans.set("plan", Object.freeze(plan));
  }

  /** A test may have given the next name to a fault of its own. */
  #freeNumber(number: number): number {
    return this.#stateOf(idOf(number)) === undefined ? number : this.#freeNumber(number + 1);
  }

  #stateOf(id: string): Planned | undefined {
    return this.#plan.faults.find((state) => state.id === id);
  }

  #handleOf({ id, number, fault }: Pick<Planned, "id" | "number" | "fault">): AddedFault {
    const identity = identityOf({ id, number, fault });
    const itself = {};
    this.#hitsOfRemoved.delete(identity);
    this.#handles.set(identity, itself);
    const isLast = (): boolean => this.#handles.get(identity) === itself;
    const state = (): Planned | undefined => {
      const planned = this.#stateOf(id);
      return planned !== undefined && isLast() && identityOf(planned) === identity ? planned : undefined;
    };
    const hits = (): number => (isLast() ? (state()?.hits ?? this.#hitsOfRemoved.get(identity) ?? 0) : 0);
    return {
      id,
      get hits() {
        return hits();
      },
      struck: async (times = 1) => {
        requireReachable(times, fault, id);
        await this.#struck({ id, times, hits, isPlanned: () => state() !== undefined });
      },
      remove: () => {
        if (state() !== undefined) this.remove(id);
      },
    };
  }

  #struck({
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
      const watch = (): void => {
        if (hits() < times && isPlanned()) return;
        this.#watchers.delete(watch);
        if (hits() >= times) resolve();
        else
          reject(
            new CentavoError(
              "INVALID_STATE",
              `The fault ${id} was taken away before it had bitten ${inTimes(times)}; it had ${hits() === 0 ? "not bitten at all" : `bitten ${inTimes(hits())}`}.`,
            ),
          );
      };
      this.#watchers.add(watch);
      watch();
    });
  }
}

/** @throws {CentavoError} `INVALID_OPTION` for so many times as can never be reached */
function requireReachable(times: unknown, { times: most = Infinity, nth }: Fault, id: string): void {
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

/** What a fault is, in every copy of its world: its name may go to another. */
function identityOf({ id, number, fault }: Pick<Planned, "id" | "number" | "fault">): string {
  return JSON.stringify([id, number, fault]);
}

function idOf(number: number): string {
  return `fault_${number}`;
}
