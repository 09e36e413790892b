import type { PlannedTrouble } from "../testing/shake/run-folder.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { callInWords } from "../troubles/in-words.ts";
import type { Point } from "../troubles/point.ts";
import type { ServiceTrouble } from "../troubles/trouble.ts";
import type { ValuesOfTroubles } from "../troubles/values-in-force.ts";

/** What a merchant owes while a trouble strikes at a point. */
export type Duty = "must not be noticed" | "must not cost" | "must be noticed";

/** A trouble at a point of one test. */
export interface PlacedTrouble {
  readonly point: Point;
  readonly trouble: ServiceTrouble;
  readonly duty: Duty;
  readonly planned: PlannedTrouble;
  /** How long the test has to move its clock after the trouble before it may expect the usual end, such as `2 hours`. */
  readonly needs?: string;
}

/** A trouble that cannot be tried in a test. */
export interface UntriedTrouble {
  readonly point: Point;
  readonly trouble: ServiceTrouble;
  /** Completes the sentence "It was not tried, because …". */
  readonly why: string;
}

/**
 * Says what goes wrong, as a sentence that begins with a capital letter.
 * @param plain what the test passed when nothing went wrong
 */
export function sentenceOf(
  { trouble, point }: Pick<PlacedTrouble, "trouble" | "point">,
  plain: Pick<TestRecord, "assumptions">,
): string {
  // The sentences of charges name no call, because an exam names the customer.
  const where = point.kind === "act" && point.occurrence > 1 ? `at ${callInWords(point)}, ` : "";
  const sentence = `${where}${trouble.sentence(point, "the customer", valuesIn(plain))}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Returns what the service of a test answers otherwise. */
export function valuesIn({ assumptions }: Pick<TestRecord, "assumptions">): ValuesOfTroubles {
  return assumptions?.values ?? {};
}

/**
 * Returns how long a test has to move its clock after a trouble before it may expect the usual end, such as `2 hours`; undefined when it may
 * at once, and `"never"` when that end does not come.
 */
export function needsOf({ inShake }: ServiceTrouble, plain: Pick<TestRecord, "assumptions">): string | undefined {
  if (inShake.is !== "must not be noticed" || inShake.needs === undefined) return undefined;
  return typeof inShake.needs === "string" ? inShake.needs : (inShake.needs(valuesIn(plain)) ?? "never");
}
