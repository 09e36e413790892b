import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import type { AnyFault } from "./declaration.ts";

/** A fault as it stands in the world. */
export interface FaultState<Fault = AnyFault> {
  readonly id: string;
  readonly fault: Fault;
  /** How many occasions there were for it. */
  readonly occasions: number;
  /** On how many of them it fired. */
  readonly hits: number;
}

/** A fault that is planned. Its number tells it from another that had its name before. */
export interface PlannedFault extends FaultState {
  readonly number: number;
}

/** All faults in the order of adding, in one row, because their order is part of what they mean. */
interface Plan {
  /** The number of the last that was added, which names the next. */
  readonly added: number;
  readonly faults: readonly PlannedFault[];
}

const NOTHING_PLANNED: Plan = Object.freeze({ added: 0, faults: [] });

/** The faults that are planned, with their counters: part of the world, and therefore of its snapshots and forks. */
export class FaultPlan {
  readonly #plans: Table<Plan>;

  constructor(engine: Engine) {
    this.#plans = engine.table("faults");
  }

  /** Every planned fault, in the order of adding. */
  get faults(): readonly PlannedFault[] {
    return this.#plan.faults;
  }

  get(id: string): PlannedFault | undefined {
    return this.faults.find((planned) => planned.id === id);
  }

  /** The number of the next fault, and its name unless the test gives it another. */
  next(given: string | undefined): { readonly id: string; readonly number: number } {
    const number = this.#plan.added + 1;
    if (given !== undefined) return { id: given, number };
    const free = this.#freeNumber(number);
    return { id: idOf(free), number: free };
  }

  /** Inside a unit, as every change of the world. */
  add(planned: PlannedFault): void {
    this.#change({ added: planned.number, faults: [...this.faults, planned] });
  }

  /** Inside a unit. */
  replace(counted: PlannedFault): void {
    const { added, faults } = this.#plan;
    this.#change({ added, faults: faults.map((planned) => (planned.id === counted.id ? counted : planned)) });
  }

  /** Inside a unit. */
  remove(id: string): void {
    const { added, faults } = this.#plan;
    this.#change({ added, faults: faults.filter((planned) => planned.id !== id) });
  }

  get #plan(): Plan {
    return this.#plans.get("plan") ?? NOTHING_PLANNED;
  }

  #change(plan: Plan): void {
    this.#plans.set("plan", Object.freeze(plan));
  }

  /** A test may have given the next name to a fault of its own. */
  #freeNumber(number: number): number {
    return this.get(idOf(number)) === undefined ? number : this.#freeNumber(number + 1);
  }
}

function idOf(number: number): string {
  return `fault_${number}`;
}
