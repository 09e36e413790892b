import type { AssumptionOverrides, ChangeableAssumptionId } from "../service/assumption-table.ts";
import { markedTable, toldByMarks } from "./derive-table.ts";
import type { Told } from "./derive-table.ts";
import { deriveTemplates } from "./derive-template.ts";
import type { Sample } from "./likeness.ts";
import { otherValues } from "./other-values.ts";
import { play } from "./play.ts";
import type { Choices, Played } from "./play.ts";
import { partOfDocument, probeOf, probesIn } from "./probe.ts";
import { rows, tablesOf, templatesOf, withPart } from "./slots.ts";
import type { Row, TableSlot, TemplateSlot } from "./slots.ts";
import type { Step } from "./steps.ts";

/** A row on which recordings disagree. */
export interface Disagreement {
  readonly id: ChangeableAssumptionId;
  /** The key of a table; absent for a row without one. */
  readonly key?: string;
  readonly values: readonly { readonly value: unknown; readonly sources: readonly string[] }[];
}

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

/** How often the rows are gone through. */
const MOST_ROUNDS = 6;
/** How many exchanges are played in all, beside a number for each that was recorded. */
const BUDGET = 60_000;
/** How many other values are tried of a row to see whether a recording shows it. */
const MOST_CONTRARIES = 3;
const BUDGET_OF_EXCHANGE = 40;

/** Finds the values under which a world answers as was recorded, by trying them. */
export async function search(steps: readonly Step[], from: AssumptionOverrides): Promise<Found> {
  const searching = new Search(steps, from);
  return searching.run();
}

class Search {
  readonly #steps: readonly Step[];
  readonly #choices: Choices = new Map();
  readonly #disagreements = new Map<string, Disagreement>();
  #values: Readonly<Record<string, unknown>>;
  #played: Played | undefined;
  #budget: number;

  constructor(steps: readonly Step[], from: AssumptionOverrides) {
    this.#steps = steps;
    this.#values = from;
    this.#budget = BUDGET + steps.length * BUDGET_OF_EXCHANGE;
  }

  async run(): Promise<Found> {
    await this.#take(this.#values);
    for (let round = 0; round < MOST_ROUNDS && this.#weight > 0 && this.#budget > 0; round += 1) {
      const before = this.#weight;
      for (const row of rows) for (const slot of templatesOf(row)) await this.#fitTemplate(slot);
      for (const row of rows) for (const slot of tablesOf(row)) await this.#fitTable(slot);
      await this.#tryOthers();
      if (this.#weight === before) break;
    }
    const isCut = this.#budget <= 0;
    return {
      values: this.#values,
      played: this.#current,
      choices: this.#choices,
      disagreements: [...this.#disagreements.values()],
      evidence: await this.#evidence(),
      isCut,
    };
  }

  get #current(): Played {
    if (this.#played === undefined) throw new Error("Nothing was played yet.");
    return this.#played;
  }

  get #weight(): number {
    return this.#current.weight;
  }

  async #try(values: Readonly<Record<string, unknown>>, decides = false): Promise<Played> {
    this.#budget -= this.#steps.length;
    return play(this.#steps, values, { choices: this.#choices, decides });
  }

  /** Takes values from now on. */
  async #take(values: Readonly<Record<string, unknown>>): Promise<void> {
    this.#values = withoutDefaults(values);
    this.#played = await this.#try(values, true);
  }

  /** Takes values if less differs under them. */
  async #takeIfBetter(row: Row, value: unknown): Promise<boolean> {
    if (!row.schema.safeParse(value).success) return false;
    const values = { ...this.#values, [row.id]: value };
    if (isSame(value, this.#valueOf(row))) return false;
    const played = await this.#try(values);
    if (played.weight >= this.#weight) {
      this.#noteDisagreement(row, value, played);
      return false;
    }
    await this.#take(values);
    return true;
  }

  #valueOf(row: Row): unknown {
    return this.#values[row.id] ?? row.value;
  }

  async #fitTemplate(slot: TemplateSlot): Promise<void> {
    const { row, path, known } = slot;
    if (this.#weight === 0 || this.#budget <= 0) return;
    const current = this.#valueOf(row);
    const probed = await this.#try({ ...this.#values, [row.id]: withPart(current, path, probeOf(known)) });
    let differs = false;
    const samples = probed.compared.flatMap(({ step, sent }, index): Sample[] => {
      const answer = step.exchange.kind === "call" ? step.exchange.answer?.status : 200;
      if (sent === undefined || step.document === undefined || answer === undefined) return [];
      if (answer < 400 !== sent.status < 400) return [];
      const { sides, weight } = this.#current.compared[index] ?? {};
      if (sides === undefined) return [];
      const found = probesIn(sent.document).map(({ path: place, fills }) => ({
        part: partOfDocument(step.document, place),
        fills,
        sides,
      }));
      if (found.length > 0 && weight !== 0) differs = true;
      return found.filter(({ part }) => part !== undefined);
    });
    if (!differs) return;
    for (const template of deriveTemplates(samples, known))
      await this.#takeIfBetter(row, withPart(this.#valueOf(row), path, template));
  }

  async #fitTable(slot: TableSlot): Promise<void> {
    if (this.#weight === 0 || this.#budget <= 0) return;
    const { row } = slot;
    const marked = markedTable(slot, this.#valueOf(row));
    if (marked === undefined || !row.schema.safeParse(marked).success) return;
    const { compared } = await this.#try({ ...this.#values, [row.id]: marked });
    const byKey = Map.groupBy(toldByMarks(slot, compared), ({ key }) => key);
    for (const [key, told] of byKey) {
      const values = Map.groupBy(told, ({ value }) => value);
      const [most] = [...values].toSorted(([, left], [, right]) => right.length - left.length);
      if (most === undefined) continue;
      const [value] = most;
      if (values.size > 1) this.#disagree(row, key, values);
      await this.#takeIfBetter(row, withPart(this.#valueOf(row), [...slot.path, key, ...slot.within], value));
    }
  }

  #disagree(row: Row, key: string, values: ReadonlyMap<unknown, readonly Told[]>): void {
    this.#disagreements.set(`${row.id} ${key}`, {
      id: row.id,
      key,
      values: [...values].map(([value, told]) => ({ value, sources: told.map(({ source }) => source) })),
    });
  }

  /** Tries the other values of each row that the world relied on, and takes those under which less differs. */
  async #tryOthers(): Promise<void> {
    if (this.#weight === 0) return;
    const used = new Set(this.#current.used);
    const better: { readonly row: Row; readonly value: unknown; readonly weight: number }[] = [];
    for (const row of rows) {
      if (!used.has(row.id) && templatesOf(row).length === 0) continue;
      for (const value of otherValues(row, this.#valueOf(row), this.#current)) {
        if (this.#budget <= 0) return;
        const played = await this.#try({ ...this.#values, [row.id]: value });
        if (played.weight < this.#weight) better.push({ row, value, weight: played.weight });
        else this.#noteDisagreement(row, value, played);
      }
    }
    for (const { row, value } of better.toSorted((left, right) => left.weight - right.weight))
      await this.#takeIfBetter(row, value);
  }

  /** Notes that some exchanges speak for another value than the others do. */
  #noteDisagreement(row: Row, value: unknown, played: Played): void {
    const { compared } = this.#current;
    const fitting = (mine: Played["compared"], other: Played["compared"]): string[] =>
      mine.flatMap(({ weight, step }, index) =>
        weight === 0 && (other[index]?.weight ?? 0) > 0 ? [step.exchange.source] : [],
      );
    const [now, then] = [fitting(compared, played.compared), fitting(played.compared, compared)];
    if (now.length === 0 || then.length === 0) return;
    if ([...this.#disagreements.values()].some(({ id }) => id === row.id)) return;
    this.#disagreements.set(row.id, {
      id: row.id,
      values: [
        { value: this.#valueOf(row), sources: now },
        { value, sources: then },
      ],
    });
  }

  /** Returns which exchanges speak for each row's value: those that fit less under another one. */
  async #evidence(): Promise<ReadonlyMap<ChangeableAssumptionId, readonly string[]>> {
    const evidence = new Map<ChangeableAssumptionId, readonly string[]>();
    const used = new Set(this.#current.used);
    for (const row of rows) {
      const isChanged = Object.hasOwn(this.#values, row.id);
      if (!used.has(row.id) && !isChanged && templatesOf(row).length === 0) continue;
      if (this.#budget <= 0 && !isChanged) continue;
      const sources = new Set<string>();
      for (const value of this.#contraries(row)) {
        const { compared } = await this.#try({ ...this.#values, [row.id]: value });
        for (const [index, { weight, step }] of compared.entries())
          if (weight > (this.#current.compared[index]?.weight ?? 0)) sources.add(step.exchange.source);
        if (sources.size > 0) break;
      }
      if (sources.size > 0) evidence.set(row.id, [...sources]);
    }
    return evidence;
  }

  /** Returns other values of a row, which a recording contradicts that shows the row at all. */
  #contraries(row: Row): readonly unknown[] {
    if (Object.hasOwn(this.#values, row.id)) return [row.value];
    const [template] = templatesOf(row);
    const [table] = tablesOf(row);
    const marked = table === undefined ? undefined : markedTable(table, row.value);
    return [
      ...(template === undefined ? [] : [withPart(row.value, template.path, probeOf(template.known))]),
      ...(marked === undefined ? [] : [marked]),
      ...(template === undefined ? otherValues(row, row.value, this.#current).slice(0, MOST_CONTRARIES) : []),
    ].filter((value) => row.schema.safeParse(value).success);
  }
}

/** Leaves out the values that a world has anyway. */
function withoutDefaults(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => {
      const row = rows.find((each) => each.id === id);
      return row === undefined || !isSame(value, row.value);
    }),
  );
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
