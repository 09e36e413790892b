import type { AssumptionOverrides, ChangeableAssumptionId } from "../service/assumption-table.ts";
import { alternativesOf } from "../kit/assumptions/alternatives.ts";
import type { Choice } from "../kit/assumptions/entry.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { Disagreement } from "./calibration.ts";
import { markedTable, toldByMarks } from "./derive-table.ts";
import type { Told } from "./derive-table.ts";
import { deriveTemplates } from "./derive-template.ts";
import { Names } from "./names.ts";
import { otherValues } from "./other-values.ts";
import { play } from "./play.ts";
import type { Choices, Played } from "./play.ts";
import { partOfDocument, probeOf, probesIn } from "./probe.ts";
import { rows, tablesOf, templatesOf, withPart } from "./slots.ts";
import type { Row, TableSlot, TemplateSlot } from "./slots.ts";
import type { Step } from "./steps.ts";
import { isSame, nameOf, withoutDefaults } from "./values.ts";
import type { ProbedSample, Values } from "./values.ts";

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
  #played: Played = { compared: [], surplus: [], weight: 0, used: [], names: new Names() };
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
      await this.#fitTemplates();
      await this.#fitTables();
      await this.#tryOthers();
      if (this.#weight < before) await this.#take(this.#values);
      if (this.#weight >= before) break;
    }
    const isCut = this.#budget <= 0;
    return {
      values: this.#values,
      played: this.#played,
      choices: this.#choices,
      disagreements: [...this.#disagreements.values()],
      evidence: await this.#evidence(),
      isCut,
    };
  }

  get #weight(): number {
    return this.#played.weight;
  }

  async #try(values: Readonly<Record<string, unknown>>, decides = false): Promise<Played> {
    this.#budget -= this.#steps.length;
    return play(this.#steps, values, {
      choices: this.#choices,
      decides,
      names: decides ? undefined : this.#played.names,
    });
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
    // What is chosen for exchanges is looked at again at the end of a round.
    this.#values = withoutDefaults(values);
    this.#played = played;
    return true;
  }

  #valueOf(row: Row): unknown {
    return this.#values[row.id] ?? row.value;
  }

  /** Derives templates, those around others first: a probe shows nothing of what stands within it. */
  async #fitTemplates(): Promise<void> {
    let open = rows.flatMap(templatesOf);
    while (open.length > 0 && this.#weight > 0 && this.#budget > 0) {
      const seen = await this.#probe(open);
      const shown = open.filter((slot) => seen.has(nameOf(slot)));
      if (shown.length === 0) return;
      // What stands within another is told as it is now, not as a probe of its own.
      const samples = shown.length === open.length ? seen : await this.#probe(shown);
      for (const slot of shown) {
        const { row, path, known } = slot;
        const found = samples.get(nameOf(slot)) ?? [];
        if (!found.some(({ differs }) => differs)) continue;
        for (const template of deriveTemplates(found, known))
          await this.#takeIfBetter(row, withPart(this.#valueOf(row), path, template));
      }
      open = open.filter((slot) => !shown.includes(slot));
    }
  }

  /** Plays with a probe in each of these templates, and returns what the outermost show, by the names of their slots. */
  async #probe(slots: readonly TemplateSlot[]): Promise<ReadonlyMap<string, readonly ProbedSample[]>> {
    const values: Record<string, unknown> = { ...this.#values };
    for (const slot of slots) {
      const { row, path, known } = slot;
      values[row.id] = withPart(values[row.id] ?? row.value, path, probeOf(nameOf(slot), known));
    }
    const probed = await this.#try(values);
    const samples = new Map<string, ProbedSample[]>();
    for (const [index, { step, sent }] of probed.compared.entries()) {
      const answer = step.exchange.kind === "call" ? step.exchange.answer?.status : 200;
      const { sides, weight = 0 } = this.#played.compared[index] ?? {};
      if (sent === undefined || step.document === undefined || answer === undefined || sides === undefined) continue;
      if (answer < 400 !== sent.status < 400) continue;
      for (const { slot, path, fills } of probesIn(sent.document)) {
        const part = partOfDocument(step.document, path);
        if (part === undefined) continue;
        const found = samples.get(slot) ?? [];
        found.push({ part, fills, sides, differs: weight > 0, source: step.exchange.source });
        samples.set(slot, found);
      }
    }
    return samples;
  }

  async #fitTables(): Promise<void> {
    if (this.#weight === 0 || this.#budget <= 0) return;
    for (const { slot, told } of await this.#mark()) {
      const { row } = slot;
      const byKey = Map.groupBy(told, ({ key }) => key);
      for (const [key, each] of byKey) {
        const values = Map.groupBy(each, ({ value }) => value);
        const [most] = [...values].toSorted(([, left], [, right]) => right.length - left.length);
        if (most === undefined) continue;
        if (values.size > 1) this.#disagree(row, key, values);
        await this.#takeIfBetter(row, withPart(this.#valueOf(row), [...slot.path, key, ...slot.within], most[0]));
      }
    }
  }

  /** Plays with marks in the tables, and returns what the recordings say of each. */
  async #mark(): Promise<readonly { readonly slot: TableSlot; readonly told: readonly Told[] }[]> {
    const slots = rows.flatMap(tablesOf).filter((slot) => this.#marked(this.#values, slot) !== undefined);
    // Texts are marks of their own, but two may stand in one sentence. A number is none, so each table of numbers is played alone.
    const texts = Map.groupBy(
      slots.filter(({ kind }) => kind === "text"),
      ({ within }) => within.join("."),
    );
    const numbers = slots.filter(({ kind }) => kind === "number");
    const told: { readonly slot: TableSlot; readonly told: readonly Told[] }[] = [];
    for (const group of [...texts.values(), ...numbers.map((slot) => [slot])]) {
      let values = this.#values;
      for (const slot of group) values = this.#marked(values, slot) ?? values;
      const { compared } = await this.#try(values);
      told.push(...group.map((slot) => ({ slot, told: toldByMarks(slot, compared) })));
    }
    return told;
  }

  #marked(values: Values, slot: TableSlot): Values | undefined {
    const { row } = slot;
    const marked = markedTable(slot, values[row.id] ?? row.value);
    return row.schema.safeParse(marked).success && marked !== undefined ? { ...values, [row.id]: marked } : undefined;
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
    const used = new Set(this.#played.used);
    const better: { readonly row: Row; readonly value: unknown; readonly weight: number }[] = [];
    for (const row of rows) {
      if (!used.has(row.id)) continue;
      for (const value of otherValues(row, this.#valueOf(row), this.#played)) {
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
    const { compared } = this.#played;
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
    const evidence = new Map<ChangeableAssumptionId, ReadonlySet<string>>();
    const add = (id: ChangeableAssumptionId, sources: readonly string[]): void => {
      if (sources.length > 0) evidence.set(id, new Set([...(evidence.get(id) ?? []), ...sources]));
    };
    const fitting = new Set(
      this.#played.compared.flatMap(({ step, weight }) => (weight === 0 ? [step.exchange.source] : [])),
    );
    let open = rows.flatMap(templatesOf);
    while (open.length > 0 && this.#budget > 0) {
      const samples = await this.#probe(open);
      const shown = open.filter((slot) => samples.has(nameOf(slot)));
      if (shown.length === 0) break;
      for (const slot of shown)
        add(
          slot.row.id,
          (samples.get(nameOf(slot)) ?? []).map(({ source }) => source).filter((each) => fitting.has(each)),
        );
      open = open.filter((slot) => !shown.includes(slot));
    }
    for (const { slot, told } of await this.#mark())
      add(
        slot.row.id,
        told.map(({ source }) => source),
      );
    const used = new Set(this.#played.used);
    for (const row of rows) {
      if (evidence.has(row.id) || !used.has(row.id) || this.#budget <= 0) continue;
      for (const value of this.#contraries(row)) {
        const { compared } = await this.#try({ ...this.#values, [row.id]: value });
        const worse = compared.filter(({ weight }, index) => weight > (this.#played.compared[index]?.weight ?? 0));
        add(
          row.id,
          worse.map(({ step }) => step.exchange.source),
        );
        if (evidence.has(row.id)) break;
      }
    }
    return new Map([...evidence].map(([id, sources]) => [id, [...sources]]));
  }

  /** Returns other values of a row, which a recording contradicts that shows the row at all. */
  #contraries(row: Row): readonly unknown[] {
    if (Object.hasOwn(this.#values, row.id)) return [row.value];
    const declared = alternativesOf(assumptionTable[row.id] as Choice).map(({ value }) => value);
    return declared.slice(0, MOST_CONTRARIES);
  }
}
