/**
 * Halves the runs of a property, for the files that are called `*.property.test.ts`: `npm test` makes the first half, and
 * `npm run test:slow` the second from another seed.
 */
export function halfOf({ numRuns, seed }: { readonly numRuns: number; readonly seed: number }) {
  const isSecond = process.env["PROPERTY_HALF"] === "second";
  return { numRuns: Math.ceil(numRuns / 2), seed: isSecond ? seed + 1 : seed };
}
