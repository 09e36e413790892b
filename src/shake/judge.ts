import { genuineIsNew } from "../exam/laws/forgeries.ts";
import type { Belief } from "../exam/laws/law.ts";
import { hasFailed } from "../testing/shake/test-record.ts";
import type { TestOutcome, TestRecord } from "../testing/shake/test-record.ts";
import { misconductIn } from "./conduct.ts";
import type { Misconduct } from "./conduct.ts";
import { asksWhetherItWasAnswered, whyItCountsOn } from "./counts-on-it.ts";
import { chargedAfterLeaving, moneyTaken, paidForNothing } from "./money.ts";
import type { MoneyTaken } from "./money.ts";
import type { PlacedTrouble } from "./placed-trouble.ts";

/** A trouble in a test, and what became of it. */
export interface Tried {
  readonly placed: PlacedTrouble;
  readonly plain: TestRecord;
  /** Absent when the test left no record of this run. */
  readonly shaken: TestRecord | undefined;
}

/**
 * What a trouble did in a test. `borne`: nothing. `noticed`: the test failed, as it may. `counts on it`: the test failed
 * because of itself. `untried`: the trouble did not strike. `unnoticed`: the test passed, although the service said something else
 * than in the plain run.
 */
export type Judgement =
  | { readonly is: "borne" | "unnoticed" }
  | { readonly is: "noticed"; readonly why?: string }
  | { readonly is: "counts on it" | "untried"; readonly why: string }
  | { readonly is: "money"; readonly breaches: readonly (MoneyTaken | ForgeryTaken)[]; readonly isNoticed: boolean }
  | { readonly is: "conduct"; readonly breaches: readonly Misconduct[] }
  | { readonly is: "test"; readonly law: string; readonly message: string; readonly belief?: Belief };

/** A forged event that the merchant acted on. */
export interface ForgeryTaken {
  readonly law: "forged-changes-nothing";
  readonly what: string;
  readonly brief: string;
  readonly amount: number;
  /** The belief that leads there, where it is not that of the law. */
  readonly belief?: Belief;
}

/** @param controls what the same test did under the same kind of trouble where no event can come meanwhile */
export function judge({ placed, plain, shaken }: Tried, controls: readonly Tried[]): Judgement {
  const unknown = whyNotJudged(shaken);
  if (unknown !== undefined || shaken === undefined) return { is: "untried", why: unknown ?? "" };
  const { outcome, trouble = {} } = shaken;
  if (trouble.struckAt === undefined && placed.planned.faults.length > 0)
    return { is: "untried", why: "the test did not pass this point again" };
  const isRed = hasFailed(shaken);
  // How long a test takes is up to the machine, too.
  const tooLate: Judgement = { is: "untried", why: TOO_LATE };
  if (placed.duty === "must be noticed") {
    if (outcome.isTooLate === true) return tooLate;
    return isRed ? noticed(whyItCountsOn(placed, plain, shaken)) : { is: "unnoticed" };
  }
  const money = [...moneyTaken(plain, shaken), ...chargedAfterLeaving(plain, shaken)];
  if (money.length > 0) return { is: "money", breaches: money, isNoticed: isRed };
  const conduct = misconductIn(plain, shaken, placed.planned);
  if (conduct.length > 0) return { is: "conduct", breaches: conduct };
  if (!isRed) return { is: "borne" };
  if (outcome.isTooLate === true) return tooLate;
  const isMoment = controls.some((control) => control.shaken && saysTheSame(control.shaken.outcome, outcome));
  const why = isMoment
    ? "it checks exact moments, and the held call lets time pass"
    : whyItCountsOn(placed, plain, shaken);
  const { inShake } = placed.trouble;
  if (placed.duty === "must not be noticed" && inShake.is === "must not be noticed")
    return why === undefined
      ? { is: "test", law: inShake.law, message: messageIn(outcome), ...(inShake.belief && { belief: inShake.belief }) }
      : { is: "counts on it", why };
  // A test that did not get the id it asks by, or sees that its visitor was answered with an error, says nothing of what the merchant knows.
  const isAbout =
    why === undefined && outcome.missesItsSubject === undefined && !asksWhetherItWasAnswered(plain, shaken);
  const inVain = isAbout ? paidForNothing(shaken) : [];
  return inVain.length === 0 ? noticed(why) : { is: "money", breaches: inVain, isNoticed: true };
}

/** Why nothing can be said of a test that came to the end of its time limit. It completes the sentence "It was not tried, because …". */
export const TOO_LATE = "the test came to the end of its time limit";

/** Returns why nothing can be said of what a test did in a run; undefined where its outcome is known. */
export function whyNotJudged(shaken: TestRecord | undefined): string | undefined {
  if (shaken === undefined)
    return "the test did not end in its run; perhaps the suite stops at its first failure, or something killed its process";
  const { outcome } = shaken;
  return outcome.is === "left out" ? (outcome.why ?? "it is not known whether the test passed") : undefined;
}

function noticed(why: string | undefined): Judgement {
  return { is: "noticed", ...(why === undefined ? {} : { why }) };
}

/** Whether two tests fail at the same place with the same words. */
function saysTheSame(one: TestOutcome, other: TestOutcome): boolean {
  const told = ({ message, details, stack = [] }: TestOutcome): string => JSON.stringify([message, details, stack[0]]);
  return told(one) === told(other);
}

/** Returns what a test says about its failure, in one line. */
export function messageIn({ message = "", details }: TestOutcome): string {
  return details === undefined ? message : `${message} ${details}`;
}

/** The faults that make a delivery one that a merchant must refuse, and what is wrong with it then. */
const FORGING: Readonly<Record<string, string>> = {
  "webhook.corrupt-body": "a body that was changed",
  "webhook.wrong-secret": "the signature of another merchant",
  "webhook.stale-timestamp": "the timestamp of the day before",
};

/** Whether a trouble makes a delivery that a merchant must refuse. */
export function isForgery({ planned }: PlacedTrouble): boolean {
  return FORGING[planned.faults[0]?.kind ?? ""] !== undefined;
}

/**
 * Returns what a merchant took from a forger. It answered the forged delivery with 2xx, and the test passed, although it
 * fails when the event never comes.
 * @param isMissed whether the test fails when the event never comes
 */
export function forgeryTaken({ placed, shaken }: Tried, isMissed: boolean): ForgeryTaken | undefined {
  const kind = placed.planned.faults[0]?.kind ?? "";
  const wrong = FORGING[kind];
  if (wrong === undefined || shaken?.outcome.is !== "passed" || !isMissed) return undefined;
  const { subject } = placed.point;
  const taken = shaken.events
    .filter(({ type }) => type === subject)
    .flatMap(({ attempts }) => attempts)
    .find(({ struckBy, status = 500 }) => struckBy.includes(kind) && status >= 200 && status < 300);
  if (taken === undefined) return undefined;
  return {
    law: "forged-changes-nothing",
    what: `The merchant answered ${taken.status} to the event ${subject} with ${wrong}, and acted on it.`,
    brief: "it acted on a forged event",
    amount: 0,
    ...(kind === "webhook.stale-timestamp" ? { belief: genuineIsNew } : {}),
  };
}
