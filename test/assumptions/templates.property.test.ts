import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filling } from "../../src/kit/assumptions/template-filling.ts";
import { match } from "../../src/kit/assumptions/template-matching.ts";
import { templateComplaint } from "../../src/kit/assumptions/template-complaint.ts";
import type { Json, Placeholders } from "../../src/kit/assumptions/template.ts";

const known: Placeholders = {
  required: ["message", "code"],
  optional: ["redirectUrl"],
  lists: { errors: ["path", "message"] },
};

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
/** Doubles the braces of texts, so that a template holds them as they are. */
const escaped = (part: Json): Json => {
  if (typeof part === "string") return part.replaceAll("{", "{{").replaceAll("}", "}}");
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((item: Json) => escaped(item));
  return Object.fromEntries(Object.entries(part).map(([member, value]) => [member, escaped(value)]));
};

/** Puts the placeholders at any places of an object. */
const template = fc
  .record({
    around: fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), json.map(escaped), { maxKeys: 3 }),
    depth: fc.nat(3),
    hasRedirect: fc.boolean(),
    inText: fc.boolean(),
    list: fc.constantFrom(undefined, "flat", "deep"),
  })
  .map(({ around, depth, hasRedirect, inText, list }): Json => {
    let part: Json = { said: inText ? "it said: {message}!" : "{message}", as: "{code}" };
    if (hasRedirect) part = { ...part, to: "{redirectUrl}" };
    if (list === "flat") part = { ...part, problems: [{ at: "{errors.path}", what: "{errors.message}" }] };
    if (list === "deep") part = { ...part, problems: [{ source: { pointer: "/{errors.path}" }, of: "{code}" }] };
    for (let level = 0; level < depth; level += 1) part = { ...around, inner: part };
    return part;
  });

const parts = fc.record({
  values: fc.record(
    { message: fc.string(), code: fc.string(), redirectUrl: fc.webUrl() },
    { requiredKeys: ["message", "code"] },
  ),
  lists: fc.record({ errors: fc.array(fc.record({ path: fc.string(), message: fc.string() }), { maxLength: 3 }) }),
});

describe("a template", () => {
  test("that is filled in is read again: what was filled in comes out wherever it stands", () => {
    fc.assert(
      fc.property(template, parts, (shape, given) => {
        expect(templateComplaint(shape, known)).toBeUndefined();
        const document: unknown = JSON.parse(JSON.stringify(filling(shape, known)(given)));
        const read = match(shape, document, known);
        if (read === undefined) throw new Error(`It is not read: ${JSON.stringify(document)}`);
        expect(read.values).toMatchObject({ message: given.values.message, code: given.values.code });
        expect(JSON.parse(JSON.stringify(filling(shape, known)(read)))).toEqual(document);
      }),
    );
  });
});

describe("a template is refused", () => {
  const bodies: readonly (readonly [string, Json, string])[] = [
    [
      "with an unknown placeholder",
      { message: "{mesage}", code: "{code}" },
      'it has no placeholder "{mesage}"; the nearest is "{message}"; its placeholders are "{message}", "{code}", "{redirectUrl}", "{errors.path}", "{errors.message}"',
    ],
    [
      "without a required one",
      { message: "{message}" },
      '"{code}" has to stand somewhere in it; its placeholders are "{message}", "{code}", "{redirectUrl}", "{errors.path}", "{errors.message}"',
    ],
    [
      "with a brace that is none",
      { message: "{message}", code: "{code", more: "}" },
      '"{code" has a brace that neither begins nor ends the name of a placeholder; write {{ or }} for a brace',
    ],
    [
      "with an item of a list that is in no list",
      { message: "{message}", code: "{code}", path: "{errors.path}" },
      '"{errors.path}" has to stand in the only item of a list, which is repeated for each of the errors',
    ],
    [
      "with an item of a list that may be missing",
      { message: "{message}", code: "{code}", more: [1, "{redirectUrl}"] },
      '"{redirectUrl}" may be missing, so it cannot be an item of a list; make it a member of an object',
    ],
    [
      "with a list in itself",
      { message: "{message}", code: "{code}", errors: [{ path: "{errors.path}", more: ["{errors.message}"] }] },
      "the list of errors stands within the list of errors",
    ],
  ];

  test.for(bodies)("%s", ([, shape, complaint]) => {
    expect(templateComplaint(shape, known)).toBe(complaint);
  });
});

describe("a document of another shape is not read", () => {
  const shape: Json = { error: { text: "Sorry: {message}.", code: "{code}", to: "{redirectUrl}" } };
  const documents: readonly (readonly [string, unknown])[] = [
    ["a member more", { error: { text: "Sorry: no.", code: "A", more: 1 } }],
    ["a member less", { error: { text: "Sorry: no." } }],
    ["another text", { error: { text: "Sorry, no.", code: "A" } }],
    ["a list", [{ error: { text: "Sorry: no.", code: "A" } }]],
    ["nothing", undefined],
  ];

  test.for(documents)("%s", ([, document]) => {
    expect(match(shape, document, known)).toBeUndefined();
  });

  test("but an optional value may be absent", () => {
    expect(match(shape, { error: { text: "Sorry: no.", code: "A" } }, known)?.values).toEqual({
      message: "no",
      code: "A",
    });
  });
});
