import { inWords } from "../base/errors/in-words.ts";
import type { Table } from "./table.ts";
import type { TimerCheck } from "./timer-handler.ts";
import { keyOf } from "./timer.ts";
import type { WorldSnapshot } from "./world-snapshot.ts";

type Tables = ReadonlyMap<string, Table<unknown>>;

/**
 * Returns what is wrong with a world whose parts are right one by one: rows that name rows that do not exist, timers that would fail,
 * streams that would give the same ids again.
 * @param tables the tables, filled from the snapshot
 */
export function problemInWorld(snapshot: WorldSnapshot, tables: Tables, timerProblem: TimerCheck): string | undefined {
  // Checks of rows follow references, so all references come first.
  return (
    firstProblem(tables, ([name, table]) => problemInSize(name, table, snapshot)) ??
    firstProblem(tables, ([name, table]) => problemInReferences(name, table, tables)) ??
    firstProblem(tables, ([name, table]) => problemInRows(name, table, snapshot)) ??
    problemInTimers(snapshot, timerProblem)
  );
}

/** Returns how messages name a row. */
export function inRow(table: string, id: string): string {
  return `the row ${inWords(id)} of the table "${table}"`;
}

function firstProblem<Item>(items: Iterable<Item>, problemOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemInSize(name: string, { size, checks }: Table<unknown>, { streams }: WorldSnapshot): string | undefined {
  const { least = 0, drawnFrom = [] } = checks;
  if (size < least) return `the table "${name}" has ${size} rows, and needs ${least}`;
  const missing = size === 0 ? undefined : drawnFrom.find((stream) => !Object.hasOwn(streams, stream));
  return missing && `world.streams has no "${missing}", from which rows of the table "${name}" were drawn`;
}

function problemInReferences(name: string, table: Table<unknown>, tables: Tables): string | undefined {
  return firstProblem(Object.entries(table.checks.references ?? {}), ([path, to]) => {
    const steps = path === "" ? [] : path.split(".");
    const target = tables.get(to);
    return firstProblem(table.ids(), (id) => {
      const named = steps.reduce(
        (value, step) => (value as Record<string, unknown> | undefined)?.[step],
        table.get(id),
      );
      const stranger = [named ?? []].flat().find((each) => target?.get(each as string) === undefined);
      return stranger === undefined
        ? undefined
        : `${inRow(name, id)}: ${path === "" ? "it" : path} names ${inWords(stranger)}, which is not in the table "${to}"`;
    });
  });
}

function problemInRows(name: string, table: Table<unknown>, { now }: WorldSnapshot): string | undefined {
  const { problemOf } = table.checks;
  if (problemOf === undefined) return undefined;
  let before: unknown;
  return firstProblem(table.ids(), (id) => {
    const row = table.get(id);
    const problem = problemOf(row, id, now, before);
    before = row;
    return problem && `${inRow(name, id)}: ${problem}`;
  });
}

function problemInTimers({ now, timers, timerSequence }: WorldSnapshot, problemOf: TimerCheck): string | undefined {
  const keys = new Set<string>();
  const sequences = new Set<number>();
  return firstProblem(timers.entries(), ([index, timer]) => {
    const { at, sequence, name } = timer;
    const key = keyOf(timer);
    let problem = problemOf(timer, now);
    if (at < now) problem = `at is ${at}, which is before now`;
    if (sequence > timerSequence) problem = `sequence is ${sequence}, which is above timerSequence`;
    if (sequences.has(sequence)) problem = `sequence is ${sequence}, which another timer has`;
    if (keys.has(key)) problem = `name is "${name}", and there are two timers ${key}`;
    sequences.add(sequence);
    keys.add(key);
    return problem && `world.timers[${index}].${problem}`;
  });
}
