import type * as z from "zod/mini";
import { inWords, shortened } from "./in-words.ts";
import { listed, suggestion } from "./known-names.ts";

/** How messages call the types of zod. */
const types: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  never: "nothing",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
  tuple: "a list",
};
const units: Readonly<Record<string, string>> = { array: "item", string: "character" };

/**
 * For every `safeParse` whose messages people read: each says what the value has to be, as in `it takes a whole number`. `zod/mini` comes
 * without messages, and those of the process can be in any language.
 */
export const inEnglish = { error: speaker("it ", "takes") };

/** The same as a predicate, for messages that begin with the name of a field: `must be a whole number`. */
export const asPredicate = { error: speaker("", "must be") };

function speaker(it: string, takes: string): (issue: z.core.$ZodRawIssue) => string {
  const words = it + takes;
  return (issue) => {
    const { input } = issue;
    switch (issue.code) {
      case "invalid_type":
        return input === undefined ? `${it}is required` : `${words} ${types[issue.expected] ?? issue.expected}`;
      case "invalid_value":
        return among(issue.values, input);
      case "too_small":
        return sized(issue.origin, issue.minimum, "least");
      case "too_big":
        return sized(issue.origin, issue.maximum, "most");
      case "invalid_format":
        return `${words} text in the format "${issue.format}"`;
      case "unrecognized_keys": {
        const [key = ""] = issue.keys;
        const { shape = {} } = (issue.inst as z.ZodMiniType)._zod.def as { readonly shape?: object };
        const known = Object.keys(shape);
        return `${it}has no field ${inWords(key)}${suggestion(key, known) ?? `; its fields are ${listed(known)}`}`;
      }
      case "invalid_key":
        return issue.issues[0]?.message ?? "";
      case "invalid_union":
        if (issue.options !== undefined)
          return among(
            issue.options as readonly unknown[],
            (input as Record<string, unknown>)[issue.discriminator ?? ""],
          );
        return `${words} ${issue.errors.map(([first]) => first?.message.replace(`${words} `, "")).join(" or ")}`;
      case "custom":
      case "invalid_element":
      case "not_multiple_of":
        return `${it}is not valid`;
    }
  };

  function among(values: readonly unknown[], given: unknown): string {
    if (given === undefined) return `${it}is required`;
    const known = values.map((value) => inWords(value));
    return `${words} ${known.length === 1 ? "" : "one of "}${listed(known)}${suggestion(given, values.map(String)) ?? ""}`;
  }

  function sized(origin: string, limit: number | bigint, bound: string): string {
    const unit = units[origin] === undefined ? "" : ` ${units[origin]}${limit === 1 ? "" : "s"}`;
    return `${words} ${types[origin]} of at ${bound} ${limit}${unit}`;
  }
}

/** What takes secrets out of a value. */
export interface Redacting {
  value(value: object): object;
}

/** A value that was read, or what is wrong with it. */
type Read<Value> =
  | { readonly data: Value; readonly complaint?: undefined }
  | { readonly data?: undefined; readonly complaint: string };

/**
 * Reads a part of a file. A complaint names the first wrong place in it, what stands there, and what it has to be.
 * @param within the path of the part in the file
 * @param redaction takes the secrets out of what stands there
 */
export function readPart<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  redaction: Redacting,
  within = "",
): Read<z.output<Schema>> {
  try {
    const { data, error } = schema.safeParse(value, inEnglish);
    return error === undefined ? { data } : { complaint: complaintOf(error, value, redaction, within) };
  } catch (error) {
    // zod passes all issues on as arguments, and the stack has no room for some hundred thousand.
    if (!(error instanceof RangeError)) throw error;
    return { complaint: `${within || "it"} is wrong in too many places to name one` };
  }
}

function complaintOf(
  { issues: [issue] }: z.core.$ZodError,
  value: unknown,
  redaction: Redacting,
  within: string,
): string {
  const { path = [], message = "", code } = issue ?? {};
  let [place, found] = [within, value];
  for (const step of path) {
    const name = shortened(String(step));
    place += typeof step === "number" ? `[${name}]` : `${place && "."}${name}`;
    found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  }
  place ||= "it";
  if (code === "unrecognized_keys") return message.replace("it", () => place);
  if (found === undefined) return `${place} is missing`;
  return `${place} is ${partInWords(String(path.at(-1)), found, redaction)}: ${message}`;
}

/** A list or an object could hold secrets and bury the message. */
function partInWords(name: string, part: unknown, redaction: Redacting): string {
  if (Array.isArray(part)) return "a list";
  if (typeof part === "object" && part !== null) return "an object";
  return inWords(Object.values(redaction.value({ [name]: typeof part === "string" ? part.slice(0, 999) : part }))[0]);
}

/** What our own checks say about a value. Every other complaint says what the value has to be. */
export function ownComplaints({ issues }: z.core.$ZodError): string {
  return issues.map(({ code, message }) => (code === "custom" ? behindColon(message) : "")).join("");
}

/** Writes a sentence as the reason that a longer one gives. */
export function behindColon(sentence: string): string {
  return `: ${sentence.replace(/^The /, "the ").replace(/\.$/, "")}`;
}
