import * as fc from "fast-check";

/** One change to plain data: which of its nodes, by chance, and what becomes of it. */
export interface Mutation {
  readonly pick: number;
  readonly other: number;
  readonly change: (typeof changes)[number];
}

const changes = [
  "delete",
  "null",
  "true",
  "false",
  "nothing",
  "zero",
  "minus one",
  "a half",
  "one more",
  "far too large",
  "the end of time",
  "unknown word",
  "empty text",
  "huge text",
  "list",
  "object",
  "hole",
  "hostile key",
  "hostile keys only",
  "swap",
] as const;

/** Any mutation. A node is picked anew for each world, as a share of its nodes. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  pick: fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  other: fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  change: fc.constantFrom(...changes),
});

interface Place {
  readonly holder: object;
  readonly key: string;
  readonly path: string;
}

const VALUES: Partial<Record<Mutation["change"], unknown>> = {
  null: null,
  true: true,
  false: false,
  nothing: undefined,
  zero: 0,
  "minus one": -1,
  "a half": 0.5,
  "far too large": 1e300,
  "the end of time": 8.64e15,
  "unknown word": "no-such-word",
  "empty text": "",
  "huge text": "x".repeat(100_000),
  list: [1],
  object: { a: 1 },
};

/**
 * Changes one node of a copy of plain data.
 * @returns the changed copy, and what was done, for people
 */
export function mutated(
  data: object,
  { pick, other, change }: Mutation,
): { readonly data: unknown; readonly what: string } {
  const copy = JSON.parse(JSON.stringify(data)) as object;
  const places = placesIn(copy);
  const place = places[Math.floor(pick * places.length)] as Place;
  const { holder, key, path } = place;
  const value: unknown = Reflect.get(holder, key);
  const what = `${path}: ${change} (was ${JSON.stringify(value)?.slice(0, 80)})`;
  if (change === "delete") {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  } else if (change === "hole") {
    if (Array.isArray(holder)) Reflect.deleteProperty(holder, key);
    else Reflect.set(holder, key, Array.from({ length: 3 }));
  } else if (change === "hostile key" || change === "hostile keys only") {
    const hostile = change === "hostile key" && isRecord(value) ? value : {};
    for (const name of ["__proto__", "constructor", "toString"])
      Object.defineProperty(hostile, name, { value: { polluted: true }, enumerable: true, configurable: true });
    Reflect.set(holder, key, hostile);
  } else if (change === "one more") {
    Reflect.set(holder, key, typeof value === "number" ? value + 1 : `${JSON.stringify(value)}1`);
  } else if (change === "swap") {
    // With a value of the same type, such as the id of another row.
    const alike = places.filter((one) => typeof Reflect.get(one.holder, one.key) === typeof value);
    const from = alike[Math.floor(other * alike.length)] as Place;
    Reflect.set(holder, key, structuredClone(Reflect.get(from.holder, from.key)));
    return { data: copy, what: `${what} with ${from.path}` };
  } else Reflect.set(holder, key, VALUES[change]);
  return { data: copy, what };
}

/** Every node below the top. Lists of journal entries would outnumber all others, so only some of them count. */
function placesIn(data: object, path = ""): Place[] {
  return Object.entries(data as Record<string, unknown>).flatMap(([key, value], index) => {
    if (path.endsWith(".journal") && index % 10 !== 0) return [];
    const place = { holder: data, key, path: `${path}.${key}` };
    const below = typeof value === "object" && value !== null ? placesIn(value, place.path) : [];
    return [place].concat(below);
  });
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
