import * as fc from "fast-check";
import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import { RowIndex } from "../../src/kit/engine/row-index.ts";
import { SlotSet } from "../../src/kit/engine/slot-set.ts";
import type { Table } from "../../src/kit/engine/table.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

interface Parcel {
  readonly id: string;
  readonly size: "small" | "large";
  readonly city?: string | undefined;
  readonly label: string;
  readonly weight: number;
}

const sizes = ["small", "large"] as const;
const cities = ["Cebu", "Davao", "Manila"];
const labels = Array.from({ length: 50 }, (_, number) => `label ${number}`);

interface Depot {
  readonly engine: Engine;
  readonly parcels: Table<Parcel>;
  readonly index: RowIndex<Parcel, "size" | "city" | "label">;
}

function depot(): Depot {
  const engine = new Engine({ seed: "1", now: 0 });
  const index = new RowIndex<Parcel, "size" | "city" | "label">(() => parcels, {
    size: ({ size }) => size,
    city: ({ city }) => city,
    label: ({ label }) => label,
  });
  const parcels: Table<Parcel> = engine.table("parcels", { row: z.custom<Parcel>(), observer: index });
  return { engine, parcels, index };
}

const traits = fc.record({
  size: fc.constantFrom(...sizes),
  city: fc.option(fc.constantFrom(...cities), { nil: undefined }),
  label: fc.constantFrom(...labels),
  weight: fc.nat(9),
});
/** Rows that are made, and rows that are changed, by their place among all. */
const writes = fc.record({
  made: fc.array(traits, { maxLength: 60, size: "max" }),
  changed: fc.array(fc.tuple(fc.nat(), traits), { maxLength: 20, size: "max" }),
});
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("unit", "failing unit"), writes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("forget"), places: fc.array(fc.nat(), { maxLength: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("keep", "restore", "refused restore", "fork") }) },
);
const question = fc.record({
  size: fc.option(fc.constantFrom(...sizes), { nil: undefined }),
  city: fc.option(fc.constantFrom(...cities, "Iloilo"), { nil: undefined }),
  label: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.constantFrom(...labels)),
  offset: fc.oneof(fc.nat(5), fc.nat(200)),
  limit: fc.integer({ min: 1, max: 20 }),
  from: fc.oneof(fc.constant(0), fc.nat(200)),
  to: fc.oneof(fc.constant(1000), fc.nat(200)),
  weight: fc.option(fc.nat(9), { nil: undefined }),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

let made = 0;

function write({ parcels }: Depot, works: typeof writes extends fc.Arbitrary<infer Value> ? Value : never): void {
  for (const parcel of works.made) {
    made += 1;
    parcels.set(`p${made}`, { id: `p${made}`, ...parcel });
  }
  const rows = parcels.all();
  for (const [place, changed] of works.changed) {
    const row = rows[place % rows.length];
    if (row !== undefined) parcels.set(row.id, { ...changed, id: row.id });
  }
}

/** Performs an act, and returns the world in which to go on. */
function perform(world: Depot, kept: { snapshot: ReturnType<Engine["snapshot"]> }, one: Act): Depot {
  const { engine, parcels } = world;
  if ("writes" in one) {
    const works = (): void => {
      write(world, one.writes);
      if (one.kind === "failing unit") throw new Error("no");
    };
    if (one.kind === "unit") engine.unit(works);
    else expect(() => engine.unit(works)).toThrow("no");
  } else if ("places" in one) {
    const rows = parcels.all();
    parcels.forget(one.places.flatMap((place) => rows[place % rows.length]?.id ?? []));
  } else if (one.kind === "keep") kept.snapshot = engine.snapshot();
  else if (one.kind === "restore") engine.restore(structuredClone(kept.snapshot));
  else if (one.kind === "refused restore") {
    const broken = { ...kept.snapshot, tables: { parcels: kept.snapshot.tables["parcels"] }, timers: [{ at: "no" }] };
    expect(() => engine.restore(broken)).toThrow();
  } else {
    const fork = depot();
    fork.engine.copyFrom(engine);
    return fork;
  }
  return world;
}

/** Asks the index and the rows themselves. */
function compare({ parcels, index }: Depot, asked: Question): void {
  const { size, city, label, offset, limit, weight } = asked;
  const rows = parcels.all();
  const bounds = [asked.from, asked.to].map((place) => Math.min(place, rows.length));
  const [first = 0, end = 0] = bounds;
  const isFound = (row: Parcel): boolean =>
    (size === undefined || row.size === size) &&
    (city === undefined || row.city === city) &&
    (label === undefined || row.label === label);
  const accepts = weight === undefined ? undefined : (row: Parcel): boolean => row.weight >= weight;
  const found = rows
    .slice(first, end)
    .filter((row) => isFound(row) && accepts?.(row) !== false)
    .toReversed();
  const page = index.page({ size, city, label }, { offset, limit, first, end, accepts });
  expect(page.rows).toEqual(found.slice(offset, offset + limit));
  expect(page.total).toBe(found.length);
  const uncounted = index.page({ size, city, label }, { limit, first, end, accepts, counted: false });
  expect(uncounted.rows).toEqual(found.slice(0, limit));
  const wanted = [city ?? "Manila", "Davao"].filter((one, place, all) => all.indexOf(one) === place);
  const inCities = rows.filter((row) => row.city !== undefined && wanted.includes(row.city));
  expect(index.having("city", wanted)).toEqual(inCities);
  expect(index.having("city")).toEqual(rows);
  expect(index.having("city", wanted, limit)).toEqual(inCities.slice(-limit));
  expect(index.having("city", undefined, limit)).toEqual(rows.slice(-limit));
  expect(index.valuesOf("label").toSorted()).toEqual([...new Set(rows.map((row) => row.label))].toSorted());
}

describe("the index of a table's rows", () => {
  test("finds what a scan finds, page by page, however the rows were made, changed, undone, forgotten, restored and forked", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(act, fc.array(question, { maxLength: 3 })), { minLength: 4, maxLength: 12, size: "max" }),
        (history) => {
          const worlds = [depot()];
          const kept = { snapshot: (worlds[0] as Depot).engine.snapshot() };
          for (const [one, questions] of history) {
            const next = perform(worlds.at(-1) as Depot, kept, one);
            if (next !== worlds.at(-1)) worlds.push(next);
            for (const asked of questions) for (const world of worlds) compare(world, asked);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("takes no note of rows before it is asked", () => {
    const { engine, parcels, index } = depot();
    let asked = 0;
    const reading = new RowIndex<Parcel, "city">(() => parcels, {
      city: ({ city }) => {
        asked += 1;
        return city;
      },
    });
    engine.unit(() => {
      parcels.set("p1", { id: "p1", size: "small", city: "Cebu", label: "a", weight: 1 });
      reading.replaced(undefined, parcels.get("p1"));
    });
    expect(asked).toBe(0);
    expect(reading.having("city", ["Cebu"])).toEqual(parcels.all());
    expect(index.having("city", ["Cebu"])).toEqual(parcels.all());
    expect(asked).toBe(1);
  });
});

describe("a set of slots", () => {
  test("is the same set whether it is kept as a list or as bits", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(100), fc.nat(10_000)), { maxLength: 300, size: "max" }), (slots) => {
        const set = new SlotSet();
        const model = new Set<number>();
        for (const slot of slots) {
          if (model.delete(slot)) set.delete(slot);
          else {
            model.add(slot);
            set.add(slot);
          }
          expect(set.has(slot)).toBe(model.has(slot));
        }
        for (const slot of [...slots, 10_001]) expect(set.has(slot)).toBe(model.has(slot));
      }),
    );
  });
});
