import { describe, expect, test } from "vitest";
import { nothingHappened } from "../../src/report/reported-run.ts";
import type { ReportedRun, Row } from "../../src/report/reported-run.ts";
import { alignedRuns, differencesOf } from "../../src/server/inspector/page/compare/aligned.ts";

function runOf(texts: readonly string[], members: Partial<ReportedRun> = {}): ReportedRun {
  const rows = texts.map((text, index): Row => ({
    sequence: index + 1,
    at: "2026-01-01T00:00:00.000Z",
    kind: "step",
    who: "service",
    text,
    label: text,
    from: "service",
    to: "service",
    tone: "plain",
    about: [],
    facts: [],
    parts: [],
  }));
  return { ...nothingHappened, title: "", ...members, rows };
}

const textsOf = (left: readonly string[], right: readonly string[]) => {
  const { common, pairs } = alignedRuns(runOf(left), runOf(right));
  return { common, pairs: pairs.map((pair) => [pair.left?.text, pair.right?.text]) };
};

describe("the entries of two worlds", () => {
  test("have what they share at the beginning counted, not listed", () => {
    expect(textsOf(["a", "b"], ["a", "b", "c"])).toEqual({ common: 2, pairs: [[undefined, "c"]] });
  });

  test("stand in one line where they say the same, and alone where they differ", () => {
    expect(textsOf(["a", "b", "c", "d"], ["a", "c", "x", "d"])).toEqual({
      common: 1,
      pairs: [
        ["b", undefined],
        ["c", "c"],
        [undefined, "x"],
        ["d", "d"],
      ],
    });
  });

  test("are compared by their newest alone when there are thousands, and say how many are left out", () => {
    const many = (name: string) => Array.from({ length: 5000 }, (_, index) => `${name} ${index}`);
    const { pairs, left, right } = alignedRuns(runOf(many("one")), runOf(many("other")));
    expect([pairs.length, left, right]).toEqual([600, 4700, 4700]);
  });
});

test("what became of the clock and of each resource is told where it differs", () => {
  const intent = { machine: "payment_intent", id: "pi_1", name: "order-1", tone: "plain", moves: [] } as const;
  const one = runOf([], {
    now: "2026-01-01T00:00:00.000Z",
    resources: [{ ...intent, state: "p", status: "processing" }],
  });
  const other = runOf([], {
    now: "2026-01-02T00:00:00.000Z",
    resources: [{ ...intent, state: "s", status: "succeeded" }],
  });
  expect(differencesOf(one, one)).toEqual([]);
  expect(differencesOf(one, other)).toEqual([
    { what: "virtual time", left: "2026-01-01 00:00:00", right: "2026-01-02 00:00:00" },
    { what: "payment intent order-1 pi_1", left: "processing", right: "succeeded" },
  ]);
});
