import { heldUp } from "./held-up.ts";
import type { Breach, LawOfTheExam } from "./law.ts";

/** How many failed runs in a row mean that a job fails for ever. */
const FAILED_RUNS = 3;

/** Laws about how a merchant behaves, whatever it sells. */
export const conductLaws: readonly LawOfTheExam[] = [
  {
    name: "jobs-go-on",
    sentence: "A job goes on after a failure.",
    misunderstanding: "What fails once will succeed at the next run.",
    remedy:
      "Catch the error of one event, order or member, set that one aside, and go on with the next. One that you cannot handle must not stop the others for ever.",
    holds: "in the end",
    unjudged: ({ jobs }) => (jobs.length > 0 ? undefined : "the merchant has no jobs"),
    reached: ({ seen }) => seen.runsOfJobs.length > 0,
    breaches: (evidence) => [
      ...heldUp(evidence),
      ...[...Map.groupBy(evidence.seen.runsOfJobs, ({ job }) => job).values()].flatMap((runs): Breach[] => {
        const last = runs.slice(-FAILED_RUNS);
        const [{ failure } = {}] = last.slice(-1);
        if (last.length < FAILED_RUNS || !last.every((run) => run.isHealed && run.failure !== undefined)) return [];
        return [
          {
            what: `A job failed in its last ${FAILED_RUNS} runs, although nothing else went wrong any more: ${failure}.`,
          },
        ];
      }),
    ],
  },
  {
    name: "no-crash",
    sentence: "No uncaught error ends the merchant's program.",
    misunderstanding: "A promise that is not awaited cannot fail.",
    remedy:
      "Await every promise, or catch its error. An unhandled rejection ends a Node process and everything that it was doing.",
    holds: "always",
    reached: ({ seen }) => seen.acts.length > 0,
    breaches: ({ seen }) =>
      seen.crashes.map((message) => ({
        what: `The merchant's program threw an error that nothing caught: ${message}`,
      })),
  },
  {
    name: "secrets-stay",
    sentence: "No secret leaves the merchant.",
    misunderstanding: "Customers see only what a page shows.",
    remedy:
      "Send customers only the clientKey of their own payment. Keep credentials, webhook secrets and tokens on the server.",
    holds: "always",
    reached: ({ seen }) => seen.acts.length > 0,
    breaches: ({ seen }) =>
      [...new Set(seen.leaks)].map((what) => ({ what: `A customer can read a secret: ${what}.` })),
  },
  {
    name: "nothing-waits-for-ever",
    sentence: "Every request to the merchant gets an answer.",
    misunderstanding: "Every call is answered.",
    remedy:
      "Give every call a timeout, and do not let the handler of an event wait for what comes only after its answer. Release locks when work fails.",
    holds: "always",
    unjudged: ({ seen }) => (seen.neverRests && seen.endless.length === 0 ? "the merchant never rested" : undefined),
    reached: ({ seen }) => seen.acts.length > 0,
    breaches: ({ unanswered, seen }) => [
      ...seen.endless.map((what) => ({ what })),
      ...(seen.neverRests ? [] : unanswered)
        .filter(({ kind }) => kind === "act" || kind === "event")
        .map(({ kind, what, id }) => ({
          id,
          what: `${kind === "event" ? "The delivery of an event" : "A customer's request"}, ${what}, was never answered.`,
        })),
    ],
  },
];
