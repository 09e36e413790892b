import type { Point } from "../troubles/point.ts";
import type { ActName } from "./options.ts";
import type { Trouble } from "./troubles/trouble.ts";

/** What a customer does on the service's pages that an act leads to. */
export interface OnPages {
  /** On the hosted page; `pay` by default. */
  readonly page?: "pay" | "cancel" | "leave";
  /** On the page of the bank or the wallet; `pass` by default. */
  readonly challenge?: "pass" | "fail" | "leave";
  /** Whether the customer comes back to the merchant afterwards; true by default. */
  readonly comesBack?: boolean;
  /** How long the customer waits on the page before acting, in milliseconds. */
  readonly after?: number;
  /** Whether the customer leaves the page open, and returns to it after the next step. */
  readonly later?: boolean;
}

/** One step of a flow. */
export type Step =
  | {
      readonly kind: "act";
      readonly act: ActName;
      readonly id: string;
      readonly method: string;
      readonly plan?: string;
      readonly pages?: OnPages;
    }
  | { readonly kind: "wait"; readonly milliseconds: number }
  /** A wait until this many milliseconds after the membership's next renewal, or before it if negative. */
  | {
      readonly kind: "renewal";
      readonly id: string;
      readonly after: number;
      /** Whether the events of these days arrive a day late. */
      readonly isToldLate?: boolean;
    }
  /** The customer pays at a counter after this many milliseconds. */
  | { readonly kind: "counter"; readonly id: string; readonly after: number }
  /** Several acts at the same time. */
  | { readonly kind: "together"; readonly steps: readonly Extract<Step, { kind: "act" }>[] };

export type ActStep = Extract<Step, { kind: "act" }>;

/** Whether so many customers act at the same time that a story tells of them in one sentence. */
export function isCrowd(step: Step): boolean {
  return step.kind === "together" && step.steps.length > 2;
}

/** What customers do in a story, in order. */
export interface Flow {
  readonly name: string;
  readonly steps: readonly Step[];
  /** How many of the flow's steps are played; all by default. */
  readonly played?: number;
}

export interface PlacedTrouble {
  readonly point: Point;
  readonly trouble: Trouble;
}

/** One story: what customers do, what goes wrong, and the order of what happens at once. */
export interface Story {
  readonly flow: Flow;
  readonly troubles: readonly PlacedTrouble[];
  /** The seed that decides in which order simultaneous calls, answers and deliveries go on; by default they keep their order of arrival. */
  readonly schedule?: number;
}

/** Returns when a story begins, in milliseconds since 1970; undefined when no trouble chooses the moment. */
export function beginningOf({ troubles }: Pick<Story, "troubles">): number | undefined {
  return troubles.find(({ trouble }) => trouble.begins !== undefined)?.trouble.begins;
}
