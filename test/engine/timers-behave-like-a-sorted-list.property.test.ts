import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf } from "../../src/kit/engine/timer.ts";
import { Timers } from "../../src/kit/engine/timers.ts";
import type { Timer } from "../../src/kit/engine/timer.ts";
import { UndoLog } from "../../src/kit/engine/undo-log.ts";
import { halfOf } from "../half-of.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

/** The simplest model of the timers: a list that is sorted on every read. */
class SortedList {
  entries: { key: string; at: number; sequence: number }[] = [];
  sequence = 0;

  schedule(key: string, at: number): void {
    this.sequence += 1;
    this.entries = [...this.entries.filter((entry) => entry.key !== key), { key, at, sequence: this.sequence }];
  }

  cancel(key: string): void {
    this.entries = this.entries.filter((entry) => entry.key !== key);
  }

  sorted(): { key: string; at: number; sequence: number }[] {
    return this.entries.toSorted((left, right) => left.at - right.at || left.sequence - right.sequence);
  }
}

type Move =
  | { readonly kind: "schedule"; readonly key: string; readonly at: number }
  | { readonly kind: "cancel"; readonly key: string }
  | { readonly kind: "pop" };

/** Thirty timers, of which each shares its owner, its subject and its name with others. */
const key = fc.nat(29).map((number) => `owner ${number % 2}/subject ${number % 5}/name ${number % 3}`);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("schedule" as const), key, at: fc.nat(50) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("cancel" as const), key }) },
  { weight: 2, arbitrary: fc.constant<Move>({ kind: "pop" }) },
);
const unit = fc.record({ moves: fc.array(move, { maxLength: 400, size: "max" }), fails: fc.boolean() });

function partsOf(words: string): [owner: string, subject: string, name: string] {
  return words.split("/") as [string, string, string];
}

function shown(timer: Timer): SortedList["entries"][number] {
  const { at, sequence } = timer;
  return { key: keyOf(timer), at, sequence };
}

function apply(timers: Timers, list: SortedList, step: Move): void {
  if (step.kind === "schedule") {
    const [owner, subject, name] = partsOf(step.key);
    timers.schedule({ at: step.at, depth: 0, owner, subject, name, input: { type: "tick" } });
    list.schedule(step.key, step.at);
  } else if (step.kind === "cancel") {
    expect(timers.cancel(...partsOf(step.key))).toBe(list.entries.some((entry) => entry.key === step.key));
    list.cancel(step.key);
  } else {
    const first = timers.next();
    expect(first && shown(first)).toEqual(list.sorted()[0]);
    if (first === undefined) return;
    timers.cancel(first.owner, first.subject, first.name);
    list.cancel(keyOf(first));
  }
}

test("timers behave like a sorted list, through scheduling, cancelling, running and rollback in any order", () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const log = new UndoLog();
      const timers = new Timers(log);
      const list = new SortedList();
      for (const { moves, fails } of units) {
        const { entries, sequence } = list;
        try {
          log.run(() => {
            for (const step of moves) apply(timers, list, step);
            if (fails) throw new RangeError("undone");
          });
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          Object.assign(list, { entries, sequence });
        }
        expect(timers.pending().map(shown)).toEqual(list.sorted());
        expect([timers.size, timers.sequence]).toEqual([list.entries.length, list.sequence]);
        const next = timers.next();
        expect(next && keyOf(next)).toBe(list.sorted()[0]?.key);
      }
    }),
    halfOf({ numRuns: 300, seed: 20_260_101 }),
  );
});

test("copies of hundreds of timers run each its own, whatever the others schedule, cancel and run", () => {
  const write = fc.record({ world: fc.nat(20), at: fc.nat(9999), times: fc.nat(150), isFork: fc.boolean() });
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 12 }), (writes) => {
      const log = new UndoLog();
      const worlds: { readonly timers: Timers; readonly list: Map<string, Timer> }[] = [
        { timers: new Timers(log), list: new Map() },
      ];
      const runFirst = ({ timers, list }: (typeof worlds)[number]): void => {
        const first = timers.next();
        const expected = [...list.values()].reduce<Timer | undefined>(
          (least, timer) =>
            least === undefined || timer.at < least.at || (timer.at === least.at && timer.sequence < least.sequence)
              ? timer
              : least,
          undefined,
        );
        expect(first).toEqual(expected);
        if (first === undefined) return;
        timers.cancel(first.owner, first.subject, first.name);
        list.delete(first.subject);
      };
      for (const { world, at, times, isFork } of writes) {
        const chosen = worlds[world % worlds.length] as (typeof worlds)[number];
        const { timers, list } = chosen;
        log.run(() => {
          for (let index = 0; index < times; index += 1) {
            const subject = String((at * 31 + index * 7) % 400);
            const timer = {
              at: (at * index) % 9973,
              depth: 0,
              owner: "owner",
              subject,
              name: "name",
              input: { type: "tick" },
            };
            timers.schedule(timer);
            list.set(subject, { ...timer, sequence: timers.sequence });
            if (index % 5 === 0) {
              timers.cancel("owner", String(index), "name");
              list.delete(String(index));
            }
          }
          for (let index = 0; index < 3; index += 1) runFirst(chosen);
        });
        if (!isFork) continue;
        const copy = new Timers(log);
        copy.copyFrom(timers, []);
        worlds.push({ timers: copy, list: new Map(list) });
      }
      for (const { timers, list } of worlds) {
        const expected = [...list.values()].toSorted(
          (left, right) => left.at - right.at || left.sequence - right.sequence,
        );
        expect(timers.pending()).toEqual(expected);
        expect(timers.size).toBe(expected.length);
        log.run(() => {
          for (const timer of expected) {
            expect(timers.next()).toBe(timers.get(timer.owner, timer.subject, timer.name));
            expect(timers.next()?.sequence).toBe(timer.sequence);
            timers.cancel(timer.owner, timer.subject, timer.name);
          }
        });
        expect(timers.next()).toBeUndefined();
      }
    }),
    halfOf({ numRuns: 10, seed: 20_260_101 }),
  );
});
