import { isOwed, paymentsOf } from "../evidence.ts";
import type { Evidence, JobInEvidence } from "../evidence.ts";
import { hasHadTime } from "./knowledge.ts";
import type { Breach, LawOfTheExam } from "./law.ts";
import { HALF_A_DAY } from "./paid-periods.ts";
import { saysPaid } from "./status-words.ts";
import { untruthIn, untruthBeliefs } from "./truth.ts";

/** Laws about what a merchant is told, and what it tells. */
export const toldLaws: readonly LawOfTheExam[] = [
  {
    name: "acts-on-what-it-was-told",
    sentence: "The merchant acts on what it was reliably told.",
    misunderstanding: "The service sends an answered event again if the work on it fails.",
    remedy:
      "Answer an event with 2xx only once its work is done or stored, and record it as seen in the same step as its effect, not before.",
    holds: "at rest",
    unjudged: ({ seen }) =>
      seen.readings.some(({ books }) => books.orders !== undefined) ? undefined : "the books have no orders",
    reached: ({ succeededAt }) => succeededAt.size > 0,
    breaches: (evidence) =>
      evidence.seen.readings.flatMap((reading) =>
        (reading.books.orders ?? []).flatMap((order): Breach[] => {
          const { id, status } = order;
          if (!isOwed(evidence, order, reading.at)) return [];
          // A shop that knows of the payment may fulfil by night. One that does not must learn of it sooner.
          const whichRepair = saysPaid(status) === false ? repairsSoon(evidence) : undefined;
          const told = toldOf(evidence, id).find(
            ({ at }) => at <= reading.at && hasHadTime(evidence, reading, at, whichRepair),
          );
          return told === undefined
            ? []
            : [{ id, what: `${told.how} said that ${id} is paid, and it is still ${status} and not fulfilled.` }];
        }),
      ),
  },
  {
    name: "told-the-truth",
    sentence: "A customer is told the truth about a payment.",
    misunderstanding: "Whoever comes back from the payment page has paid.",
    remedy:
      "Say that an order is paid once a signed event, or a status that you read, says that its payment succeeded. Until then say that you do not know yet.",
    otherBeliefs: untruthBeliefs,
    holds: "always",
    unjudged: ({ seen }) =>
      seen.tellings.length === 0 ? "no answer to a customer tells the status of an order" : undefined,
    reached: ({ seen }) => seen.tellings.some(({ word, status }) => word !== undefined || status === 402),
    breaches: (evidence) => evidence.seen.tellings.flatMap((telling) => untruthIn(evidence, telling) ?? []),
  },
];

/** Returns which jobs repair what was forgotten: those that run several times a day, or all where none does. */
function repairsSoon({ jobs }: Evidence): (job: JobInEvidence) => boolean {
  const isFrequent = ({ every }: JobInEvidence): boolean => every < HALF_A_DAY;
  return jobs.some(isFrequent) ? isFrequent : () => true;
}

/** Returns when and how the merchant learned for certain that something is paid. */
function toldOf(evidence: Evidence, owner: string) {
  const { events, seen, succeededAt } = evidence;
  const payments = paymentsOf(evidence, owner);
  const own = new Set(payments.flatMap(({ id, sessionToken }) => [id, sessionToken]));
  const byEvent = events.flatMap(({ type, about, takenAt, madeUp }) =>
    own.has(about ?? "") &&
    takenAt !== undefined &&
    !madeUp &&
    /^(payment_intent\.succeeded|checkout\.completed)$/.test(type)
      ? [{ at: takenAt, how: `The event ${type}, which was answered with 2xx,` }]
      : [],
  );
  const byAnswer = payments.flatMap(({ id, sessionToken }) => {
    const since = succeededAt.get(id);
    if (since === undefined) return [];
    const reads = seen.calls.filter(
      ({ what, status, at }) =>
        at > since &&
        status !== undefined &&
        status < 300 &&
        what.startsWith("GET ") &&
        (what.includes(id) || what.includes(sessionToken)),
    );
    // The first answer may have been cut short.
    return reads.slice(1, 2).map(({ at }) => ({ at, how: "An answer of the service" }));
  });
  return [...byEvent, ...byAnswer];
}
