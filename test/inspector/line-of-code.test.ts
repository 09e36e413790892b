import { runInNewContext } from "node:vm";
import { createSimulator } from "centavo";
import type { Fault } from "centavo";
import { describe, expect, test } from "vitest";
import { inspectorVocabulary } from "../../scripts/inspector-page.ts";
import { paymentService } from "../../src/service/service.ts";
import { lineOfCode, valueOf } from "../../src/server/inspector/page/faults/line-of-code.ts";

const kinds = inspectorVocabulary().sections.flatMap((section) => section.kinds);

test("the form knows every kind of fault, each with its sentence", () => {
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(
    paymentService.knownFaults.kinds.map(({ kind }) => kind).toSorted(),
  );
  expect(kinds.filter(({ does }) => !does.endsWith("."))).toEqual([]);
});

test.for(kinds)("what the form offers first for $kind is a fault, and its line plans it", ({ kind, example }) => {
  const sim = createSimulator();
  const line = lineOfCode({ kind, ...example });
  runInNewContext(line, { sim });
  expect(sim.faults.list().map(({ fault }) => fault)).toEqual([{ kind, ...example }]);
});

describe("what somebody types", () => {
  test.for([
    ["503", undefined, 503],
    ["true", undefined, true],
    ["40 s", undefined, "40 s"],
    ['{ "retry-after": "5" }', undefined, { "retry-after": "5" }],
    ['"5"', undefined, "5"],
    ["503", true, "503"],
  ] as const)("%s, as text %s, is %o", ([typed, isText, value]) => {
    expect(valueOf(typed, isText)).toEqual(value);
  });

  test.for(["'); process.exit(1); ('", "</script>", "\u2028", "`${1}`", 'x": 1, "y'])(
    "%s stays a text in the line of code",
    (text) => {
      const line = lineOfCode({ kind: "request.status", [text]: text });
      let taken: unknown;
      const sim = { faults: { add: (fault: Fault) => (taken = fault) } };
      runInNewContext(line, { sim });
      expect(taken).toEqual({ kind: "request.status", [text]: text });
    },
  );
});
