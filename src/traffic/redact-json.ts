import { isCardNumberInParts } from "../kit/base/redaction/card-number.ts";

/** What a redaction makes of the parts of JSON. */
export interface JsonParts {
  /** Whether what has this name is secret, with everything in it that has no name of its own or one that says no more. */
  isSecret(name: string): boolean;
  /** @param secretName the name that makes it secret */
  text(text: string, secretName: string | undefined, name: string | undefined): string;
  /** Returns the number as JSON writes it. */
  number(written: string, secretName: string | undefined): string;
  name(name: string): string;
  readonly cardInParts: string;
}

/** A string, a number, or a character that builds objects and lists. Whatever else there is stays as it is. */
const PART = /"[^"\\]*(?:\\[^][^"\\]*)*"?|-?\d[\d.eE+-]*|[{}[\],:]/g;
/** A colon after white space. */
const COLON = /\s{0,100}:/y;

interface Container {
  readonly isList: boolean;
  /** Where its text begins, in the parts that were written. */
  readonly start: number;
  /** The name that makes all of it secret. */
  readonly secretName: string | undefined;
  /** The name of the value that comes next. */
  name: string | undefined;
  /** The values of a list, as long as they are texts and numbers. */
  values: unknown[] | undefined;
}

/**
 * Writes JSON with other texts and numbers in it. It looks at no more than strings, numbers and brackets, so it changes nothing else, and
 * takes several values in a row, and JSON that ends too early.
 */
export function redactJson(text: string, parts: JsonParts): string {
  const written: string[] = [];
  const open: Container[] = [];
  let around: Container = { isList: false, start: 0, secretName: undefined, name: undefined, values: undefined };
  let copied = 0;
  for (const match of text.matchAll(PART)) {
    const [part] = match;
    written.push(text.slice(copied, match.index));
    copied = match.index + part.length;
    written.push(redacted(part, copied));
  }
  written.push(text.slice(copied));
  return written.join("");

  function redacted(part: string, end: number): string {
    switch (part.charAt(0)) {
      case "{":
      case "[":
        begin(part === "[");
        return part;
      case "}":
      case "]":
        return ended(part);
      case ",":
        if (!around.isList) around.name = undefined;
        return part;
      case ":":
        return part;
      case '"':
        return string(part, end);
      default:
        around.values?.push(part);
        return parts.number(part, secretNameOf(around));
    }
  }

  function begin(isList: boolean): void {
    if (around.isList) around.values = undefined;
    open.push(around);
    const secretName = secretNameOf(around);
    // The values of a list have the name of the list.
    const name = isList ? around.name : undefined;
    around = { isList, start: written.length, secretName, name, values: isList ? [] : undefined };
  }

  function ended(part: string): string {
    const { isList, start, values } = around;
    around = open.pop() ?? around;
    if (!isList || part !== "]" || !isCardNumberInParts(values ?? [])) return part;
    written.length = start;
    return `[${JSON.stringify(parts.cardInParts)}]`;
  }

  function string(part: string, end: number): string {
    const value = decoded(part);
    COLON.lastIndex = end;
    if (!around.isList && COLON.test(text)) {
      around.name = value;
      return rewritten(part, value, parts.name(value));
    }
    around.values?.push(value);
    return rewritten(part, value, parts.text(value, secretNameOf(around), around.name));
  }

  function secretNameOf({ name, secretName }: Container): string | undefined {
    return name !== undefined && parts.isSecret(name) ? name : secretName;
  }
}

function rewritten(part: string, value: string, redacted: string): string {
  return redacted === value ? part : JSON.stringify(redacted);
}

function decoded(part: string): string {
  try {
    return JSON.parse(part) as string;
  } catch {
    // It ends too early, or holds what JSON does not allow.
    return part.replaceAll(/^"|"$/g, "").replaceAll(/\\(["\\/])/g, "$1");
  }
}
