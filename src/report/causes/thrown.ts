import { messageOf } from "../../kit/base/errors/thrown-values.ts";

/** What a test threw, as far as it can be read. */
export interface Thrown {
  /** The messages of the error and of its causes, outermost first. */
  readonly text: string;
  /** The codes of the error and of its causes. */
  readonly codes: readonly string[];
  /** Whether it is one of Centavo's errors. A runner may have turned it into a plain object. */
  readonly isOurs: boolean;
  /** Whether the runner stopped the test because it took too long. */
  readonly isTimeout: boolean;
  /** Whether it is an assertion error. */
  readonly isAssertion: boolean;
  /** The values that an assertion compared. */
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Limits chains of causes, which may be circular. */
const MOST_CAUSES = 8;
/** In characters. */
const LONGEST_MESSAGE = 20_000;
const TIMEOUT =
  /\btimed out in \d+ ?ms|timeout of \d+ ?ms exceeded|exceeded timeout of \d+ ?ms|test timed out after \d+|did not end within \d+ ms/i;

/** Reads what a test threw. It never throws, even if a getter of the value does. */
export function readThrown(error: unknown): Thrown {
  const chain = chainOf(error);
  // Jest keeps the values of its `expect` one level deeper.
  const compared = read(error, "matcherResult") ?? error;
  const text = chain.map(messageOf).join("\n").slice(0, LONGEST_MESSAGE);
  return {
    text,
    codes: chain.map((one) => read(one, "code")).filter((code) => typeof code === "string"),
    isOurs: read(error, "name") === "CentavoError",
    isTimeout: TIMEOUT.test(text),
    isAssertion: chain.some(isAssertion),
    actual: read(compared, "actual"),
    expected: read(compared, "expected"),
  };
}

/** Node and chai are recognised by the error's name, Jest by its matcher's result, and matchers added to vitest by the values. */
function isAssertion(one: unknown): boolean {
  return (
    /^Assertion ?Error/.test(String(read(one, "name"))) ||
    ["matcherResult", "actual", "expected"].some((name) => read(one, name) !== undefined)
  );
}

function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  const left = [error];
  while (left.length > 0 && chain.length < MOST_CAUSES) {
    const one = left.shift();
    if (one === undefined || one === null || chain.includes(one)) continue;
    chain.push(one);
    const errors = read(one, "errors");
    left.push(read(one, "cause"), ...(Array.isArray(errors) ? (errors as unknown[]).slice(0, MOST_CAUSES) : []));
  }
  return chain;
}

/** Reads a property of any value. */
function read(value: unknown, name: string): unknown {
  try {
    return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
