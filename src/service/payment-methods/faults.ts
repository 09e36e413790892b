import { durationMilliseconds } from "../../engine/duration.ts";
import type { Biting, Faults } from "../../faults/faults.ts";
import type { Occasion } from "../../faults/occasion.ts";

type AnswerKind = "processor.decline" | "processor.unavailable";
type HoldUpKind = "processor.stuck" | "processor.late";

/** A fault that answers a charge in the method's place. */
export type AnswerFault = Biting<AnswerKind>;

/** How long `processing` lasts by a fault: so many milliseconds, or for good, when no decision comes at all. */
export type HoldUp = number | "for good";

const answerKinds: ReadonlySet<AnswerKind> = new Set(["processor.decline", "processor.unavailable"]);
const holdUpKinds: ReadonlySet<HoldUpKind> = new Set(["processor.stuck", "processor.late"]);

/** The fault that answers a charge; the first that bites decides, and the others have no occasion. */
export function faultyAnswer(faults: Faults, charge: Occasion): AnswerFault | undefined {
  let answer: AnswerFault | undefined;
  faults.strike(answerKinds, charge, (fault) => {
    answer = fault;
    return false;
  });
  return answer;
}

/** How a fault holds up a charge that will be processed; the first that bites decides, and the others have no occasion. */
export function holdUpOf(faults: Faults, charge: Occasion): HoldUp | undefined {
  let holdUp: HoldUp | undefined;
  faults.strike(holdUpKinds, charge, (fault) => {
    holdUp = fault.kind === "processor.stuck" ? "for good" : durationMilliseconds(fault.delay);
    return false;
  });
  return holdUp;
}
