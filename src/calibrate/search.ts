import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { AssumptionOverrides, ChangeableAssumptionId } from "../service/assumption-table.ts";
import type { Disagreement } from "./calibration.ts";
import { evidenceOf } from "./evidence.ts";
import { fitPages } from "./fit-pages.ts";
import { fitPaths } from "./fit-paths.ts";
import { fitTables } from "./fit-tables.ts";
import { fitTemplates } from "./fit-templates.ts";
import { fitTokenCalls } from "./fit-token-calls.ts";
import { Names } from "./names.ts";
import { play } from "./play.ts";
import type { Choices, Played } from "./play.ts";
import type { Row } from "./slots.ts";
import type { Step } from "./steps.ts";
import { tryOthers } from "./try-others.ts";
import { isSame, withoutDefaults } from "./values.ts";
import type { Values } from "./values.ts";

/** What a search has found. */
export interface Found {
  readonly values: AssumptionOverrides;
  readonly played: Played;
  readonly choices: Choices;
  readonly disagreements: readonly Disagreement[];
  /** The exchanges that speak for the value of a row, by its id. */
  readonly evidence: ReadonlyMap<ChangeableAssumptionId, readonly string[]>;
  /** Whether the search ended before it had tried everything. */
  readonly isCut: boolean;
}

/** What a search begins with. */
interface Beginning {
  readonly steps: readonly Step[];
  readonly addresses: readonly string[];
  /** The values to begin with. */
  readonly from: AssumptionOverrides;
}

/** How often the rows are gone through. */
const MOST_ROUNDS = 6;
/** How many exchanges are played in all, beside a number for each that was recorded. */
const BUDGET = 60_000;
const BUDGET_OF_EXCHANGE = 40;
const REFUSED: Played = { compared: [], surplus: [], weight: Number.POSITIVE_INFINITY, used: [], names: new Names() };

/** Finds the values under which a world answers as was recorded, by trying them. */
export async function search(beginning: Beginning): Promise<Found> {
  return new Search(beginning).run();
}

/** The values that were found by now, and what trying others takes. */
export class Search {
  readonly steps: readonly Step[];
  /** Where the real service is. */
  readonly addresses: readonly string[];
  readonly #choices: Choices = new Map();
  readonly #disagreements = new Map<string, Disagreement>();
  #values: Values;
  #played: Played = { ...REFUSED, weight: 0 };
  #budget: number;

  constructor({ steps, addresses, from }: Beginning) {
    this.steps = steps;
    this.addresses = addresses;
    this.#values = from;
    this.#budget = BUDGET + steps.length * BUDGET_OF_EXCHANGE;
  }

  async run(): Promise<Found> {
    // What acts and time explain, no assumption has to explain.
    await this.#decide();
    for (let round = 0; round < MOST_ROUNDS && this.isOpen; round += 1) {
      const hasMoved = await fitPaths(this);
      const isNamed = await fitTokenCalls(this);
      if (hasMoved || isNamed) await this.#decide();
      const before = this.weight;
      await fitTemplates(this);
      await fitTables(this);
      await tryOthers(this);
      if (this.weight < before) await this.#decide();
      if (this.weight >= before && !hasMoved && !isNamed) break;
    }
    const isCut = this.#budget <= 0;
    const pages = await fitPages(this);
    return {
      values: this.#values,
      played: this.#played,
      choices: this.#choices,
      disagreements: [...this.#disagreements.values()],
      evidence: await evidenceOf(this, pages),
      isCut,
    };
  }

  get values(): Values {
    return this.#values;
  }

  /** What was played under these values. */
  get played(): Played {
    return this.#played;
  }

  get weight(): number {
    return this.#played.weight;
  }

  /** Whether anything differs, and more can be tried. */
  get isOpen(): boolean {
    return this.weight > 0 && this.hasBudget;
  }

  get hasBudget(): boolean {
    return this.#budget > 0;
  }

  valueOf(row: Row): unknown {
    return this.#values[row.id] ?? row.value;
  }

  /** Plays under other values. What was chosen for exchanges stays. */
  async try(values: Values): Promise<Played> {
    return this.#play(values, false);
  }

  /** Takes values with what was played under them. What is chosen for exchanges is looked at again at the end of a round. */
  accept(values: Values, played: Played): void {
    this.#values = withoutDefaults(values);
    this.#played = played;
  }

  /** Takes a value if less differs under it. */
  async takeIfBetter(row: Row, value: unknown): Promise<boolean> {
    if (!row.schema.safeParse(value).success || isSame(value, this.valueOf(row))) return false;
    const values = { ...this.#values, [row.id]: value };
    const played = await this.try(values);
    if (played.weight < this.weight) {
      this.accept(values, played);
      return true;
    }
    this.noteDisagreement(row, value, played);
    return false;
  }

  /** Remembers that recordings say different things of a row. */
  disagree(disagreement: Disagreement): void {
    const { id, key = "" } = disagreement;
    this.#disagreements.set(`${id} ${key}`, disagreement);
  }

  /** Notes that some exchanges speak for another value than the others do. */
  noteDisagreement(row: Row, value: unknown, played: Played): void {
    const { compared } = this.#played;
    const fitting = (mine: Played["compared"], other: Played["compared"]): string[] =>
      mine.flatMap(({ weight, step }, index) =>
        weight === 0 && (other[index]?.weight ?? 0) > 0 ? [step.exchange.source] : [],
      );
    const [now, then] = [fitting(compared, played.compared), fitting(played.compared, compared)];
    if (now.length === 0 || then.length === 0) return;
    if ([...this.#disagreements.values()].some(({ id }) => id === row.id)) return;
    this.disagree({
      id: row.id,
      values: [
        { value: this.valueOf(row), sources: now },
        { value, sources: then },
      ],
    });
  }

  /** Plays under the values that were found, and chooses the acts that led to what the exchanges show. */
  async #decide(): Promise<void> {
    this.accept(this.#values, await this.#play(this.#values, true));
  }

  async #play(values: Values, decides: boolean): Promise<Played> {
    this.#budget -= this.steps.length;
    try {
      return await play(this.steps, values, {
        choices: this.#choices,
        decides,
        names: decides ? undefined : this.#played.names,
      });
    } catch (error) {
      // Values of several rows may not go together, such as two operations at one path.
      if (!decides && error instanceof CentavoError && error.code === "INVALID_ASSUMPTION") return REFUSED;
      throw error;
    }
  }
}
