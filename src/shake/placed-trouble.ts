import type { PlannedTrouble } from "../testing/shake/run-folder.ts";
import { callInWords } from "../troubles/in-words.ts";
import type { Point } from "../troubles/point.ts";
import type { ServiceTrouble } from "../troubles/trouble.ts";

/** What a merchant owes while a trouble strikes at a point. */
export type Duty = "must not be noticed" | "must not cost" | "must be noticed";

/** A trouble at a point of one test. */
export interface PlacedTrouble {
  readonly point: Point;
  readonly trouble: ServiceTrouble;
  readonly duty: Duty;
  readonly planned: PlannedTrouble;
}

/** A trouble that cannot be tried in a test. */
export interface UntriedTrouble {
  readonly point: Point;
  readonly trouble: ServiceTrouble;
  /** Completes the sentence "It was not tried, because …". */
  readonly why: string;
}

/** Says what goes wrong, as a sentence that begins with a capital letter. */
export function sentenceOf({ trouble, point }: Pick<PlacedTrouble, "trouble" | "point">): string {
  // The sentences of charges name no call, because an exam names the customer.
  const where = point.kind === "act" && point.occurrence > 1 ? `at ${callInWords(point)}, ` : "";
  const sentence = `${where}${trouble.sentence(point, "the customer")}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
