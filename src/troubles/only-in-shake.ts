import { mustNotBeNoticed, mustNotCost } from "./in-shake.ts";
import { callInWords } from "./in-words.ts";
import { isReading } from "./routes.ts";
import type { ServiceTrouble } from "./trouble.ts";

/** What an exam has in a harder form, and a test that moves its clock little passes in this one. */
export const onlyInShake: readonly ServiceTrouble[] = [
  {
    name: "outage of a minute",
    at: "call",
    inShake: mustNotCost,
    fits: ({ subject }) => !isReading(subject),
    lasting: [{ kind: "request.status", status: 503 }],
    lasts: "1 minute",
    sentence: (point) => `From ${callInWords(point)} on, the service answers it with 503, for a minute.`,
  },
  {
    name: "short-lived tokens",
    at: "story",
    inShake: mustNotBeNoticed("good-card-is-served"),
    assumptions: { "auth.token-lifetime": "1 minute" },
    sentence: () => "Tokens expire after a minute.",
  },
];
