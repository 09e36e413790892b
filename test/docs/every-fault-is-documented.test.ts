import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { callSelectors } from "../../src/http/call-selectors.ts";
import { faultFamilies } from "../../src/service/faults.ts";

/** Where the kinds of a sort are documented, by the first part of their names. */
const pages: Readonly<Record<string, string>> = {
  request: "faults.md",
  response: "faults.md",
  processor: "processor-faults.md",
  clock: "processor-faults.md",
  webhook: "webhook-faults.md",
};

/** Each kind with its own fields and selectors. */
const kinds = faultFamilies({ routes: [] }, []).flatMap((family) => {
  const selectors: Readonly<Record<string, { readonly field: z.ZodMiniType }>> = family.selectors;
  const own = Object.entries(selectors).filter(([name]) => family.kinds.length === 1 && !(name in callSelectors));
  return family.kinds.map(({ kind, fields }) => {
    const schemas = { ...Object.fromEntries(own.map(([name, { field }]) => [name, field])), ...fields };
    return {
      kind,
      fields: Object.entries<z.ZodMiniType>(schemas).map(
        ([name, schema]) => `\`${name}${schema.safeParse(undefined).success ? "?" : ""}\``,
      ),
    };
  });
});

function pageOf(kind: string): string {
  return new URL(`../../docs/guide/${pages[kind.split(".", 1)[0] ?? ""]}`, import.meta.url).pathname;
}

test.each(kinds)("$kind has a row with each of its own fields", ({ kind, fields }) => {
  const row = readFileSync(pageOf(kind), "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| \`${kind}\` `));
  expect(row, `${kind} in ${pageOf(kind)}`).toBeDefined();
  for (const field of fields) expect(row).toContain(field);
});

test("the tables have no unknown kind", () => {
  const known = new Set<string>(kinds.map(({ kind }) => kind));
  const rows = [...new Set(kinds.map(({ kind }) => pageOf(kind)))].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/^\| `((?:request|response|processor|webhook|clock)\.[\w-]+)`/gm)].map(
      ([, kind = ""]) => kind,
    ),
  );
  expect(rows.filter((kind) => !known.has(kind))).toEqual([]);
});
