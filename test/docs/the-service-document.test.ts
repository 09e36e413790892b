import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assumptionTable } from "../../src/service/assumption-table.ts";
import { endpoints } from "../conformance/endpoints.ts";
import { documentedErrors, events } from "../conformance/errors.ts";
import { gaps } from "../conformance/gaps.ts";
import { lifecycles } from "../conformance/lifecycles.ts";
import type { Verdict } from "../conformance/verdict.ts";

const document = readFileSync(new URL("../../docs/service.md", import.meta.url), "utf8");

const documented = <Row extends { readonly verdict: Verdict }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ verdict }) => verdict === "supported");

describe("the service document", () => {
  test("has the nine parts, in order", () => {
    const numbers = [...document.matchAll(/^## (\d)\. /gm)].map(([, number]) => number);
    expect(numbers.join("")).toBe("123456789");
  });

  test.for(documented(endpoints).filter(({ part }) => part.startsWith("4")))(
    "has $method $path, with its query",
    ({ method, path, query = [] }) => {
      const { missing, text } = sectionOf("4");
      expect(text).toContain(`\`${method} ${path}\``);
      expect(missing(query)).toEqual([]);
    },
  );

  test.for(lifecycles.filter((lifecycle) => lifecycle.part.startsWith("3")))(
    "has the statuses and moves of $resource",
    ({ statuses, moves }) => {
      const { missing, text } = sectionOf("3");
      expect(missing(documented(statuses).map(({ word }) => word))).toEqual([]);
      const rows = text.split("\n").filter((line) => line.startsWith("|"));
      const isMissing = (from: string, to: string) =>
        !rows.some((row) => row.startsWith(`| \`${from}\``) && row.includes(`| \`${to}\``));
      expect(documented(moves).filter(({ from, to }) => isMissing(from, to))).toEqual([]);
    },
  );

  test("has the events and the errors", () => {
    const types = documented(events).map(({ event }) => (event.endsWith(".") ? `${event}…` : event));
    expect(sectionOf("6").missing(types)).toEqual([]);
    const labels = documentedErrors.map(({ label }) => label);
    expect(labels.filter((label) => !sectionOf("7").text.includes(label))).toEqual([]);
  });

  test.for(gaps.flatMap((gap) => (gap.part === undefined ? [] : [{ ...gap, part: gap.part }])))(
    'says in part $part that "$question" is not shown, and which assumption answers it',
    ({ part: number, verdict }) => {
      const ids = verdict === "supported" ? [] : verdict.assumed;
      const lines = sectionOf(number[0] ?? "")
        .text.split("\n")
        .filter((line) => line.includes("**not shown**"));
      expect(ids.filter((id) => !lines.some((line) => line.includes(`(reference/assumptions.md#${id})`)))).toEqual([]);
    },
  );

  test("links to every assumption, and to no unknown one", () => {
    const linked = [...document.matchAll(/\(reference\/assumptions\.md#([^)]+)\)/g)].map(([, id = ""]) => id);
    expect(new Set(linked)).toEqual(new Set(Object.keys(assumptionTable)));
  });
});

/** The text of a part, and the names that it does not have as code. */
function sectionOf(number: string): { text: string; missing: (names: readonly string[]) => string[] } {
  const text = document.split("\n## ").find((section) => section.startsWith(`${number}. `)) ?? "";
  return { text, missing: (names) => names.filter((name) => !text.includes(`\`${name}\``)) };
}
