import type { NamedTexts } from "./redact-parts.ts";

/** Content as it is, a comment or a declaration, a tag, or text. Each match goes on where the one before ended, so none is read twice. */
const PART = /<!\[CDATA\[([^\]]*(?:\](?!\]>)[^\]]*)*)(?:\]\]>)?|<[!?][^<>]*>?|<(\/?)([\w.:-]{1,128})([^<>]*)>?|[^<]+/g;
const CDATA = "<![CDATA[";
const ATTRIBUTE = /(?<![\w.:-])([\w.:-]{1,64})(\s{0,8}=\s{0,8})(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))/g;
/** They say what an element is for: `<input type="password">`, `<meta name="csrf-token">`. */
const LABEL = /^(?:name|id|property|key|type)$/i;
const VALUE = /^(?:value|content)$/i;

interface Element {
  /** Without its prefix. */
  readonly name: string;
  /** The name that makes what it holds secret. */
  readonly secretName: string | undefined;
}

/** Redacts XML or HTML: the content of elements whose names are secret, with all elements in them, and such attributes. */
export function redactMarkup(body: string, texts: NamedTexts): string {
  const open: Element[] = [];
  /** How many elements of each name are open: an end that has no beginning must not be sought among all of them. */
  const counts = new Map<string, number>();
  return body.replaceAll(PART, (part, content?: string, end?: string, fullName?: string, inTag?: string) => {
    const attributes = inTag ?? "";
    if (content !== undefined) return CDATA + redacted(content) + part.slice(CDATA.length + content.length);
    if (fullName === undefined) return part.startsWith("<") ? part : redacted(part);
    const name = fullName.replace(/^.*:/, "");
    if (end === "/") {
      close(name);
      return part;
    }
    const { secretName } = begin(name, !attributes.endsWith("/"));
    return replaced(part, attributes, redactAttributes(attributes, secretName, texts));
  });

  function redacted(content: string): string {
    const { name, secretName } = open.at(-1) ?? {};
    const text = content.trim();
    return text === "" ? content : replaced(content, text, texts.text(text, secretName, name));
  }

  function begin(name: string, isOpen: boolean): Element {
    const element = { name, secretName: texts.isSecret(name) ? name : open.at(-1)?.secretName };
    if (isOpen) {
      open.push(element);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return element;
  }

  /** HTML leaves some elements without an end. */
  function close(name: string): void {
    if ((counts.get(name) ?? 0) === 0) return;
    for (;;) {
      const last = open.pop();
      if (last === undefined) return;
      counts.set(last.name, (counts.get(last.name) ?? 0) - 1);
      if (last.name === name) return;
    }
  }
}

function redactAttributes(attributes: string, around: string | undefined, texts: NamedTexts): string {
  const valueOf = (match: readonly (string | undefined)[]): string => match[3] ?? match[4] ?? match[5] ?? "";
  const labels = [...attributes.matchAll(ATTRIBUTE)]
    .filter(([, name = ""]) => LABEL.test(name))
    .map((match) => valueOf(match));
  const secretName = labels.find((label) => texts.isSecret(label)) ?? around;
  return attributes.replaceAll(ATTRIBUTE, (...match: (string | undefined)[]) => {
    const [all = "", name = ""] = match;
    const secret = texts.isSecret(name) ? name : VALUE.test(name) ? secretName : undefined;
    const value = valueOf(match);
    return secret === undefined ? all : replaced(all, value, texts.text(value, secret, secret));
  });
}

/** Writes a text with another in place of its last part that is this one. */
function replaced(text: string, part: string, other: string): string {
  if (part === other) return text;
  const start = text.lastIndexOf(part);
  return text.slice(0, start) + other + text.slice(start + part.length);
}
