import type { TestRecord } from "../testing/shake/test-record.ts";

/** Tests that were not shaken, or only in part, for the same reason. */
export interface LeftOut {
  /** Completes the sentence "They are left out, because …". */
  readonly why: string;
  readonly tests: readonly TestRecord[];
}

/** Returns the tests of which nobody can say what a trouble does in them, besides those that fail already. */
export function leftOutOf(plain: readonly TestRecord[]): readonly LeftOut[] {
  const reasons = plain.flatMap((record) => {
    const why = whyLeftOut(record);
    return why === undefined ? [] : [{ why, record }];
  });
  return [...Map.groupBy(reasons, ({ why }) => why)].map(([why, group]) => ({
    why,
    tests: group.map(({ record }) => record),
  }));
}

function whyLeftOut({ outcome, cutShort }: TestRecord): string | undefined {
  if (outcome.is === "left out") return outcome.why ?? "nobody knows whether the test passed";
  return outcome.is === "passed" && cutShort !== undefined
    ? `${cutShort}, and nobody can tell what follows from what came before`
    : undefined;
}
