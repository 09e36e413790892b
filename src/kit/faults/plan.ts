import * as z from "zod/mini";
import type { Engine } from "../engine/engine.ts";
import { count, shapeOf, anyText } from "../engine/row-schema.ts";
import type { Table } from "../engine/table.ts";
import type { AnyFault } from "./declaration.ts";

/** A planned fault, with its counters. */
export interface FaultState<Fault = AnyFault> {
  readonly id: string;
  readonly fault: Fault;
  /** How many occasions there have been. */
  readonly occasions: number;
  /** On how many occasions it fired. */
  readonly hits: number;
}

/** A planned fault. Its number distinguishes it from an earlier fault with the same name. */
export interface PlannedFault extends FaultState {
  readonly number: number;
}

/** All faults in one row, because their order matters. */
interface Plan {
  /** The number of the fault added last, from which the next gets its default name. */
  readonly added: number;
  readonly faults: readonly PlannedFault[];
}

const NOTHING_PLANNED: Plan = Object.freeze({ added: 0, faults: [] });

/** The planned faults with their counters. They are part of the world, and therefore of its snapshots and forks. */
export class FaultPlan {
  readonly #plans: Table<Plan>;

  /** @param complaintAbout returns what is wrong with a fault of a snapshot */
  constructor(engine: Engine, complaintAbout: (fault: unknown) => string | undefined) {
    this.#plans = engine.table("faults", {
      // Made on demand, because a schema takes long to make and few worlds are restored.
      row: () =>
        shapeOf<Plan>()(() => ({
          added: count,
          faults: z.array(
            shapeOf<PlannedFault>()(() => ({
              id: anyText,
              number: count,
              fault: z.custom<AnyFault>().check(
                z.superRefine((given, context) => {
                  const message = complaintAbout(given);
                  if (message !== undefined) context.addIssue({ code: "custom", message });
                }),
              ),
              occasions: count,
              hits: count,
            })),
          ),
        })),
    });
  }

  /** Every planned fault, in the order in which they were added. */
  get faults(): readonly PlannedFault[] {
    return this.#plan.faults;
  }

  get(id: string): PlannedFault | undefined {
    return this.faults.find((planned) => planned.id === id);
  }

  /** Returns the number and name of the next fault. The name is `given`, if the test gives one. */
  next(given: string | undefined): { readonly id: string; readonly number: number } {
    const number = this.#plan.added + 1;
    if (given !== undefined) return { id: given, number };
    const free = this.#freeNumber(number);
    return { id: idOf(free), number: free };
  }

  /** Call this inside a unit. */
  add(planned: PlannedFault): void {
    this.#change({ added: planned.number, faults: [...this.faults, planned] });
  }

  /** Replaces the counters of a fault. Call this inside a unit. */
  replace(counted: PlannedFault): void {
    const { added, faults } = this.#plan;
    this.#change({ added, faults: faults.map((planned) => (planned.id === counted.id ? counted : planned)) });
  }

  /** Call this inside a unit. */
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

  /** Skips numbers whose default names a test has given to its own faults. */
  #freeNumber(number: number): number {
    return this.get(idOf(number)) === undefined ? number : this.#freeNumber(number + 1);
  }
}

function idOf(number: number): string {
  return `fault_${number}`;
}
