import { isWriting } from "../routes.ts";
import type { Point } from "../story.ts";
import { callInWords } from "./in-words.ts";
import { LONGEST_OUTAGE } from "./trouble.ts";
import type { PlannedFault, Trouble } from "./trouble.ts";

const READS_HANG = "1 hour";

export const callTroubles: readonly Trouble[] = [
  call(
    "response.lost",
    { kind: "response.lost" },
    (what) => `The service does what ${what} asks, but its answer is lost.`,
    { leavesInDoubt: true },
  ),
  call(
    "request.status 503",
    { kind: "request.status", status: 503 },
    (what) => `The service answers ${what} with 503.`,
    { order: "likely" },
  ),
  call(
    "response.status 504",
    { kind: "response.status", status: 504 },
    (what) => `The service does what ${what} asks, but a proxy answers 504.`,
    { order: "likely", leavesInDoubt: true },
  ),
  call(
    "blackout",
    { kind: "response.status", status: 504 },
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
    (what) =>
      `The service does what ${what} asks, but its answer and all later ones are lost, and no event arrives, for ${LONGEST_OUTAGE} at most.`,
    { fits: changesSomething, lasting: [{ kind: "response.lost" }, { kind: "webhook.drop", event: "*" }] },
  ),
  call(
    "outage",
    { kind: "request.status", status: 503 },
    (what) => `From ${what} on, the service answers every call with 503, for ${LONGEST_OUTAGE} at most.`,
    { lasting: [{ kind: "request.status", status: 503 }] },
  ),
  call(
    "request.status 429",
    { kind: "request.status", status: 429, headers: { "retry-after": "2" } },
    (what) => `The service answers ${what} with 429.`,
    { order: "variant" },
  ),
  call(
    "request.status 409",
    { kind: "request.status", status: 409 },
    (what) => `The service answers ${what} with 409.`,
    { fits: changesSomething },
  ),
  call(
    "request.status 401",
    { kind: "request.status", status: 401 },
    (what) => `The service answers ${what} with 401, as if the token had expired.`,
  ),
  call(
    "request.reset",
    { kind: "request.reset" },
    (what) => `The connection breaks before ${what} reaches the service.`,
  ),
  call(
    "response.truncated",
    { kind: "response.truncated" },
    (what) => `The service does what ${what} asks, but its answer is cut short.`,
    { order: "variant" },
  ),
  call(
    "response.late",
    { kind: "response.late", delay: "90 seconds" },
    (what) => `The service does what ${what} asks, but its answer takes 90 seconds.`,
    { leavesInDoubt: true },
  ),
  call(
    "response.late 3s",
    { kind: "response.late", delay: "3 seconds" },
    (what) => `The service does what ${what} asks, but its answer takes 3 seconds.`,
    { order: "variant" },
  ),
  call("request.hang", { kind: "request.hang" }, (what) => `The service never answers ${what}.`, { order: "variant" }),
  call(
    "reads hang",
    { kind: "request.hang" },
    (what) => `From ${what} on, the service never answers a read, for ${READS_HANG}.`,
    { fits: isReading, lasting: [{ kind: "request.hang", method: "GET" }], lasts: READS_HANG },
  ),
  call("request.refused", { kind: "request.refused" }, (what) => `The service refuses the connection for ${what}.`, {
    order: "variant",
  }),
  call(
    "request.malformed",
    { kind: "request.malformed" },
    (what) => `The service answers ${what} with text that is not JSON.`,
    { order: "variant" },
  ),
  call(
    "request.latency",
    { kind: "request.latency", delay: "40 seconds" },
    (what) => `${what} takes 40 seconds to reach the service.`,
    { order: "variant" },
  ),
];

function call(
  name: string,
  fault: PlannedFault,
  sentence: (what: string) => string,
  more: Partial<Trouble> = {},
): Trouble {
  return { name, at: "call", fault, sentence: (point) => sentence(callInWords(point)), ...more };
}

function isReading({ subject }: Point): boolean {
  return !isWriting(subject) && subject !== "oauth.token";
}

function changesSomething({ subject }: Point): boolean {
  return isWriting(subject);
}
