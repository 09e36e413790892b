import { expect, test } from "vitest";
import { TrafficRedaction } from "../../src/traffic/redaction.ts";
import { growthOf, MOST_GROWTH } from "../safety/growth.ts";

/** Texts of a body of this length: secrets, and other texts that nearly hold them. */
type Texts = (length: number) => { readonly tokens: readonly string[]; readonly notes: readonly string[] };

const hostile: Record<string, Texts> = {
  "many secrets that begin alike, beside what begins like them": (length) => {
    const tokens: string[] = [];
    for (let left = length / 2; left > 0; left -= tokens.at(-1)?.length ?? 0)
      tokens.push(`aaaaaaaa1c${"d".repeat(tokens.length)}`);
    return { tokens, notes: ["a".repeat(length / 2)] };
  },
  "many secrets that begin with one another, beside nearly the longest": (length) => {
    const tokens: string[] = [];
    for (let left = length / 2; left > 0; left -= tokens.at(-1)?.length ?? 0)
      tokens.push(`${"a".repeat(10 + tokens.length)}1`);
    return { tokens, notes: [`${"a".repeat(tokens.length)} `.repeat(Math.ceil(length / 2 / (tokens.length + 1)))] };
  },
  "a long secret, beside nearly all of it": (length) => ({
    tokens: [`${"a".repeat(length / 2)}1`],
    notes: ["a".repeat(length / 2)],
  }),
  "a long secret, beside short parts of it": (length) => ({
    tokens: [`${"a".repeat(length / 2)}1`],
    notes: [`${"a".repeat(120)} `.repeat(length / 242)],
  }),
};

test.for(Object.entries(hostile))("the work grows no faster than a body that has %s", async ([, texts]) => {
  const growth = await growthOf((length) => {
    const body = JSON.stringify(texts(length));
    return () => new TrafficRedaction().body(body);
  }, 4096);
  expect(growth).toBeLessThan(MOST_GROWTH);
});

/** They begin like what is sought, again and again, and end differently. */
const beginnings: readonly (readonly [text: string, type?: string])[] = [
  ['ab="'],
  ["ab='x"],
  ['ab=\\"'],
  [String.raw`ab=\\\"cd=\"`],
  ["ab=&quot;cd=\"ef='"],
  ["ab=&quot;"],
  ["a=b="],
  ["<a><![CDATA[", "text/xml"],
  ["<![CDATA[]]", "text/xml"],
  ["]]]<![CDATA[]", "text/xml"],
  ["<secret>x1", "text/xml"],
  ["<a></b>", "text/xml"],
  ["<a></a><", "text/xml"],
  ["<!--", "text/xml"],
  ["<a b=c ", "text/html"],
  ["<a name=\"b ' c=", "text/html"],
  ["name=", "multipart/form-data; boundary=b"],
  ['--b\r\nname="', "multipart/form-data; boundary=b"],
];

test.for(beginnings)("the work grows no faster than a body made of %j", async ([part, type]) => {
  const growth = await growthOf((length) => {
    const body = part.repeat(Math.ceil(length / part.length));
    return () => new TrafficRedaction().body(body, type);
  }, 8192);
  expect(growth).toBeLessThan(MOST_GROWTH);
});
