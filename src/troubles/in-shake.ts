import type { BlindSpot } from "./blind-spots.ts";
import type { Point } from "./point.ts";
import type { ValuesOfTroubles } from "./values-in-force.ts";

/** The kinds of trouble that `centavo shake --only` takes, in the order in which they are listed. */
export const kindsOfTrouble = [
  "lost-answers",
  "slow-answers",
  "refused-calls",
  "hanging-calls",
  "outages",
  "declines",
  "late-decisions",
  "tokens",
  "events-twice",
  "late-events",
  "lost-events",
  "unknown-events",
  "forged-events",
  "blind-spots",
] as const;

type KindOfTrouble = (typeof kindsOfTrouble)[number];

/** What a merchant owes while a trouble strikes in a test that it already has (`centavo shake`). */
export type InShake =
  | {
      /** The test must pass as if nothing had happened. */
      readonly is: "must not be noticed";
      readonly kind: KindOfTrouble;
      /**
       * How long the test has to move its clock after the trouble, such as `2 hours`, before it may expect the usual end; where it depends on
       * what the service in force does, a function, which returns undefined when that end never comes.
       */
      readonly needs?: string | ((values: ValuesOfTroubles) => string | undefined);
      /** Only merchants who repeat such calls bear it. For all others, it must not cost anybody money. */
      readonly whereRepeated?: true;
      /** The law of the exam that a merchant who does not bear it most likely breaks, such as `fulfilled-once`. */
      readonly law: string;
      /** What a merchant believes whose test fails, and what helps, where it is not what the law says. */
      readonly belief?: { readonly misunderstanding: string; readonly remedy: string };
    }
  | {
      /** The test may fail, but nobody may lose money, and the merchant must behave. */
      readonly is: "must not cost";
      readonly kind: KindOfTrouble;
      /** What no test notices if none fails (`--blind-spots`); undefined where none has to. */
      readonly blindSpot?: (point: Point) => BlindSpot | undefined;
    }
  | {
      /** The service says something else than it knows, so some test has to fail (`--blind-spots`). Nothing else is judged. */
      readonly is: "must be noticed";
      readonly kind: "blind-spots";
      readonly blindSpot: (point: Point) => BlindSpot | undefined;
    }
  | { readonly is: "left out"; readonly why: string };

/**
 * @param law the law of the exam that a merchant who does not bear it most likely breaks
 * @param more what it depends on
 */
export function mustNotBeNoticed(
  kind: KindOfTrouble,
  law: string,
  more: Pick<Extract<InShake, { is: "must not be noticed" }>, "needs" | "whereRepeated" | "belief"> = {},
): InShake {
  return { is: "must not be noticed", kind, law, ...more };
}

/** @param blindSpot returns what no test notices if none fails */
export function mustNotCost(kind: KindOfTrouble, blindSpot?: (point: Point) => BlindSpot | undefined): InShake {
  return { is: "must not cost", kind, ...(blindSpot === undefined ? {} : { blindSpot }) };
}

/** @param blindSpot returns what no test notices if none fails */
export function mustBeNoticed(blindSpot: (point: Point) => BlindSpot | undefined): InShake {
  return { is: "must be noticed", kind: "blind-spots", blindSpot };
}

/** @param why completes the sentence "It is left out, because …" */
export function leftOut(why: string): InShake {
  return { is: "left out", why };
}

/** Says for most troubles that only an exam can make: it plays the customers itself. */
export const onlyWithCustomers = leftOut("a test decides itself what its customers do");
