import type { JsonParts } from "./redact-json.ts";
import { redactMarkup } from "./redact-markup.ts";

/** The names and texts of a body, which are redacted as those of JSON are. */
export type NamedTexts = Pick<JsonParts, "isSecret" | "text">;

const NAME = /\bname\*?\s{0,8}=\s{0,8}(?:"([^"\r\n]{0,1000})|([^\s";,]{1,1000}))/i;

/** Redacts a multipart form, XML or HTML, part by part. Returns undefined for any other body. */
export function redactParts(body: string, type: string, texts: NamedTexts): string | undefined {
  const [, boundary] = /^\s*multipart\/[^;]{1,50};.{0,200}?\bboundary="?([^";\s]{1,70})/is.exec(type) ?? [];
  if (boundary !== undefined) return redactMultipart(body, `--${boundary}`, texts);
  return /\b(?:xml|html)\b/i.test(type) || /^\s*<[?!\w]/.test(body) ? redactMarkup(body, texts) : undefined;
}

function redactMultipart(body: string, delimiter: string, texts: NamedTexts): string {
  return body
    .split(delimiter)
    .map((part) => {
      const end = /\r?\n\r?\n/.exec(part);
      if (end === null) return part;
      const start = end.index + end[0].length;
      const [, inQuotes, plain = ""] = NAME.exec(part.slice(0, end.index)) ?? [];
      const name = inQuotes ?? plain;
      const [lineBreak = ""] = /\r?\n$/.exec(part) ?? [];
      const content = part.slice(start, part.length - lineBreak.length);
      return `${part.slice(0, start)}${texts.text(content, name, name)}${lineBreak}`;
    })
    .join(delimiter);
}
