/**
 * Whether a value has the mark of a class. The ES module build and the CommonJS build each have a class of their own; a registered symbol on
 * both prototypes lets `instanceof` take the instances of one for instances of the other.
 */
export function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && mark in value;
}
