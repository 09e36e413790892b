import { leftOut } from "../../troubles/in-shake.ts";
import { callInWords } from "../../troubles/in-words.ts";
import { isWriting } from "../../troubles/routes.ts";
import type { Trouble } from "./trouble.ts";

const MINUTE = 60_000;
/** How far two clocks differ, in milliseconds: less than a signature may be old. */
const SKEW = 2 * MINUTE;

const inShake = leftOut("a test starts the programs and jobs of the merchant itself");

export const twoPrograms: Trouble = secondProgram("two programs", 0, "");

export const repeatedJobs: Trouble = {
  name: "job meets itself",
  at: "story",
  inShake,
  differsByAct: true,
  repeatsJobs: true,
  sentence: () => "Each job still runs when its next time comes, and starts again beside itself.",
};

/** More than one program of the merchant, and more than one run of a job. */
export const programTroubles: readonly Trouble[] = [
  twoPrograms,
  secondProgram("two programs with a clock ahead", SKEW, ", and the clock of the second is 2 minutes ahead"),
  secondProgram("two programs with a clock behind", -SKEW, ", and the clock of the second is 2 minutes behind"),
  repeatedJobs,
  {
    name: "deployment",
    at: "call",
    inShake,
    fits: ({ subject }) => isWriting(subject),
    deploys: true,
    sentence: (point) =>
      `During ${callInWords(point)}, a new program of the shop starts. The old one gets no new requests, and ends after 30 seconds.`,
  },
];

function secondProgram(name: string, clock: number, more: string): Trouble {
  return {
    name,
    at: "story",
    inShake,
    differsByAct: true,
    secondProgram: { clock },
    sentence: () => `Two programs of the shop run at once${more}.`,
  };
}
