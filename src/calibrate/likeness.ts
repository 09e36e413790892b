import { isRecord, plainName, sizeOf } from "./differences.ts";
import type { Sides } from "./differences.ts";
import { isSameMoment, momentOf, TOLERANCE } from "./moments.ts";
import { isAddress, isHidden, isStandIn } from "./names.ts";

/** What the service fills in for one document. */
export interface Fills {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** A recorded document, or a part of one, and what the world would fill in. */
export interface Sample {
  /** Undefined where the document does not have the part. */
  readonly part: unknown;
  readonly fills: Fills;
  readonly sides: Sides;
}

const CERTAIN = 1;
const LIKELY = 0.9;
const POSSIBLE = 0.4;
/** A secret of the real service stands for an id or a token of the world, but hardly for a word. */
const UNLIKELY = 0.2;
/** Of the values of an object, how many have to be alike. */
const ENOUGH = 0.5;
const MOST_VALUES = 60;

/** Returns how well a recorded part fits what the world fills in, from 0 to 1. */
export function likeness(part: unknown, fill: unknown, sides: Sides): number {
  if (typeof part === "object" && part !== null) {
    if (typeof fill !== "object" || fill === null || Array.isArray(part) !== Array.isArray(fill)) return 0;
    const size = Math.max(sizeOf(part), sizeOf(fill));
    if (Object.keys(part).length === 0 && Object.keys(fill).length === 0) return CERTAIN;
    const share = alike(part, fill, sides) / size;
    if (share === CERTAIN) return share;
    const covered = Math.min(coverage(part, fill, sides), LIKELY);
    return covered >= ENOUGH ? covered : 0;
  }
  return likenessOfValues(part, fill, sides);
}

/** Returns how much of what the world fills in stands anywhere in a part, which another assumption may have shaped. */
function coverage(part: unknown, fill: unknown, sides: Sides): number {
  const [found, wanted] = [valuesIn(part), valuesIn(fill)];
  const covered = wanted.filter((value) => found.some((each) => likenessOfValues(each, value, sides) >= LIKELY));
  return wanted.length === 0 ? 0 : covered.length / wanted.length;
}

/** Returns the values in a part, as many as are worth comparing. */
function valuesIn(part: unknown): readonly unknown[] {
  const values: unknown[] = [];
  gather(part);
  return values;

  function gather(value: unknown): void {
    if (values.length === MOST_VALUES) return;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) gather(inner);
    else values.push(value);
  }
}

/** Counts the values of a part that fit those of the world at the same path. */
function alike(part: unknown, fill: unknown, sides: Sides): number {
  if (isRecord(part) && isRecord(fill)) {
    const shared = Object.keys(part).filter((name) => Object.hasOwn(fill, name));
    const sum = shared.reduce((total, name) => total + alike(part[name], fill[name], sides), 0);
    return Object.keys(part).length === 0 && Object.keys(fill).length === 0 ? 1 : sum;
  }
  if (Array.isArray(part) && Array.isArray(fill)) {
    if (part.length === 0 && fill.length === 0) return 1;
    return part.reduce((total: number, item, index) => total + alike(item, fill[index], sides), 0);
  }
  return likenessOfValues(part, fill, sides) >= POSSIBLE ? 1 : 0;
}

function likenessOfValues(part: unknown, fill: unknown, { names, moments }: Sides): number {
  if (fill === undefined) return 0;
  if (typeof part === "string" && typeof fill === "string") {
    if (isHidden(part)) return POSSIBLE;
    if (names.worldOf(part) === fill) return CERTAIN;
    if (names.isOwn(fill)) return names.mayPair(part, fill) ? POSSIBLE : 0;
    if (part === fill || names.translate(part) === fill) return CERTAIN;
    if (isStandIn(part)) return UNLIKELY;
    if (isAddress(part) && isAddress(fill)) return POSSIBLE;
  } else if (part === fill) return CERTAIN;
  if (typeof part !== typeof fill) return 0;
  const [recorded, world] = [momentOf(part), momentOf(fill)];
  if (recorded === undefined || world === undefined) return 0;
  if (Math.abs(world - moments.world - (recorded - moments.recorded)) <= TOLERANCE) return LIKELY;
  return isSameMoment(world, recorded, moments) ? POSSIBLE : 0;
}

/** Returns how much a member's name is like that of a placeholder: from 0 to 1. */
export function likenessOfNames(member: string, placeholder: string): number {
  const [name, last] = [plainName(member), plainName(placeholder.split(".").at(-1) ?? "")];
  if (name === "" || last === "") return 0;
  if (name === last) return 1;
  return name.includes(last) || last.includes(name) ? 0.5 : 0;
}
