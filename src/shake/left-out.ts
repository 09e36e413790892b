import type { TestRecord } from "../testing/shake/test-record.ts";

/** Tests that were not shaken, or only in part, for the same reason. */
export interface LeftOut {
  /** Completes the sentence "They are left out, because …", or "They are shaken only in part, because …". */
  readonly why: string;
  /** Whether they are shaken up to some moment. */
  readonly isInPart: boolean;
  readonly tests: readonly TestRecord[];
}

/** Returns the tests of which nobody can say what a trouble does in them, besides those that fail already. */
export function leftOutOf(plain: readonly TestRecord[]): readonly LeftOut[] {
  const reasons = plain.flatMap((record) => {
    const why = whyLeftOut(record);
    return why === undefined ? [] : [{ why, isInPart: record.outcome.is === "passed", record }];
  });
  const groups = Map.groupBy(reasons, ({ why, isInPart }) => JSON.stringify([why, isInPart]));
  return [...groups.values()].map((group) => {
    const [{ why, isInPart }] = group as [(typeof reasons)[number]];
    return { why, isInPart, tests: group.map(({ record }) => record) };
  });
}

function whyLeftOut({ outcome, cutShort }: TestRecord): string | undefined {
  if (outcome.is === "left out") return outcome.why ?? "it is not known whether the test passed";
  return outcome.is === "passed" ? cutShort : undefined;
}
