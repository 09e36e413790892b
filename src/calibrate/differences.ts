import { isAddress, isHidden, isStandIn } from "./names.ts";
import type { Names } from "./names.ts";
import { isSameMoment, momentOf } from "./moments.ts";
import type { Moments } from "./moments.ts";

/** Something that differs between the answer of the world and the recorded one. */
export interface Difference {
  /** Where: `status`, `headers.content-type`, or a path in the body such as `body.data.amount`. */
  readonly path: string;
  /** What the world says; absent where it says nothing. */
  readonly expected?: unknown;
  /** What was recorded; absent where nothing was. */
  readonly came?: unknown;
}

/** What comparing two documents needs. */
export interface Sides {
  readonly names: Names;
  readonly moments: Moments;
}

/** How many values a part of a document holds. */
export function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Math.max(
    1,
    Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0),
  );
}

/** How much differs, in values. */
export function weightOf(differences: readonly Difference[]): number {
  return differences.reduce(
    (sum, { expected, came }) =>
      sum + (expected === undefined ? sizeOf(came) : came === undefined ? sizeOf(expected) : 1),
    0,
  );
}

/** Returns where a recorded document differs from that of the world, but for ids, tokens, addresses and times. Pairs their names. */
export function differencesBetween(own: unknown, recorded: unknown, sides: Sides, path: string): Difference[] {
  if (isSameValue(own, recorded, sides)) return [];
  if (isRecord(own) && isRecord(recorded))
    return [...new Set([...Object.keys(own), ...Object.keys(recorded)])].flatMap((name) =>
      differencesBetween(memberOf(own, name), memberOf(recorded, name), sides, `${path}.${name}`),
    );
  if (Array.isArray(own) && Array.isArray(recorded))
    return Array.from({ length: Math.max(own.length, recorded.length) }).flatMap((_, index) =>
      differencesBetween(own[index], recorded[index], sides, `${path}.${index}`),
    );
  return [
    { path, ...(own === undefined ? {} : { expected: own }), ...(recorded === undefined ? {} : { came: recorded }) },
  ];
}

/** Whether two values that are no objects say the same. Pairs names. */
function isSameValue(own: unknown, recorded: unknown, sides: Sides): boolean {
  const { names, moments } = sides;
  if (typeof own === "string" && typeof recorded === "string") {
    if (isHidden(recorded)) return true;
    if (names.isOwn(own)) return names.pair(recorded, own);
    if (own === recorded || isStandIn(recorded) || names.translate(recorded) === own) return true;
  } else if (own === recorded) return true;
  const [moment, recordedMoment] = [momentOf(own), momentOf(recorded)];
  if (moment !== undefined && recordedMoment !== undefined && typeof own === typeof recorded)
    return isSameMoment(moment, recordedMoment, moments);
  return typeof own === "string" && typeof recorded === "string" && isAddress(own) && isAddress(recorded);
}

/** Pairs the names of two documents of different shapes by the names of their members. */
export function pairByMember(own: unknown, recorded: unknown, names: Names): void {
  const found = Map.groupBy(textsIn(recorded), ([name]) => name);
  for (const [name, text] of textsIn(own)) {
    if (!names.isOwn(text)) continue;
    const candidates = found.get(name) ?? [];
    const candidate = candidates[0]?.[1];
    if (candidate !== undefined && candidates.length === 1 && !isHidden(candidate)) names.pair(candidate, text);
  }
}

/** Returns the texts of a document by the plain names of their members: `session_token` is `sessiontoken`. */
function textsIn(value: unknown, name = ""): [name: string, text: string][] {
  if (typeof value === "string") return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  return isRecord(value) ? Object.entries(value).flatMap(([member, part]) => textsIn(part, plainName(member))) : [];
}

/** Returns the name of a member without what spellings differ in. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function memberOf(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
