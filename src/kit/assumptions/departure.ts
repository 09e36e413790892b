import type { Choice } from "./entry.ts";

/** Returns the part of the service's document from which a value departs; undefined where it departs from none, as the default does. */
export function departureOf({ document, departs, value: usual }: Choice, value: unknown): string | undefined {
  if (isSame(value, usual)) return undefined;
  return departs === undefined || departs.when?.(value) === false ? document : departs.part;
}

/** Whether two JSON values say the same. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [members, others] = [Object.entries(left), right as Readonly<Record<string, unknown>>];
  return (
    members.length === Object.keys(others).length &&
    members.every(([name, member]) => Object.hasOwn(others, name) && isSame(member, others[name]))
  );
}
