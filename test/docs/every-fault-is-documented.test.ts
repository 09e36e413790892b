import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { z } from "zod";
import { callFault, fault } from "../../src/faults/schema.ts";

/** Where the kinds of a sort are documented, by the first part of their names. */
const pages: Readonly<Record<string, string>> = {
  request: "faults.md",
  response: "faults.md",
  processor: "processor-faults.md",
  clock: "processor-faults.md",
  webhook: "webhook-faults.md",
};

const calls = callFault.options.map(({ shape }) => shape);

/** Each kind with the fields that are not common to all calls, nor to all kinds of its sort. */
const kinds = fault.options.flatMap((union) => {
  const shapes = union.options.map(({ shape }) => shape);
  return shapes.map((shape) => ({
    kind: shape.kind.value as string,
    fields: Object.entries<z.ZodType>(shape).flatMap(([name, schema]) => {
      const isShared = [calls, shapes].some((each) => each.length > 1 && each.every((other) => name in other));
      return isShared ? [] : [`\`${name}${schema.isOptional() ? "?" : ""}\``];
    }),
  }));
});

function pageOf(kind: string): string {
  return new URL(`../../docs/${pages[kind.split(".", 1)[0] ?? ""]}`, import.meta.url).pathname;
}

test.each(kinds)("$kind has a row with each of its own fields", ({ kind, fields }) => {
  const row = readFileSync(pageOf(kind), "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| \`${kind}\` `));
  expect(row, `${kind} in ${pageOf(kind)}`).toBeDefined();
  for (const field of fields) expect(row).toContain(field);
});

test("the tables have no kind that there is not", () => {
  const known = new Set(kinds.map(({ kind }) => kind));
  const rows = [...new Set(kinds.map(({ kind }) => pageOf(kind)))].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/^\| `((?:request|response|processor|webhook|clock)\.[\w-]+)`/gm)].map(
      ([, kind = ""]) => kind,
    ),
  );
  expect(rows.filter((kind) => !known.has(kind))).toEqual([]);
});
