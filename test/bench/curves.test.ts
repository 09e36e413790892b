import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { brokenIn, tablesOf } from "../../bench/figures.ts";
import { curveBoundInWords, staysBelowBound } from "../../bench/table.ts";
import type { Curve, Figure, Point } from "../../bench/table.ts";
import { chartOf } from "../../scripts/charts.ts";
import { chartsFolder, performanceCharts } from "../../scripts/performance-page.ts";

const points: readonly Point[] = [
  [100, 0.2],
  [10_000, 0.3],
];

function curveWith(bound: Curve["bound"]): Curve {
  return { what: "a list", unit: "ms", points, ...(bound && { bound }) };
}

describe("the bound of a curve", () => {
  test("holds for each of its points", () => {
    expect(staysBelowBound(curveWith({ atMost: 0.3 }))).toBe(true);
    expect(staysBelowBound(curveWith({ atMost: 0.29 }))).toBe(false);
  });

  test("may be a multiple of its first point", () => {
    expect(staysBelowBound(curveWith({ timesTheFirst: 2 }))).toBe(true);
    expect(staysBelowBound(curveWith({ timesTheFirst: 1.4 }))).toBe(false);
    expect(curveBoundInWords(curveWith({ timesTheFirst: 2 }))).toBe("at most 2× the first; 1.50×");
  });

  test("may end at a size", () => {
    const curve = curveWith({ timesTheFirst: 1.4, upTo: 1000 });
    expect(staysBelowBound(curve)).toBe(true);
    expect(curveBoundInWords(curve)).toBe("at most 1.4× the first up to 1 000; 1.00×");
    expect(staysBelowBound(curveWith({ timesTheFirst: 1.4, upTo: 10_000 }))).toBe(false);
  });

  test("is counted when it is broken, and the table says so", () => {
    const measured = { of: "Rows", curves: [curveWith({ atMost: 0.25, goal: 0.1 })] };
    const anImport: Figure = { what: "an import", unit: "ms", value: 9, bound: { of: "value", atMost: 8 } };
    expect(brokenIn([measured, [anImport]])).toBe(2);
    expect(tablesOf([measured]).curves).toEqual([
      [
        "| Rows | 100 | 10 000 | bound |",
        "| --- | ---: | ---: | ---: |",
        "| a list | 0.200 ms | 0.300 ms | **broken:** at most 0.250 ms, goal 0.100 ms |",
      ].join("\n"),
    ]);
  });
});

describe("the chart of a curve", () => {
  const beside = { what: "a `Map` & <nothing else>", points: [[100, 0.1]] as const };
  const curve: Curve = { ...curveWith({ atMost: 1 }), what: 'a list of "all"', beside };
  const svg = chartOf(curve, "Rows");

  test("says what it shows to those who do not see it", () => {
    const told =
      "Rows 100: 0.200 ms; 10 000: 0.300 ms. a `Map` &amp; &lt;nothing else>: 100: 0.100 ms. The bound: at most 1.0 ms.";
    expect(svg).toContain(` role="img" aria-label="a list of &quot;all&quot;. ${told}"`);
    expect(svg).toContain("<title>a list of &quot;all&quot;</title>");
    expect(svg).toContain(`<desc>${told}</desc>`);
  });

  test("shows the curve beside what it is compared with and its bound, each in a colour for light and for dark", () => {
    const lines = [...svg.matchAll(/fill="none" stroke="([^"]*)"/g)].map(([, colour]) => colour);
    expect(new Set(lines).size).toBe(3);
    expect(lines.filter((colour) => colour?.startsWith("light-dark(") !== true)).toEqual([]);
    const words = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(words).toEqual(
      expect.arrayContaining(["Centavo", "a `Map` &amp; &lt;nothing else>", "at most 1.0 ms", "10⁶"]),
    );
  });

  test.each([
    ["a logarithmic", 20, "10⁷"],
    ["a linear", 20_000_000, "2·10⁷"],
  ])("writes millions on %s axis as powers of ten, for which there is room", (_, first, label) => {
    const large = [
      [100, first],
      [1000, 30_000_000],
    ] as const;
    const labels = [...chartOf({ what: "a copy", unit: "µs", points: large }, "Rows").matchAll(/<text[^>]*>([^<]*)</g)];
    const texts = labels.map(([, text]) => text);
    expect(texts).toContain(label);
    expect(texts.filter((text) => text?.includes("000 000") === true)).toEqual([]);
  });
});

test("every chart in the folder is of a curve, and the page shows it", () => {
  const paths = performanceCharts().map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(9);
  expect(globSync(`${chartsFolder}/*`).toSorted()).toEqual(paths.toSorted());
  const page = readFileSync("docs/performance.md", "utf8");
  expect(paths.filter((path) => !page.includes(`(${path.slice("docs/".length)})`))).toEqual([]);
});
