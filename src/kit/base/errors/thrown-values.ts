/** Code of the test may throw anything, also a value whose `message` throws again. No function here throws. */

const UNREADABLE = "a value that cannot be read as text";
/** How much of a text is kept, in characters: megabytes would bury what is said around it. */
const LONGEST = 10_000;

/** Returns a thrown value as text: an error with its name. */
export function textOf(thrown: unknown): string {
  return cut(read(() => String(thrown)) ?? UNREADABLE);
}

/**
 * Returns the message of an error, or any other thrown value as text. A runner may have turned the error into a plain object, such as
 * vitest does.
 */
export function messageOf(thrown: unknown): string {
  const message = read(() => (thrown as { readonly message?: unknown } | undefined | null)?.message);
  return typeof message === "string" ? cut(message) : textOf(thrown);
}

/** Cuts a text that was thrown. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** `thrown instanceof type`, which itself throws for a revoked proxy. */
export function isThrown<Thrown extends Error>(
  thrown: unknown,
  type: abstract new (...parameters: never) => Thrown,
): thrown is Thrown {
  return read(() => thrown instanceof type) === true;
}

function read<Value>(reading: () => Value): Value | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
