import * as z from "zod/mini";
import { placeholdersOf } from "../kit/assumptions/template-schema.ts";
import type { RecordedValues } from "./recorded-values.ts";
import { isRecord } from "./differences.ts";
import type { Row } from "./slots.ts";
import { membersOf, withoutOptional } from "./slots.ts";

/** How many values of a row are tried at most. */
const MOST = 60;
/** A list of more names has too many orders. */
const LONGEST_LIST = 3;

/** Returns the values of a row to try instead of the current one: all where it takes few, else those that a recording suggests. */
export function otherValues(row: Row, current: unknown, recorded: RecordedValues): readonly unknown[] {
  const known = new Set([JSON.stringify(current)]);
  const values: unknown[] = [];
  for (const value of candidates(row.schema, current, recorded)) {
    const written = JSON.stringify(value);
    if (known.has(written) || !row.schema.safeParse(value).success) continue;
    known.add(written);
    values.push(value);
    if (values.length === MOST) break;
  }
  return values;
}

function* candidates(given: z.ZodMiniType, current: unknown, recorded: RecordedValues): Generator {
  const schema = withoutOptional(given);
  if (placeholdersOf(schema) !== undefined) return;
  if (schema instanceof z.ZodMiniEnum) yield* schema.options;
  else if (schema instanceof z.ZodMiniLiteral) yield* schema.def.values;
  else if (schema instanceof z.ZodMiniBoolean) yield* [true, false];
  else if (schema instanceof z.ZodMiniNumber) yield* recorded.numbers;
  else if (schema instanceof z.ZodMiniString) yield* isDuration(schema) ? recorded.durations : recorded.texts;
  else if (schema instanceof z.ZodMiniUnion)
    for (const option of schema.def.options) yield* candidates(option as z.ZodMiniType, current, recorded);
  else if (schema instanceof z.ZodMiniTuple) yield* recorded.waits;
  else if (schema instanceof z.ZodMiniArray) yield* lists(schema, current, recorded);
  else if (schema instanceof z.ZodMiniObject) yield* objects(schema, current, recorded);
}

/** Changes one member of an object at a time. */
function* objects(schema: z.ZodMiniObject, current: unknown, recorded: RecordedValues): Generator {
  const members = membersOf(schema);
  if (isRecord(current)) {
    for (const [name, member] of members)
      for (const value of candidates(member, current[name], recorded)) yield { ...current, [name]: value };
    return;
  }
  // The row has another kind of value now, so each member is chosen.
  yield* members.reduce<readonly Readonly<Record<string, unknown>>[]>(
    (objectsSoFar, [name, member]) => {
      const values = [...candidates(member, undefined, recorded)].slice(0, MOST);
      return objectsSoFar
        .flatMap((object) => values.map((value) => Object.assign({}, object, { [name]: value })))
        .slice(0, MOST);
    },
    [{}],
  );
}

function* lists(schema: z.ZodMiniArray, current: unknown, recorded: RecordedValues): Generator {
  const element = schema.def.element as z.ZodMiniType;
  yield [];
  if (element instanceof z.ZodMiniEnum) {
    const { options } = element;
    if (options.length <= LONGEST_LIST) yield* ordersOf(options);
    else {
      yield options.filter((option) => recorded.said.has(String(option)));
      const now: readonly unknown[] = Array.isArray(current) ? current : [];
      for (const option of options)
        yield now.includes(option) ? now.filter((each) => each !== option) : [...now, option];
    }
    return;
  }
  if (isDuration(element)) yield* recorded.waits;
  else for (const text of recorded.texts) yield [text];
}

/** Returns every list of some of these, in every order. */
function ordersOf(items: readonly unknown[]): readonly (readonly unknown[])[] {
  return items.flatMap((item) => {
    const others = items.filter((other) => other !== item);
    return [[item], ...ordersOf(others).map((rest) => [item].concat(rest))];
  });
}

function isDuration(schema: z.ZodMiniType): boolean {
  return schema.safeParse("1 hour").success && !schema.safeParse("no length of time").success;
}
