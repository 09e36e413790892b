import { hasFailed } from "../testing/shake/test-record.ts";
import type { PassedCall, PassedCharge, TestRecord } from "../testing/shake/test-record.ts";
import type { BlindSpot } from "../troubles/blind-spots.ts";
import type { Point } from "../troubles/point.ts";
import { sentenceOf } from "./placed-trouble.ts";
import type { PlacedTrouble } from "./placed-trouble.ts";
import { callOf } from "./routes-of-service.ts";
import type { JudgedTrouble } from "./shake.ts";
import { tokenOf } from "./token.ts";

/** Something that the service said otherwise than in the plain run, and that no test of the suite noticed. */
export interface OpenBlindSpot {
  /** What nobody would notice, in one sentence. */
  readonly sentence: string;
  /** What went wrong, in one sentence. */
  readonly trouble: string;
  /** The method and path of the call. */
  readonly at?: string;
  /** The lines of a test that close it. */
  readonly lines: readonly string[];
  /** The tests that stayed green. */
  readonly tests: readonly { readonly test: string; readonly file?: string; readonly token: string }[];
}

/** What a suite does not notice, the dearest first, and how many such places some test of it guards. */
export interface BlindSpots {
  readonly open: readonly OpenBlindSpot[];
  readonly closed: number;
}

/** Returns what no test noticed. If one test notices a kind of trouble at a route or type of event, that is closed. */
export function blindSpotsOf(judged: readonly JudgedTrouble[]): BlindSpots {
  const candidates = judged.flatMap((each) => {
    const spot = blindSpotAt(each.placed);
    return spot === undefined ? [] : [{ ...each, spot }];
  });
  const lost = candidates.filter(({ placed }) => placed.trouble.name === "webhook.drop").filter(staysGreen);
  // What the merchant does not need, it does not mistake for something else.
  const idle = new Set(lost.map(({ placed, plain }) => placeIn(plain, placed.point)));
  const groups = [
    ...Map.groupBy(
      candidates.filter(
        ({ placed, plain }) =>
          placed.duty !== "must be noticed" || placed.point.kind !== "event" || !idle.has(placeIn(plain, placed.point)),
      ),
      ({ placed: { trouble, point } }) => JSON.stringify([trouble.name, point.subject]),
    ).values(),
  ];
  const guarded = groups.filter((group) => group.some(isNoticed));
  const open = groups
    .filter((group) => !group.some(isNoticed))
    .map((group) => group.filter(staysGreen))
    .filter((group) => group.length > 0)
    .toSorted(([one], [other]) => (one?.spot.rank ?? 0) - (other?.spot.rank ?? 0));
  return { open: open.map(openSpot), closed: guarded.length };
}

type Candidate = JudgedTrouble & { readonly spot: BlindSpot };

function blindSpotAt({ trouble: { inShake }, point }: PlacedTrouble): BlindSpot | undefined {
  return "blindSpot" in inShake ? inShake.blindSpot?.(point) : undefined;
}

function placeIn({ test }: TestRecord, point: Point): string {
  return JSON.stringify([test.key, point]);
}

/** Whether a test failed by what the merchant did. One that reads Centavo's own books says nothing about it. */
function isNoticed({ judgement, shaken }: JudgedTrouble): boolean {
  return hasFailed(shaken) && !("why" in judgement);
}

/** Whether a test passed, although the merchant was told something else. */
function staysGreen(tried: JudgedTrouble): boolean {
  const { judgement, plain, shaken } = tried;
  return judgement.is !== "untried" && shaken?.outcome.is === "passed" && isTold(tried, plain, shaken);
}

/** Whether the merchant knew in the plain run, and was told something else in the shaken one. */
function isTold({ placed: { point, trouble } }: JudgedTrouble, plain: TestRecord, shaken: TestRecord): boolean {
  const { kind, subject, occurrence } = point;
  if (kind === "act") return chargeAt(plain, point).some((charge) => learnsOfDecline(charge, shaken));
  if (kind === "call") return true;
  const isAccepted = plain.events.some(
    (event) => event.type === subject && event.occurrence === occurrence && event.status === "delivered",
  );
  const arrives = shaken.events.some(
    (event) => event.type === subject && event.occurrence === occurrence && event.attempts.length > 0,
  );
  return isAccepted && (trouble.name === "webhook.drop" || arrives);
}

function chargeAt({ charges }: TestRecord, { subject, occurrence }: Point): readonly PassedCharge[] {
  return charges.filter((charge) => charge.by === subject && charge.occurrence === occurrence);
}

/** Whether a payment failed, and the merchant was told so: by the answer, by an event, or because it asked. */
function learnsOfDecline(
  { nth, by }: PassedCharge,
  { charges, payments, calls, events, trouble }: TestRecord,
): boolean {
  const struck = charges.find((charge) => charge.nth === nth && charge.by === by);
  const payment = payments.find(({ id }) => id === struck?.payment);
  if (struck === undefined || payment?.status === "succeeded" || payment?.status === "processing") return false;
  const since = trouble?.struckAt ?? Infinity;
  const isMerchants = (call: PassedCall): boolean =>
    call.by !== "test" && call.at >= since && call.route !== "checkout.submit";
  return (
    calls.some(isMerchants) ||
    events.some((event) => /\.(?:failed|payment_failed|past_due)$/.test(event.type) && event.attempts.length > 0)
  );
}

function openSpot(group: readonly Candidate[]): OpenBlindSpot {
  const [first] = group as [Candidate];
  const { spot, placed, plain } = first;
  const at = placed.point.kind === "event" ? undefined : callOf(placed.point.subject, plain);
  return {
    sentence: `No test would notice that ${spot.that}.`,
    trouble: sentenceOf(placed, plain),
    ...(at === undefined ? {} : { at }),
    lines: [
      ...placed.planned.faults.map((fault) => `sim.faults.add(${inCode(fault)});`),
      `// … what the test "${plain.test.title.replaceAll(/\s+/g, " ")}" does …`,
      "expect(sim.faults.unused()).toEqual([]);",
      ...spot.asserts(orderOf(placed.point, plain)),
    ],
    tests: group.map(({ plain: { test }, placed: own }) => ({
      test: test.title,
      ...(test.file === undefined ? {} : { file: test.file }),
      token: tokenOf(test.key, own),
    })),
  };
}

/** Names the order that a point is about, where a test has only one. */
function orderOf(point: Point, plain: TestRecord): string {
  const charged = new Set(chargeAt(plain, point).map(({ payment }) => payment));
  const payments = plain.payments.filter(({ id }) => point.kind !== "act" || charged.has(id));
  const [only, ...others] = new Set(payments.map(({ externalId }) => externalId));
  return only !== undefined && others.length === 0 ? only.replaceAll("*/", "") : "the order";
}

/** Writes a fault as people write it in a test. */
function inCode(fault: Readonly<Record<string, unknown>>): string {
  return `{ ${Object.entries(fault)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}
