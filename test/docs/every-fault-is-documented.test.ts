import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declaredKinds, faultsGuide, faultsPage, testOf, textOf } from "../../scripts/faults-page.ts";

const root = join(import.meta.dirname, "../..");

test.for(declaredKinds)("$kind has a text, its own fields and a test that plans it", ({ kind, fields }) => {
  const names = fields.map(({ name }) => name);
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const text = textOf(kind);
  expect(Object.keys(text.fields).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(text.options)).toEqual(expect.arrayContaining(required));
  expect(testOf(kind)).toContain(`sim.faults.add({ kind: "${kind}"`);
  for (const sentence of [text.does, text.hurts, text.sees, text.should]) expect(sentence).toMatch(/^[A-Z2-5`].*[.`]$/);
});

test("every kind has one section of the page, and one row in the guide", () => {
  const kinds = declaredKinds.map(({ kind }) => kind).toSorted();
  const sections = [...faultsPage().matchAll(/^### (\S+)$/gm)].map(([, kind = ""]) => kind);
  const rows = [...faultsGuide().matchAll(/^\| \[`([\w.-]+)`\]\(\.\.\/reference/gm)].map(([, kind = ""]) => kind);
  expect([sections.toSorted(), rows.toSorted()]).toEqual([kinds, kinds]);
});

test("no page names a kind of fault that does not exist", () => {
  const known = new Set<string>(declaredKinds.map(({ kind }) => kind));
  const sorts = new Set(declaredKinds.map(({ kind }) => kind.split(".", 1)[0]));
  const named = globSync("{README.md,docs/**/*.md}", { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/kind: "(\w+\.[\w-]+)"/g)].map(([, kind = ""]) => kind),
  );
  expect(named.length).toBeGreaterThan(declaredKinds.length);
  expect(named.filter((kind) => sorts.has(kind.split(".", 1)[0] ?? "") && !known.has(kind))).toEqual([]);
});
