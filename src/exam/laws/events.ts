import type { Evidence, SentEvent } from "../evidence.ts";
import { isMaking } from "../../troubles/routes.ts";
import type { LateAnswer, ObservedCall } from "../playing/observations.ts";
import { isFailure } from "./knowledge.ts";
import type { Belief, LawOfTheExam } from "./law.ts";

const SECOND = 1000;

const bodyIsWrittenAgain: Belief = {
  misunderstanding: "JSON that is parsed and written again is the same text.",
  remedy:
    "Verify the signature over the raw body, byte for byte as it arrived, and parse it only afterwards. Keep the body parser off the route of the webhook.",
};

const anyFieldIsTheSignature: Belief = {
  misunderstanding: "The signature is in another field of the header, or is made of the body alone.",
  remedy:
    "Compute the HMAC over the stamp `t`, a dot and the raw body, with your own webhook secret, and compare it with `te`, where the test service puts the signature, or `li`, where the live service does. `verifyWebhook` of `centavo/webhooks` does so.",
};

/** The answers of merchants to a signature that does not match. */
const UNSIGNED: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/** Laws about how a merchant takes the service's events. */
export const eventLaws: readonly LawOfTheExam[] = [
  {
    name: "takes-every-event",
    sentence: "The merchant accepts every genuine event in the end.",
    misunderstanding: "The service sends only the types, fields and objects that are known today.",
    remedy:
      "Answer every event that has a valid signature with 2xx, even if you do not know its type, fields or object, and answer before you do slow work.",
    otherBeliefs: [bodyIsWrittenAgain, anyFieldIsTheSignature],
    holds: "at rest",
    reached: ({ events }) => events.some(({ last }) => last !== undefined),
    breaches: (evidence) =>
      evidence.events
        .filter((event) => isRefused(evidence, event))
        .map((event) =>
          Object.assign(whyRefused(evidence, event), {
            id: event.owner,
            what: `The event ${event.type} ${event.last?.inWords ?? "got no answer"} at each try, until the service gave up.`,
          }),
        ),
  },
  {
    name: "answers-in-time",
    sentence: "An event is answered before the service gives up waiting.",
    misunderstanding: "The service waits for a handler until its work is done.",
    remedy: "Store the event, answer with 2xx, and do slow work afterwards. A handler must not wait for a later event.",
    holds: "always",
    reached: ({ events }) => events.some(({ last }) => last !== undefined),
    breaches: ({ seen }) =>
      seen.lateAnswers
        .filter((late) => !seen.calls.some((call) => isInTheWay(call, late)))
        .slice(0, 1)
        .map(({ type }) => ({
          what: `The event ${type} was not answered before the service gave up, and no call to the service was slow.`,
        })),
  },
];

/** Whether a merchant refused every delivery of an event without a reason. */
function isRefused({ seen }: Evidence, { status, last, type, owner, about, madeUp }: SentEvent): boolean {
  if (status !== "exhausted" || last === undefined || last.struck) return false;
  const { answered, inWords } = last;
  // A program that is down refuses nothing.
  if (inWords.includes("program does not run") || inWords.includes("program ended")) return false;
  if (answered === undefined || answered >= 500) return !askedInVain(seen.calls, last);
  // A merchant need not know an object that another system created, or whose creation it never heard of.
  if (about !== undefined && owner === undefined) return false;
  if (madeUp) return type.endsWith(".reviewed");
  return !seen.calls.some(
    ({ route, id, status: made }) => isMaking(route) && id === owner && (made === undefined || made >= 400),
  );
}

/** Returns what a merchant believes that finds no genuine signature right. */
function whyRefused({ events, hasSpacedBodies }: Evidence, { last }: SentEvent): Partial<Belief> {
  if (!UNSIGNED.has(last?.answered) || events.some(({ takenAt }) => takenAt !== undefined)) return {};
  return { ...(hasSpacedBodies ? bodyIsWrittenAgain : anyFieldIsTheSignature) };
}

/** Whether every call that the merchant made during a delivery failed. It may then refuse the event, because it cannot work. */
function askedInVain(calls: readonly ObservedCall[], { at, endedAt }: NonNullable<SentEvent["last"]>): boolean {
  const asked = calls.filter((call) => call.at >= at && call.at <= endedAt);
  return asked.length > 0 && asked.every(({ status }) => status === undefined || status >= 500);
}

/** Whether a call delayed the answer to an event: it failed, or was answered late. */
function isInTheWay({ at, answeredAt = Infinity, status }: ObservedCall, { from, to }: LateAnswer): boolean {
  const isMeanwhile = at <= to && answeredAt >= from;
  return isMeanwhile && (isFailure(status) || answeredAt - at > SECOND);
}
