import { isFailing } from "./repeated-calls.ts";
import type { PlannedTrouble } from "../testing/shake/run-folder.ts";
import { CLIENT_ERROR, SERVER_ERROR } from "../testing/shake/test-record.ts";
import type { PassedAttempt, PassedCall, PassedEvent, TestRecord } from "../testing/shake/test-record.ts";
import { isMaking } from "../troubles/routes.ts";

/** How a merchant misbehaved. */
export interface Misconduct {
  /** The law of the exam that it breaks. */
  readonly law: "takes-every-event" | "answers-in-time" | "no-storm-of-calls" | "no-crash";
  /** In one sentence. */
  readonly what: string;
  /** In a few words. */
  readonly brief: string;
  /** The status that the merchant answered an event with, where that is the misconduct. */
  readonly status?: number | undefined;
}

/** How often a merchant may make the same call in a test at the same moment. Retries and jobs may coincide. */
const MOST_CALLS = 25;
/** The same for each thing that the test asks for: a dozen customers at once may each try a few times. */
const MOST_CALLS_FOR_EACH_ACT = 6;

/** Returns how a merchant misbehaved, if it did not do so as well in the run in which nothing went wrong. */
export function misconductIn(
  plain: TestRecord,
  shaken: TestRecord,
  planned: PlannedTrouble = { faults: [] },
): readonly Misconduct[] {
  const { assumptions = {} } = planned;
  const known = new Set(misconductOf(plain).map(({ what }) => what));
  // A test may take its merchant down for a while. Under a trouble, other events come meanwhile.
  const statusesOfTest = new Set(
    plain.events.flatMap(({ attempts }) => attempts.filter(isBreakdown)).map(({ status }) => status),
  );
  const misconduct = [...misconductOf(shaken), ...(changesOrder(planned) ? [] : breakdowns(shaken))].filter(
    ({ what, status }) => !known.has(what) && (status === undefined || !statusesOfTest.has(status)),
  );
  if (misconduct.length > 0 || !("webhook.body" in assumptions)) return misconduct;
  return isAccepting(plain) ? refusalOfAll(shaken) : [];
}

function isAccepting({ events }: TestRecord): boolean {
  return events.some(({ status }) => status === "delivered");
}

/** The refusal of every event, where nothing but the way of writing differs: no accepted one shows that the merchant is alive. */
function refusalOfAll({ events }: TestRecord): readonly Misconduct[] {
  const attempts = events.flatMap((event) => event.attempts);
  const areRefused = attempts.every(({ status = SERVER_ERROR }) => status >= CLIENT_ERROR && status < SERVER_ERROR);
  const [{ type, status } = { type: "", status: 0 }] = events.flatMap((event) =>
    event.attempts.map((attempt) => ({ type: event.type, status: attempt.status })),
  );
  if (attempts.length === 0 || !areRefused) return [];
  return [
    {
      law: "takes-every-event",
      what: `The event ${type} was answered ${status}, and every other event was refused, too.`,
      brief: "every event is refused",
    },
  ];
}

function misconductOf(record: TestRecord): readonly Misconduct[] {
  return [...crashes(record), ...refusals(record), ...hangs(record), ...storms(record), ...unrest(record)];
}

/** The end of the process in which the test and the merchant ran. */
function crashes({ outcome }: TestRecord): readonly Misconduct[] {
  return outcome.is === "crashed" ? [{ law: "no-crash", what: outcome.message ?? "", brief: "the process ends" }] : [];
}

/** The genuine events that the merchant refused at every try, although it accepted another one afterwards. */
function refusals({ aftermath, calls }: TestRecord): readonly Misconduct[] {
  if (aftermath?.isAlive !== true) return [];
  // A merchant need not know an object whose creation it never heard of.
  const mayNotKnow = calls.some((call) => isMaking(call.route) && isFailing(call));
  return aftermath.events
    .filter((event) => isRefusedForGood(event, mayNotKnow))
    .map(({ type, attempts }): Misconduct => {
      const { status } = attempts.at(-1) as PassedAttempt;
      return {
        law: "takes-every-event",
        what: `The event ${type} was answered ${status} at each try, until the service gave up.`,
        brief: "an event is refused for good",
        status,
      };
    });
}

function isRefusedForGood({ status, type, occurrence, attempts }: PassedEvent, mayNotKnow: boolean): boolean {
  if (status !== "exhausted") return false;
  const last = attempts.at(-1)?.status ?? 0;
  if (mayNotKnow && last < SERVER_ERROR) return false;
  // A merchant need not know an object that another system created, but must not break down over it.
  if (occurrence === undefined && !type.endsWith(".reviewed") && last < SERVER_ERROR) return false;
  return (
    attempts.every((attempt) => attempt.status !== undefined && !attempt.hadFailingCall) &&
    attempts.at(-1)?.struckBy.length === 0
  );
}

/** The troubles under which a sound merchant may ask for an event once more: it knows its order too little yet, or works on it. */
const OUT_OF_ORDER = /^(?:webhook\.(?:reorder|delay|drop)|response\.late|request\.latency)$/;

function changesOrder({ faults, assumptions = {} }: PlannedTrouble): boolean {
  return "webhook.order" in assumptions || faults.some(({ kind }) => OUT_OF_ORDER.test(kind));
}

/** The genuine deliveries in whose handlers something broke, although no call of theirs had failed by then. */
function breakdowns({ events, calls }: TestRecord): readonly Misconduct[] {
  const since = calls.find((call) => call.by !== "test" && isFailing(call))?.at ?? Infinity;
  return events
    .filter(({ occurrence }) => occurrence !== undefined)
    .flatMap(({ type, attempts }) =>
      attempts
        .filter((attempt) => isBreakdown(attempt) && attempt.at < since)
        .map(({ status }) => ({
          law: "takes-every-event" as const,
          what: `The handler of the event ${type} answered ${status}, although no call of the merchant had failed.`,
          brief: "a handler breaks down",
          status,
        })),
    );
}

/** Whether a handler broke down, although neither a fault nor a call of its own explains it. */
function isBreakdown({ status = 0, struckBy, hadFailingCall }: PassedAttempt): boolean {
  return status >= SERVER_ERROR && struckBy.length === 0 && !hadFailingCall;
}

/** The deliveries that got no answer in time, while nothing held the merchant up. */
function hangs({ events }: TestRecord): readonly Misconduct[] {
  const late = events.filter(({ attempts }) =>
    attempts.some(({ failure, struckBy, isHeldUp }) => failure === "timeout" && struckBy.length === 0 && !isHeldUp),
  );
  return late.map(({ type }) => ({
    law: "answers-in-time",
    what: `The event ${type} was not answered before the service gave up, and no call to the service was slow.`,
    brief: "an event is not answered in time",
  }));
}

function storms({ calls, acts }: TestRecord): readonly Misconduct[] {
  const own = calls.filter(({ by }) => by !== "test");
  const alike = Map.groupBy(own, ({ route, path, at }: PassedCall) => JSON.stringify([route, path, at]));
  return [...alike.values()].flatMap((group): readonly Misconduct[] => {
    const failed = group.filter(isFailing).length;
    const [{ route } = { route: "" }] = group;
    if (failed <= Math.max(MOST_CALLS, MOST_CALLS_FOR_EACH_ACT * acts)) return [];
    return [
      {
        law: "no-storm-of-calls",
        what: `The merchant called ${route} ${group.length} times at the same moment, and ${failed} of them failed.`,
        brief: "the same call is made again and again",
      },
    ];
  });
}

/** Work that leads to more work at the same moment, such as a payment that a merchant makes for each event of a payment. */
function unrest({ isRestless }: TestRecord): readonly Misconduct[] {
  if (isRestless !== true) return [];
  return [
    {
      law: "no-storm-of-calls",
      what: "What the merchant did led to more and more work at the same moment, and the world never came to rest.",
      brief: "the world never comes to rest",
    },
  ];
}
