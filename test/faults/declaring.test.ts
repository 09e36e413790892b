import * as z from "zod/mini";
import { describe, expect, expectTypeOf, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import { faultFamily, faultKind, selector } from "../../src/kit/faults/declaration.ts";
import type { FaultOf, Occasion } from "../../src/kit/faults/declaration.ts";
import { Faults } from "../../src/kit/faults/faults.ts";
import { KnownFaults } from "../../src/kit/faults/reading.ts";
import { name, wholeNumber } from "../../src/kit/faults/fields.ts";

interface ParcelOccasion extends Occasion {
  readonly town: string;
}

interface Parcel {
  damage: number;
  isLost: boolean;
}

interface Post {
  readonly towns: readonly string[];
  readonly leastDamage: number;
}

const parcelFault = faultKind<Parcel, Post>();

const parcelFaults = [
  parcelFault({
    kind: "parcel.damaged",
    inWords: "a parcel that arrives damaged",
    fields: { by: wholeNumber(1) },
    complaint: ({ by }, { leastDamage }) => (by < leastDamage ? `by is ${by}, which is too little to see` : undefined),
    hasOccasion: ({ by }, parcel) => parcel.damage + by <= 10,
    effect({ by }, parcel) {
      parcel.damage += by;
    },
  }),
  parcelFault({
    kind: "parcel.lost",
    inWords: "a parcel that never arrives",
    fields: {},
    effect(_fault, parcel) {
      parcel.isLost = true;
    },
  }),
] as const;

const post: Post = { towns: ["Cebu", "Davao"], leastDamage: 2 };

const family = faultFamily({
  kinds: parcelFaults,
  selectors: {
    town: selector<ParcelOccasion, Post>()({
      field: z.optional(name),
      selects: (town, parcel) => town === parcel.town,
      complaint: (town, { towns }) => (towns.includes(town) ? undefined : `town is "${town}", which is not on the map`),
    }),
  },
  service: post,
});

function plan(): { readonly faults: Faults; readonly send: (town: string) => Parcel } {
  const faults = new Faults({
    engine: new Engine({ seed: "1", now: 0 }),
    known: new KnownFaults([family]),
  });
  const send = (town: string): Parcel => {
    const occasion: ParcelOccasion = { town, note: { town } };
    return faults.fire<Parcel>(parcelFaults, occasion, { damage: 0, isLost: false }, ({ isLost }) => isLost);
  };
  return { faults, send };
}

describe("a declared kind of fault", () => {
  test("has its effect on the occasions that its selectors choose", () => {
    const { faults, send } = plan();
    faults.add({ kind: "parcel.damaged", by: 3, town: "Cebu" });
    expect([send("Cebu"), send("Davao")]).toEqual([
      { damage: 3, isLost: false },
      { damage: 0, isLost: false },
    ]);
    expect(faults.list()).toMatchObject([{ occasions: 1, hits: 1 }]);
  });

  test("meets what the faults before it left, until one of them ends it", () => {
    const { faults, send } = plan();
    const damaged: FaultOf<typeof family> = { kind: "parcel.damaged", by: 6 };
    for (const fault of [damaged, damaged, { kind: "parcel.lost" }, damaged]) faults.add(fault);
    expect(send("Cebu")).toEqual({ damage: 6, isLost: true });
    expect(faults.list().map(({ occasions }) => occasions)).toEqual([1, 0, 1, 0]);
  });

  test.each([
    [{ kind: "parcel.damaged", by: 1 }, "faults.add: by is 1, which is too little to see."],
    [{ kind: "parcel.lost", town: "Atlantis" }, 'faults.add: town is "Atlantis", which is not on the map.'],
    [
      { kind: "parcel.damagd" },
      'faults.add: kind is "parcel.damagd"; the nearest is "parcel.damaged". Known are parcel.damaged, parcel.lost.',
    ],
  ])("is refused by what it and its selectors know of the service: %j", (fault, message) => {
    expect(() => plan().faults.add(fault)).toThrow(expect.objectContaining({ code: "INVALID_FAULT", message }));
  });

  test("is part of the type of faults", () => {
    type Parcels = FaultOf<typeof family>;
    expectTypeOf<Parcels["kind"]>().toEqualTypeOf<"parcel.damaged" | "parcel.lost">();
    expectTypeOf<Extract<Parcels, { kind: "parcel.damaged" }>["by"]>().toEqualTypeOf<number>();
    expectTypeOf<Parcels["town"]>().toEqualTypeOf<string | undefined>();
  });
});

test("the compiler refuses a kind without an effect, on another subject, or without what it needs of the service", () => {
  // @ts-expect-error a kind that does nothing
  parcelFault({ kind: "parcel.delayed", fields: {} });
  // @ts-expect-error a kind with an effect on something else than the room fires it on
  plan().faults.fire(parcelFaults, { note: {} }, { colour: "red" });
  // @ts-expect-error a family whose kinds are not told of the service
  faultFamily({ kinds: parcelFaults, selectors: {} });
  // @ts-expect-error a family whose kinds are told too little of the service
  faultFamily({ kinds: parcelFaults, selectors: {}, service: { towns: [] } });
});
