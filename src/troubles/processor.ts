import { isPaying, RENEWAL } from "./acts.ts";
import { declineAtOnce, declineLater } from "./blind-spots.ts";
import { mustNotCost } from "./in-shake.ts";
import type { InShake } from "./in-shake.ts";
import type { Point } from "./point.ts";
import type { PlannedFault, ServiceTrouble } from "./trouble.ts";

/** What the processor of cards and wallets does to a payment. */
export const processorTroubles: readonly ServiceTrouble[] = [
  processor(
    "processor.decline",
    { kind: "processor.decline", code: "generic_decline" },
    mustNotCost("declines", declineLater),
    (who) => `${who}'s payment is declined later.`,
  ),
  processor(
    "processor.decline at once",
    { kind: "processor.decline", code: "insufficient_funds", synchronous: true },
    mustNotCost("declines", declineAtOnce),
    (who) => `${who}'s payment is declined at once.`,
    { fits: isPayingNow },
  ),
  processor(
    "processor.late",
    { kind: "processor.late", delay: "30 minutes" },
    mustNotCost("late-decisions"),
    (who) => `${who}'s payment is decided only after 30 minutes.`,
    { leavesInDoubt: true },
  ),
  processor(
    "processor.late 30h",
    { kind: "processor.late", delay: "30 hours" },
    mustNotCost("late-decisions"),
    () => "The payment is decided only after 30 hours, when the page has expired.",
    { fits: ({ subject }) => subject.startsWith("checkout") },
  ),
  processor(
    "processor.unavailable",
    { kind: "processor.unavailable" },
    mustNotCost("declines"),
    (who) => `The processor is unavailable when ${who} pays.`,
    { fits: isPayingNow },
  ),
];

/** Whether the customer is present. A renewal is always declined later. */
function isPayingNow(point: Point): boolean {
  return isPaying(point) && point.subject !== RENEWAL;
}

function processor(
  name: string,
  fault: PlannedFault,
  inShake: InShake,
  sentence: (who: string) => string,
  more: Partial<ServiceTrouble> = {},
): ServiceTrouble {
  return {
    name,
    at: "act",
    fits: isPaying,
    fault,
    inShake,
    sentence: (_point, who) => sentence(who),
    ...more,
  };
}
