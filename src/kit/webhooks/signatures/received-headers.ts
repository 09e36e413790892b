import { inWords } from "../../base/errors/in-words.ts";
import { messageOf } from "../../base/errors/thrown-values.ts";
import { refused } from "./refusal.ts";

/** The headers of a webhook. Only the headers of the signature are read, because frameworks put anything into the others. */
export interface ReceivedHeaders {
  /** Returns the names of the headers that have a value, in lower case, as far as they can be listed. */
  names(): readonly string[];
  /**
   * Returns the text of a header; undefined without it. A repeated header is joined into one text, as Node and `Headers` do.
   * @throws {CentavoError} `WEBHOOK_VERIFICATION_FAILED` for a value that is not text
   */
  text(name: string): string | undefined;
  /** Returns the text of a header that some frameworks convert to a number. */
  textOrNumber(name: string): string | undefined;
}

const TAKES = "Pass a Headers, an object, or pairs of names and texts.";

/** @throws {CentavoError} `WEBHOOK_VERIFICATION_FAILED` for headers that cannot be read */
export function readHeaders(headers: object): ReceivedHeaders {
  const { names, values } = readable(() => namesAndValues(headers));
  const partsOf = (name: string): readonly unknown[] =>
    values(name)
      .flat()
      .filter((part) => part !== undefined && part !== null);
  const read = (name: string, isPart: (value: unknown) => boolean): string | undefined => {
    const found = readable(() => partsOf(name));
    const odd = found.find((value) => !isPart(value));
    if (odd !== undefined) throw refused(`the header ${name} is ${inWords(odd)}, but it must be text. ${TAKES}`);
    return found.length === 0 ? undefined : found.join(", ");
  };
  return {
    names: () => readable(() => names.filter((name) => partsOf(name).length > 0)),
    text: (name) => read(name, isText),
    textOrNumber: (name) => read(name, (value) => isText(value) || Number.isSafeInteger(value)),
  };
}

function namesAndValues(headers: object): {
  readonly names: readonly string[];
  readonly values: (name: string) => readonly unknown[];
} {
  if (Symbol.iterator in headers) {
    const pairs = [...(headers as Iterable<unknown>)].flatMap((pair) => {
      if (!Array.isArray(pair)) throw new TypeError(`${inWords(pair)} is not a pair of a name and a text`);
      const [name, value] = pair as readonly unknown[];
      return isText(name) ? [{ name: name.toLowerCase(), value }] : [];
    });
    return {
      names: pairs.map(({ name }) => name),
      values: (wanted) => pairs.filter(({ name }) => name === wanted.toLowerCase()).map(({ value }) => value),
    };
  }
  if ("get" in headers && typeof headers.get === "function") {
    const { get } = headers as { readonly get: (name: string) => unknown };
    return { names: [], values: (wanted) => [Reflect.apply(get, headers, [wanted])] };
  }
  const keys = Object.keys(headers);
  return {
    names: keys.map((key) => key.toLowerCase()),
    values: (wanted) =>
      keys.filter((key) => key.toLowerCase() === wanted.toLowerCase()).map((key): unknown => Reflect.get(headers, key)),
  };
}

function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw refused(`the headers cannot be read: ${messageOf(error)}. ${TAKES}`, error);
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
