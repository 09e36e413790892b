/** Draws the curves of the bench as SVG, for light and dark pages. */
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { boundUpTo, curveBoundInWords, grouped, mostOf, writeIn } from "../bench/table.ts";
import type { Curve, Point } from "../bench/table.ts";

// Narrow enough for a phone, on which it is not made smaller.
const WIDTH = 340;
const HEIGHT = 256;
const TOP = 66;
const RIGHT = 16;
const BOTTOM = 44;
const LEFT = 52;
/** The sizes of every chart, so that they can be compared. */
const SIZES = [100, 1000, 10_000, 100_000, 1_000_000] as const;
const MARGIN = 8;
const MOST_IN_LINE = 46;
const MOST_IN_LEGEND = 36;
/** From this ratio of the highest to the lowest on, a linear scale shows the lowest as nothing. */
const MOST_LINEAR = 20;

/** The lines of a chart: each in a colour of its own, and in a form of its own for those who do not see colours. */
const looks = {
  ours: { colour: "light-dark(#0b57d0,#8ab4f8)", dashes: "" },
  beside: { colour: "light-dark(#8a4b00,#f0b45c)", dashes: ' stroke-dasharray="2 3"' },
  bound: { colour: "light-dark(#b3261e,#f2a19b)", dashes: ' stroke-dasharray="7 4"' },
} as const;
type Look = keyof typeof looks;

/** Returns the chart of a curve. The same curve gives the same bytes. */
export function chartOf(curve: Curve, of: string): string {
  const { what, unit, points, beside } = curve;
  const write = writeIn[unit];
  const most = mostOf(curve);
  const limit = most === undefined ? [] : [most];
  const bound = curveBoundInWords(curve);
  const values = [...[...points, ...(beside?.points ?? [])].map(([, value]) => value), ...limit].filter(
    (value) => value > 0,
  );
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const isLinear = highest / lowest < MOST_LINEAR;
  const x = scaleLog([SIZES[0], SIZES[4]], [LEFT, WIDTH - RIGHT]);
  const range = [HEIGHT - BOTTOM, TOP];
  const y = isLinear
    ? scaleLinear([0, highest * 1.15], range).nice(4)
    : scaleLog([lowest, highest * 1.5], range).nice();
  const ticks = isLinear ? y.ticks(4) : y.ticks().filter((tick) => tick.toExponential().startsWith("1e"));

  const grid = ticks.map((tick) => {
    const at = round(y(tick));
    return `<path d="M${LEFT},${at}H${WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.2"/>${text(LEFT - 6, at + 4, axisLabel(tick), "end")}`;
  });
  const sizes = SIZES.map((size) => text(round(x(size)), HEIGHT - BOTTOM + 18, powerOfTen(size), "middle"));
  const path = (drawn: readonly Point[], look: Look): string => {
    const at =
      line<Point>(
        ([size]) => round(x(size)),
        ([, value]) => round(y(value)),
      )([...drawn]) ?? "";
    const dots = drawn.map(
      ([size, value]) => `<circle cx="${round(x(size))}" cy="${round(y(value))}" r="3" fill="${looks[look].colour}"/>`,
    );
    return `<path d="${at}" fill="none" stroke="${looks[look].colour}" stroke-width="2"${looks[look].dashes}/>${look === "bound" ? "" : dots.join("")}`;
  };
  const boundLine: readonly Point[] = limit.flatMap((value): Point[] =>
    SIZES.filter((size) => size <= boundUpTo(curve)).map((size) => [size, value]),
  );
  const drawn: readonly (readonly [Look, string, readonly Point[]])[] = [
    ["ours", "Centavo", points],
    ...(beside === undefined ? [] : [["beside", beside.what, beside.points] as const]),
    ...(bound === "" ? [] : [["bound", bound.replace(/;.*/, ""), boundLine] as const]),
  ];
  let left = MARGIN;
  const legend = drawn.map(([look, name]) => {
    // The bound stands below, where its words have room.
    const [from, at] = look === "bound" ? [MARGIN, HEIGHT - 6] : [left, TOP - 14];
    left += 34 + name.length * 6;
    const shown = name.length > MOST_IN_LEGEND ? `${name.slice(0, MOST_IN_LEGEND - 1)}…` : name;
    return `<path d="M${from},${at - 4}h18" stroke="${looks[look].colour}" stroke-width="2"${looks[look].dashes}/>${text(from + 23, at, shown, "start")}`;
  });
  const title = linesOf(what).map((each, index) => text(MARGIN, 16 + 15 * index, each, "start", ' font-weight="600"'));
  const told = [
    `${of} ${points.map(([size, value]) => `${grouped(size)}: ${write(value)}`).join("; ")}.`,
    ...(beside === undefined
      ? []
      : [`${beside.what}: ${beside.points.map(([size, value]) => `${grouped(size)}: ${write(value)}`).join("; ")}.`]),
    ...(bound === "" ? [] : [`The bound: ${bound}.`]),
  ].join(" ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${what}. ${told}`)}" font-family="Helvetica, Arial, sans-serif" font-size="12" color="light-dark(#1f2328,#e6edf3)" style="color-scheme: light dark">`,
    `<title>${escaped(what)}</title>`,
    `<desc>${escaped(told)}</desc>`,
    ...title,
    ...legend,
    ...grid,
    ...sizes,
    text(WIDTH - RIGHT, HEIGHT - 6, unit === "B" ? "bytes, by size" : `${unit}, by size`, "end"),
    ...drawn.toReversed().map(([look, , each]) => path(each, look)),
    "</svg>",
    "",
  ].join("\n");
}

/** Returns the name of a chart's file. */
export function chartName(of: string, { what }: Curve): string {
  return `${of} ${what}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end", more = ""): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="currentColor"${more}>${escaped(words)}</text>`;
}

function linesOf(words: string): string[] {
  const lines: string[] = [];
  for (const word of words.replaceAll("`", "").split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < MOST_IN_LINE) lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}

/** Returns a label that fits between the edge of the chart and its axis. */
function axisLabel(value: number): string {
  if (value < 1000) return String(Number(value.toPrecision(3)));
  if (value < 1_000_000) return grouped(value);
  const size = 10 ** Math.floor(Math.log10(value));
  return `${value === size ? "" : `${Number((value / size).toPrecision(3))}·`}${powerOfTen(size)}`;
}

function powerOfTen(size: number): string {
  return `10${"⁰¹²³⁴⁵⁶⁷⁸⁹"[Math.round(Math.log10(size))] ?? ""}`;
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
