import { beforeEach, describe, expect, test } from "vitest";
import { nothingHappened } from "../../src/report/reported-run.ts";
import type { Row } from "../../src/report/reported-run.ts";
import { changes, query, resource, runs, tab, visible } from "../../src/report/page/store.ts";

/** How often a row was looked at, by what the search and the filters read of it. */
let looks = { searched: 0, filtered: 0 };

function rowOf(sequence: number, text = `entry ${sequence}`): Row {
  return {
    sequence,
    at: "2026-01-01T00:00:00.000Z",
    kind: "step",
    who: "service",
    get text() {
      looks.searched += 1;
      return text;
    },
    label: "",
    from: "service",
    to: "service",
    get tone() {
      return "plain" as const;
    },
    get isMinor() {
      looks.filtered += 1;
      return undefined as never;
    },
    about: [0],
    facts: [],
    parts: [],
  };
}

const rowsTo = (count: number): Row[] => Array.from({ length: count }, (_, index) => rowOf(index + 1));

function show(rows: readonly Row[], name = "order-1"): void {
  const resources = [
    { machine: "payment_intent", id: "pi_1", name, state: "", status: "", tone: "plain" as const, moves: [] },
  ];
  runs.value = { version: "", service: [], runs: [{ ...nothingHappened, title: "", rows, resources }] };
}

beforeEach(() => {
  tab.value = "timeline";
  query.value = "";
  resource.value = undefined;
  show([]);
  expect(visible.value).toEqual([]);
  looks = { searched: 0, filtered: 0 };
});

describe("of a run that grows", () => {
  test("only new rows are filtered", () => {
    const rows = rowsTo(10_000);
    show(rows);
    expect(visible.value).toHaveLength(10_000);
    expect(looks.filtered).toBe(10_000);
    show([...rows, rowOf(10_001), rowOf(10_002)]);
    expect(visible.value).toHaveLength(10_002);
    expect(looks.filtered).toBe(10_002);
  });

  test("the text of a row is put together once, whatever is searched", () => {
    const rows = rowsTo(1000);
    show(rows);
    for (const typed of ["e", "en", "entry 10", "entry 100"]) {
      query.value = typed;
      expect(visible.value.length).toBeGreaterThan(0);
    }
    show([...rows, rowOf(1001)]);
    expect(visible.value.map(({ sequence }) => sequence)).toEqual([100, 1000, 1001]);
    expect(looks.searched).toBe(1001);
  });

  test("a row that is replaced is looked at again", () => {
    const rows = rowsTo(3);
    show(rows);
    query.value = "answered";
    expect(visible.value).toEqual([]);
    changes.value += 1;
    show([rows[0] as Row, rowOf(2, "answered"), rows[2] as Row]);
    expect(visible.value.map(({ sequence }) => sequence)).toEqual([2]);
  });

  test("a resource that gets its name later is found by it", () => {
    const rows = rowsTo(2);
    show(rows, "");
    query.value = "basket-9";
    expect(visible.value).toEqual([]);
    show(rows, "basket-9");
    expect(visible.value).toHaveLength(2);
  });

  test("another run of the same length is another run", () => {
    show(rowsTo(2));
    expect(visible.value).toHaveLength(2);
    const others = [rowOf(1, "one"), rowOf(2, "two")];
    show(others);
    expect(visible.value).toEqual(others);
  });
});
