/** How many levels of objects and lists a body may have. `JSON.parse` accepts nesting that `JSON.stringify` and `structuredClone` do not. */
export const DEEPEST_BODY = 32;

export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}
