import type { Belief } from "../exam/laws/law.ts";
import { laws } from "../exam/laws/laws.ts";
import { hasFailed } from "../testing/shake/test-record.ts";
import { forgeryTaken, judge } from "./judge.ts";
import type { Judgement, Tried } from "./judge.ts";
import { sentenceOf } from "./placed-trouble.ts";
import { callOf } from "./routes-of-service.ts";
import type { JudgedTrouble } from "./shake.ts";
import { tokenOf } from "./token.ts";

/** Why something is a finding: money was taken, the merchant misbehaved, or a test failed that has to pass. */
export type FindingKind = "money" | "conduct" | "test";

/** One test in which a trouble did harm. */
export interface FindingInTest {
  readonly test: string;
  readonly file?: string;
  /** What happened, in sentences. */
  readonly what: readonly string[];
  /** Whether the test itself failed. */
  readonly isNoticed: boolean;
  readonly token: string;
}

/** One or more troubles at the same kind of point that did the same harm. */
export interface Finding {
  readonly kind: FindingKind;
  /** What went wrong, in one sentence. */
  readonly sentence: string;
  /** What did the same harm, each in one sentence. */
  readonly also: readonly string[];
  /** The method and path of the call that it struck. */
  readonly at?: string;
  /** The law of the exam that the merchant breaks. */
  readonly law: string;
  readonly misunderstanding: string;
  readonly remedy: string;
  /** What it did, in a few words, such as `charged twice, ₱998.00 for order-1 (money taken, test green)`. */
  readonly brief: string;
  /** In centavos: the most that one of the troubles took in each test, of all tests together. */
  readonly amount: number;
  readonly tests: readonly FindingInTest[];
}

const ORDER: readonly FindingKind[] = ["money", "test", "conduct"];

type Harm = Extract<Judgement, { readonly is: FindingKind }>;

/** Returns the findings of a shake, the worst first: money taken in a test that fails, other money, tests, conduct. */
export function findingsOf(judged: readonly JudgedTrouble[]): readonly Finding[] {
  const harmful = judged.flatMap((each) => (isHarm(each.judgement) ? [{ ...each, judgement: each.judgement }] : []));
  const alike = Map.groupBy(harmful, ({ placed: { point }, judgement }) =>
    JSON.stringify([point.kind, point.subject, judgement.is, lawOf(judgement)]),
  );
  return [...alike.values()].map(findingOf).toSorted(byHarm);
}

/**
 * Whether a trouble may turn out to be a finding. Other runs of the same test may show that it is none, and never the
 * opposite.
 */
export function mayBeFinding(tried: Tried): boolean {
  return isHarm(judge(tried, [])) || forgeryTaken(tried, true) !== undefined;
}

function findingOf(group: readonly (JudgedTrouble & { readonly judgement: Harm })[]): Finding {
  const [first] = group as [JudgedTrouble & { readonly judgement: Harm }];
  const { placed, plain, judgement } = first;
  const name = lawOf(judgement);
  const belief = beliefOf(judgement) ?? laws.find((each) => each.name === name);
  const at = placed.point.kind === "event" ? undefined : callOf(placed.point.subject, plain);
  const sentence = sentenceOf(placed, plain);
  return {
    kind: judgement.is,
    sentence,
    also: [...new Set(group.map((each) => sentenceOf(each.placed, each.plain)))].filter((each) => each !== sentence),
    ...(at === undefined ? {} : { at }),
    law: name,
    misunderstanding: belief?.misunderstanding ?? "",
    remedy: belief?.remedy ?? "",
    brief: briefOf(group),
    amount: worstOfEachTest(group),
    tests: group.map(({ plain: { test }, placed: own, judgement: harm, shaken }) => ({
      test: test.title,
      ...(test.file === undefined ? {} : { file: test.file }),
      what: harm.is === "test" ? [harm.message] : harm.breaches.map(({ what }) => what),
      isNoticed: hasFailed(shaken),
      token: tokenOf(test.key, own),
    })),
  };
}

/** Says what the troubles did, in a few words. */
function briefOf(group: readonly (JudgedTrouble & { readonly judgement: Harm })[]): string {
  const tests = Map.groupBy(group, ({ plain }) => plain.test.key);
  if (group.every(({ judgement }) => judgement.is === "test")) return tests.size === 1 ? "it fails" : "they fail";
  const briefs = [...new Set(group.flatMap(({ judgement }) => briefsIn(judgement)))];
  const [first = ""] = briefs;
  const told = briefs.length > 1 ? `${first}, and more` : first;
  if (!group.some(({ judgement }) => amountOf(judgement) > 0)) return told;
  const red = [...tests.values()].filter((own) => own.some(({ shaken }) => hasFailed(shaken))).length;
  const colour = red === 0 ? "green" : red === tests.size ? "red" : `red in ${red} of ${tests.size}`;
  return `${told} (money taken, test ${colour})`;
}

/** Adds up what the worst trouble took in each test. Other troubles took the same money in other runs. */
function worstOfEachTest(group: readonly (JudgedTrouble & { readonly judgement: Harm })[]): number {
  const tests = Map.groupBy(group, ({ plain }) => plain.test.key);
  return [...tests.values()].reduce(
    (sum, own) => sum + Math.max(...own.map(({ judgement }) => amountOf(judgement))),
    0,
  );
}

function briefsIn(harm: Harm): readonly string[] {
  return harm.is === "test" ? [] : harm.breaches.map(({ brief }) => brief);
}

function byHarm(one: Finding, other: Finding): number {
  const worst = ({ kind, tests }: Finding): number =>
    kind === "money" && tests.some(({ isNoticed }) => isNoticed) ? -1 : ORDER.indexOf(kind);
  return worst(one) - worst(other) || other.amount - one.amount || other.tests.length - one.tests.length;
}

function isHarm(judgement: Judgement): judgement is Harm {
  return judgement.is === "money" || judgement.is === "conduct" || judgement.is === "test";
}

/** Returns the belief that a harm shows, where it is not that of its law. */
function beliefOf(harm: Harm): Belief | undefined {
  if (harm.is === "test") return harm.belief;
  return harm.is === "money" ? harm.breaches.find(({ belief }) => belief !== undefined)?.belief : undefined;
}

function lawOf(harm: Harm): string {
  return harm.is === "test" ? harm.law : (harm.breaches[0]?.law ?? "");
}

function amountOf(harm: Harm): number {
  return harm.is === "money" ? harm.breaches.reduce((sum, { amount }) => sum + amount, 0) : 0;
}
