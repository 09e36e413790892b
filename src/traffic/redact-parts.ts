/** What is written in place of the content of a named part. */
export type RedactPart = (name: string, content: string) => string;

const NAME = /\bname="([^"\r\n]{1,200})"/i;
const ELEMENT = /<((?:[\w.-]{1,64}:)?[\w.-]{1,64})(\s[^<>]{0,1000})?>([^<]+)/g;
const INPUT = /<(?:input|meta|button)\s([^<>]{1,2000})>/gi;
const ATTRIBUTE = /\b(name|id|property)\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)')/i;
const CONTENT = /\b((?:value|content)\s{0,8}=\s{0,8})(?:"([^"]*)"|'([^']*)')/i;

/** Redacts a multipart form, XML or HTML, part by part. Returns undefined for any other body. */
export function redactParts(body: string, type: string, redact: RedactPart): string | undefined {
  const [, boundary] = /^\s*multipart\/[^;]{1,50};.{0,200}?\bboundary="?([^";\s]{1,70})/is.exec(type) ?? [];
  if (boundary !== undefined) return redactMultipart(body, `--${boundary}`, redact);
  return /\b(?:xml|html)\b/i.test(type) || /^\s*<[?!\w]/.test(body) ? redactMarkup(body, redact) : undefined;
}

function redactMultipart(body: string, delimiter: string, redact: RedactPart): string {
  return body
    .split(delimiter)
    .map((part) => {
      const end = /\r?\n\r?\n/.exec(part);
      if (end === null) return part;
      const start = end.index + end[0].length;
      const [, name = ""] = NAME.exec(part.slice(0, end.index)) ?? [];
      const [lineBreak = ""] = /\r?\n$/.exec(part) ?? [];
      return `${part.slice(0, start)}${redact(name, part.slice(start, part.length - lineBreak.length))}${lineBreak}`;
    })
    .join(delimiter);
}

function redactMarkup(body: string, redact: RedactPart): string {
  return body
    .replaceAll(INPUT, (all, attributes: string) => {
      const [, , double, single = ""] = ATTRIBUTE.exec(attributes) ?? [];
      const name = double ?? single;
      const changed = attributes.replace(
        CONTENT,
        (_, before: string, inDouble?: string, inSingle?: string) =>
          `${before}"${redact(name, inDouble ?? inSingle ?? "")}"`,
      );
      return all.replace(attributes, () => changed);
    })
    .replaceAll(ELEMENT, (all, name: string, _attributes: string | undefined, content: string) => {
      const redacted = redact(name.replace(/^.*:/, ""), content);
      return redacted === content ? all : `${all.slice(0, all.length - content.length)}${redacted}`;
    });
}
