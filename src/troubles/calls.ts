import { leftOut, mustNotBeNoticed, mustNotCost } from "./in-shake.ts";
import type { InShake } from "./in-shake.ts";
import { callInWords } from "./in-words.ts";
import type { Point } from "./point.ts";
import { isReading, isWriting } from "./routes.ts";
import { LONGEST_OUTAGE } from "./trouble.ts";
import type { PlannedFault, ServiceTrouble } from "./trouble.ts";
import { statusInForce } from "./values-in-force.ts";

const READS_HANG = "1 hour";

const ifRepeated = mustNotBeNoticed("refused-calls", "paid-and-fulfilled", { whereRepeated: true });
const ifTokensAreRenewed = mustNotBeNoticed("refused-calls", "good-card-is-served", { whereRepeated: true });
const twoThings = leftOut("one thing goes wrong at a time");

export const callTroubles: readonly ServiceTrouble[] = [
  call(
    "response.lost",
    { kind: "response.lost" },
    mustNotCost("lost-answers"),
    (what) => `The service does what ${what} asks, but its answer is lost.`,
    { leavesInDoubt: true },
  ),
  call(
    "request.status 503",
    { kind: "request.status", status: 503 },
    ifRepeated,
    (what) => `The service answers ${what} with 503.`,
    { strikesReads: true, order: "likely" },
  ),
  call(
    "response.status 504",
    { kind: "response.status", status: 504 },
    mustNotCost("lost-answers"),
    (what) => `The service does what ${what} asks, but a proxy answers 504.`,
    { order: "likely", leavesInDoubt: true },
  ),
  call(
    "blackout",
    { kind: "response.status", status: 504 },
    twoThings,
    (what) =>
      `The service does what ${what} asks, but a proxy answers 504 to it and to every later call, and no event arrives, for ${LONGEST_OUTAGE} at most.`,
    {
      fits: changesSomething,
      lasting: [
        { kind: "response.status", status: 504 },
        { kind: "webhook.drop", event: "*" },
      ],
    },
  ),
  call(
    "silence",
    { kind: "response.lost" },
    twoThings,
    (what) =>
      `The service does what ${what} asks, but its answer and all later ones are lost, and no event arrives, for ${LONGEST_OUTAGE} at most.`,
    { fits: changesSomething, lasting: [{ kind: "response.lost" }, { kind: "webhook.drop", event: "*" }] },
  ),
  call(
    "outage",
    { kind: "request.status", status: 503 },
    leftOut("an outage of a minute takes its place"),
    (what) => `From ${what} on, the service answers every call with 503, for ${LONGEST_OUTAGE} at most.`,
    { lasting: [{ kind: "request.status", status: 503 }] },
  ),
  call(
    "request.status 429",
    { kind: "request.status", status: 429, headers: { "retry-after": "2" } },
    ifRepeated,
    (what, statusOf) => `The service answers ${what} with ${statusOf(429)}.`,
    { strikesReads: true, order: "variant" },
  ),
  call(
    "request.status 409",
    { kind: "request.status", status: 409 },
    mustNotCost("refused-calls"),
    (what, statusOf) => `The service answers ${what} with ${statusOf(409)}.`,
    { fits: changesSomething },
  ),
  call(
    "request.status 401",
    { kind: "request.status", status: 401 },
    ifTokensAreRenewed,
    (what, statusOf) => `The service answers ${what} with ${statusOf(401)}, as if the token had expired.`,
    { strikesReads: true },
  ),
  call(
    "request.reset",
    { kind: "request.reset" },
    ifRepeated,
    (what) => `The connection breaks before ${what} reaches the service.`,
  ),
  call(
    "response.truncated",
    { kind: "response.truncated" },
    mustNotCost("lost-answers"),
    (what) => `The service does what ${what} asks, but its answer is cut short.`,
    { strikesReads: true, order: "variant" },
  ),
  call(
    "response.late",
    { kind: "response.late", delay: "90 seconds" },
    mustNotCost("slow-answers"),
    (what) => `The service does what ${what} asks, but its answer takes 90 seconds.`,
    { leavesInDoubt: true },
  ),
  call(
    "response.late 3s",
    { kind: "response.late", delay: "3 seconds" },
    mustNotBeNoticed("slow-answers", "status-agrees"),
    (what) => `The service does what ${what} asks, but its answer takes 3 seconds.`,
    { order: "variant" },
  ),
  call(
    "request.hang",
    { kind: "request.hang" },
    mustNotCost("hanging-calls"),
    (what) => `The service never answers ${what}.`,
    {
      order: "variant",
    },
  ),
  call(
    "reads hang",
    { kind: "request.hang" },
    twoThings,
    (what) => `From ${what} on, the service never answers a read, for ${READS_HANG}.`,
    {
      fits: ({ subject }) => isReading(subject),
      lasting: [{ kind: "request.hang", method: "GET" }],
      lasts: READS_HANG,
    },
  ),
  call(
    "request.refused",
    { kind: "request.refused" },
    ifRepeated,
    (what) => `The service refuses the connection for ${what}.`,
    {
      order: "variant",
    },
  ),
  call(
    "request.malformed",
    { kind: "request.malformed" },
    mustNotCost("lost-answers"),
    (what) => `The service answers ${what} with text that is not JSON.`,
    { order: "variant" },
  ),
  call(
    "request.latency",
    { kind: "request.latency", delay: "40 seconds" },
    mustNotCost("slow-answers"),
    (what) => `${what} takes 40 seconds to reach the service.`,
    { order: "variant" },
  ),
];

function call(
  name: string,
  fault: PlannedFault,
  inShake: InShake,
  sentence: (what: string, statusOf: (status: number) => number) => string,
  more: Partial<ServiceTrouble> = {},
): ServiceTrouble {
  return {
    name,
    at: "call",
    fault,
    inShake,
    sentence: (point, _customer, values) => sentence(callInWords(point), (status) => statusInForce(status, values)),
    ...more,
  };
}

function changesSomething({ subject }: Point): boolean {
  return isWriting(subject);
}
