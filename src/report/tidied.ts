/** The longest text outside bodies, in characters. */
const LONGEST_TEXT = 4000;

/** Removes secrets from every text of a run, because its readers may not be allowed to see everything that the test saw. */
export function tidied<Value>(value: Value, clean: (text: string) => string): Value {
  const tidy = (inner: unknown, name: string): unknown => {
    // A digest may happen to contain the digits of a card number.
    if (name === "digest") return inner;
    if (typeof inner === "string")
      return shortened(clean(inner.toWellFormed()), name === "body" || name === "timeline");
    if (Array.isArray(inner)) return inner.map((member) => tidy(member, name));
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, member]) => [key, tidy(member, key)]));
  };
  return tidy(value, "") as Value;
}

function shortened(text: string, isWhole: boolean): string {
  return isWhole || text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
