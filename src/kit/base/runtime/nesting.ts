/** How many levels of objects and lists a body may have. `JSON.parse` accepts nesting that `JSON.stringify` and `structuredClone` do not. */
export const DEEPEST_BODY = 32;

/** Whether a value has more levels of objects and lists. It looks at an object once a level, however many hold it. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level = new Set([value].filter(isObject));
  for (let left = levels; level.size > 0; left -= 1) {
    if (left === 0) return true;
    level = new Set([...level].flatMap((each) => Object.values(each).filter(isObject)));
  }
  return false;
}

/** Counts the values in a value without cycles, as JSON writes them: what two objects share, twice. */
export function countAsJson(value: unknown, counted = new Map<object, number>()): number {
  if (!isObject(value)) return 1;
  let count = counted.get(value);
  if (count === undefined) {
    count = Object.values(value).reduce<number>((sum, part) => sum + countAsJson(part, counted), 1);
    counted.set(value, count);
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
