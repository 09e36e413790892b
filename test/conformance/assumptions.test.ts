import { assumptionTable } from "centavo";
import { expect, test } from "vitest";
import { endpoints } from "./endpoints.ts";
import { documentedErrors, events, limits, ownErrors } from "./errors.ts";
import { shapes } from "./fields.ts";
import { gaps } from "./gaps.ts";
import { lifecycles } from "./lifecycles.ts";
import type { Verdict } from "./verdict.ts";

const rows: readonly { readonly verdict: Verdict }[] = [
  ...endpoints,
  ...shapes.flatMap(({ fields }) => fields),
  ...lifecycles.flatMap(({ statuses }) => statuses),
  ...lifecycles.flatMap(({ moves }) => moves),
  ...documentedErrors,
  ...limits,
  ...events,
];

test("every assumption answers a gap of the conformance table, and every gap names assumptions that exist", () => {
  // What the document gives leaves no gap, although the real service may depart from it.
  const open = Object.entries(assumptionTable).filter(([, entry]) => !("document" in entry));
  expect([...new Set(named(gaps))].toSorted()).toEqual(open.map(([id]) => id).toSorted());
});

test("every assumption that a row of the conformance table names exists", () => {
  const ids = [...named(rows), ...Object.values(ownErrors)];
  expect(ids.filter((id) => !Object.hasOwn(assumptionTable, id))).toEqual([]);
});

test("no question stands twice in the conformance table", () => {
  const questions = gaps.map(({ part, question }) => `${part} ${question}`);
  expect(new Set(questions).size).toBe(questions.length);
});

function named(of: readonly { readonly verdict: Verdict }[]): string[] {
  return of.flatMap(({ verdict }) => (verdict === "supported" ? [] : verdict.assumed));
}
