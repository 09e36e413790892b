import { durationMilliseconds } from "../kit/engine/duration.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { endFaults, messageFaults, slowFaults } from "../kit/webhooks/attempt-faults.ts";
import type { PlannedTrouble } from "../testing/shake/run-folder.ts";
import type { PassedAttempt, PassedCall, PassedCharge, TestRecord } from "../testing/shake/test-record.ts";
import { RENEWAL } from "../troubles/acts.ts";
import type { Point } from "../troubles/point.ts";
import { isCharging, isReading } from "../troubles/routes.ts";
import type { ServiceTrouble } from "../troubles/trouble.ts";
import { needsOf } from "./placed-trouble.ts";
import type { Duty, PlacedTrouble, UntriedTrouble } from "./placed-trouble.ts";
import { nameOfRepeat, repeatsOf, repetitionsIn } from "./repeated-calls.ts";
import { isForCustomers } from "./routes-of-service.ts";
import { fits, rankOf, troublesOfShake } from "./troubles-of-shake.ts";

/** What can go wrong in one test. */
export interface PlanOfTest {
  /** The likeliest and dearest first. */
  readonly placed: readonly PlacedTrouble[];
  readonly untried: readonly UntriedTrouble[];
}

/** The faults that count attempts and not events. */
const ofAttempts: ReadonlySet<string> = new Set(
  [...endFaults, ...slowFaults, ...messageFaults].map(({ kind }) => kind),
);
/** The faults that hold a call until the clock moves. */
const HOLDING = /^(?:response\.late|request\.latency)$/;

/**
 * Places every trouble in a test, by what the test passed when nothing went wrong.
 * @param repeats what some test of the suite shows that the merchant repeats
 * @param blindSpots whether the service also says something else than it knows
 */
export function planOfTest(record: TestRecord, repeats: ReadonlySet<string>, blindSpots: boolean): PlanOfTest {
  const placed: PlacedTrouble[] = [];
  const untried: UntriedTrouble[] = [];
  const places = new Map<string, number>();
  const repetitions = repetitionsIn(record);
  const add = (trouble: ServiceTrouble, point: Point, planned: PlannedTrouble | string, isRepeated = false): void => {
    const name = JSON.stringify([trouble.name, point.kind, placeOf(trouble, point)]);
    const count = places.get(name) ?? 0;
    if (count >= mostPlacesOf(trouble, point)) return;
    if (typeof planned === "string") untried.push({ trouble, point, why: planned });
    else {
      places.set(name, count + 1);
      const needs = needsOf(trouble, record);
      const duty = dutyOf(trouble, point, isRepeated);
      placed.push({ trouble, point, planned, duty, ...(needs === undefined ? {} : { needs }) });
    }
  };
  for (const trouble of troublesOfShake) {
    if (trouble.inShake.is === "must be noticed" && !blindSpots) continue;
    for (const call of callsOfMerchant(record)) {
      const point: Point = { kind: "call", subject: call.route, occurrence: call.occurrence };
      // Nobody repeats for ever: a call that is a repetition already may fail.
      const isRepeated = repeats.has(nameOfRepeat(trouble.name, call)) && !repetitions.has(call);
      if (fits(trouble, point)) add(trouble, point, atCall(trouble, call), isRepeated);
    }
    for (const event of record.events) {
      const { type: subject, occurrence, attempts } = event;
      const [first] = attempts;
      // An event that no merchant receives in the plain run is no point of the test.
      if (occurrence === undefined || first === undefined) continue;
      const point: Point = { kind: "event", subject, occurrence };
      if (fits(trouble, point)) add(trouble, point, atEvent(trouble, point, first, record));
    }
    for (const charge of record.charges) {
      const point: Point = { kind: "act", subject: charge.by, occurrence: charge.occurrence };
      if (charge.struckBy === undefined && isApproved(charge, record) && fits(trouble, point))
        add(trouble, point, atCharge(trouble, charge, record));
    }
    const whole: Point = { kind: "story", subject: "", occurrence: 1 };
    if (fits(trouble, whole) && isOfUse(trouble, record))
      add(trouble, whole, { faults: [], assumptions: trouble.assumptions ?? {} });
  }
  const ranked = placed.toSorted((one, other) => rankOf(one.trouble, one.point) - rankOf(other.trouble, other.point));
  return { placed: ranked, untried };
}

/** Names the places that count together. */
function placeOf({ onceForEach }: ServiceTrouble, { subject }: Point): string {
  return onceForEach === "resource" ? subject.slice(0, subject.lastIndexOf(".")) : subject;
}

/**
 * Returns at how many calls of one route, or events of one type, a trouble is made in a test. A variant shows nothing new at the
 * second one, nor does a read at the third.
 */
function mostPlacesOf({ onceForEach, order, inShake }: ServiceTrouble, { kind, subject }: Point): number {
  if (inShake.is === "must be noticed" || isCharging(subject)) return Infinity;
  if (order === "variant" && (kind === "call" || kind === "event")) return 1;
  if (onceForEach !== undefined) return 1;
  return kind === "call" && isReading(subject) ? 2 : Infinity;
}

function dutyOf(trouble: ServiceTrouble, { subject }: Point, isRepeated: boolean): Duty {
  const { inShake } = trouble;
  if (inShake.is !== "must not be noticed") return inShake.is === "left out" ? "must not cost" : inShake.is;
  // Elsewhere nothing happens while a call waits, except that time passes. That shows what the test itself counts on.
  if (isLateAnswer(trouble) && !isCharging(subject)) return "must not cost";
  return inShake.whereRepeated === true && !isRepeated ? "must not cost" : inShake.is;
}

export function isLateAnswer({ fault }: ServiceTrouble): boolean {
  return fault?.kind === "response.late";
}

/** The calls that a shake may strike: those of the merchant that the test does not strike itself. */
function callsOfMerchant({ calls }: TestRecord): readonly PassedCall[] {
  return calls.filter(({ route, by, struckBy }) => by !== "test" && struckBy === undefined && !isForCustomers(route));
}

/** Returns the calls that tests make themselves, such as through the part `client`. No shake strikes them. */
export function ownCallsIn(records: readonly TestRecord[]): readonly PassedCall[] {
  return records.flatMap(({ calls }) => calls).filter(({ by, route }) => by === "test" && !isForCustomers(route));
}

function atCall(
  trouble: ServiceTrouble,
  { route, occurrence, at, by, isFollowed }: PassedCall,
): PlannedTrouble | string {
  const { fault, lasting = [], lasts } = trouble;
  const holds = fault !== undefined && HOLDING.test(fault.kind);
  if (holds && by === "handler")
    return "the clock waits for the handler that makes the call, so no time can pass meanwhile";
  if (holds && !isFollowed) return "the test does not move its clock after the call";
  const once = fault === undefined ? [] : [{ ...fault, route, nth: occurrence }];
  const until = lasts === undefined ? {} : { until: toTimestamp(at + durationMilliseconds(lasts)) };
  const where = { route, after: occurrence - 1, ...until };
  return { faults: [...once, ...lasting.map((each) => Object.assign({}, each, where))] };
}

function atEvent(
  trouble: ServiceTrouble,
  { subject: event, occurrence: nth }: Point,
  first: PassedAttempt,
  record: TestRecord,
): PlannedTrouble | string {
  const { fault, deliversTwice } = trouble;
  const needs = needsOf(trouble, record);
  if (first.struckBy.length > 0) return "the test strikes the event itself";
  if (needs === "never") return "the service does not send an event again";
  if (needs !== undefined && record.to - first.at < durationMilliseconds(needs))
    return `the test does not move its clock by ${needs} after the event`;
  if (deliversTwice === true)
    return {
      faults: [{ kind: "webhook.duplicate", event, nth }],
      assumptions: { "webhook.order": "concurrent" },
    };
  if (fault === undefined) return "it has no fault";
  return { faults: [{ ...fault, event, nth: ofAttempts.has(fault.kind) ? first.occurrence : nth }] };
}

function atCharge(
  { fault }: ServiceTrouble,
  { by, nth, at }: PassedCharge,
  { to }: TestRecord,
): PlannedTrouble | string {
  const delay = fault?.["delay"] as string | undefined;
  if (delay !== undefined && to - at < durationMilliseconds(delay))
    return `the test does not move its clock by ${delay} after the payment`;
  const customer = by === RENEWAL ? "absent" : "present";
  return { faults: fault === undefined ? [] : [{ ...fault, customer, nth }] };
}

/** Whether a charge was approved in the end. What is declined anyhow can go wrong no more. */
function isApproved({ payment }: PassedCharge, { payments }: TestRecord): boolean {
  return payments.some(({ id, status }) => id === payment && status === "succeeded");
}

/** Whether a trouble of the whole test would change anything in it. */
function isOfUse({ assumptions = {} }: ServiceTrouble, { calls, events, to }: TestRecord): boolean {
  if ("webhook.body" in assumptions) return events.some(({ attempts }) => attempts.length > 0);
  const lifetime = assumptions["auth.token-lifetime"];
  const token = calls.find(({ route, by }) => route === "oauth.token" && by !== "test");
  return lifetime !== undefined && token !== undefined && to - token.at > durationMilliseconds(lifetime);
}

/** Returns what the tests of a suite show that the merchant repeats. */
export function repeatsIn(records: readonly TestRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap(repeatsOf));
}
