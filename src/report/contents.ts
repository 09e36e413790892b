import type { Clean } from "./causes/cause-report.ts";
import { parseParameters } from "../kit/http/body.ts";
import type { Redaction } from "../kit/base/redaction/redaction.ts";
import type { Carried } from "./playback.ts";
import type { Part } from "./reported-run.ts";

/** How much of a body is shown, in characters. */
const LONGEST_BODY = 12_000;
const LONGEST_HEADER = 2000;

/** Removes secrets: from a value by its field names, and from a text also the secrets that the test chose. */
export interface Cleaning {
  readonly redaction: Redaction;
  readonly clean: Clean;
}

/** Returns what a message carries, for readers: without secrets, with formatted JSON, cut to a reasonable length. */
export function partOf(title: string, { headers, body }: Carried, { redaction, clean }: Cleaning): Part {
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const shown = Object.entries(redaction.value(Object.fromEntries(headers)));
  return {
    title,
    headers: shown.map(([name, value]) => [name, clean(value).slice(0, LONGEST_HEADER)] as const),
    ...bodyOf(clean(readable(body, type, redaction))),
  };
}

export function partOfValue(title: string, value: unknown, { clean }: Cleaning): Part {
  return { title, ...bodyOf(clean(typeof value === "string" ? value : JSON.stringify(value, undefined, 2))) };
}

/** Cuts a text from which secrets were already removed. Otherwise a secret across the cut would leave its beginning. */
function bodyOf(text: string): Pick<Part, "body" | "cut"> {
  if (text === "") return {};
  const cut = text.length - LONGEST_BODY;
  return cut > 0 ? { body: text.slice(0, LONGEST_BODY), cut } : { body: text };
}

function readable(body: string, type: string, redaction: Redaction): string {
  try {
    if (type.startsWith("application/x-www-form-urlencoded"))
      return asLines(redaction.value(parseParameters(body).value));
    if (/^\s*[[{]/.test(body)) return JSON.stringify(redaction.value(JSON.parse(body)), undefined, 2);
  } catch {
    // Not JSON, so it is shown as it was sent.
  }
  return redaction.text(body);
}

function asLines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join("\n");
}
