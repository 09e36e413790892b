import type { ActName } from "../options.ts";
import type { ActStep } from "../story.ts";
import { nameOf } from "./names.ts";

/** What customers do on a page of the service. */
export const pageInWords = {
  pay: (who: string, method: string) => `${who} pays on the page with ${method}.`,
  cancel: (who: string) => `${who} cancels on the page.`,
  pass: (who: string) => `${who} passes the challenge.`,
  fail: (who: string) => `${who} fails the challenge.`,
} as const;

const ACTS_IN_WORDS: Readonly<Record<ActName, (step: ActStep) => string>> = {
  order: ({ id, method }) => `orders ${id} with ${method}.`,
  payAgain: ({ id, method }) => `pays ${id} again, with ${method}.`,
  checkout: ({ id }) => `orders ${id} and goes to the hosted checkout.`,
  changeCart: ({ id }) => `changes what is in ${id}.`,
  look: ({ id }) => `looks at ${id}.`,
  join: ({ id, method }) => `joins as ${id} with ${method}.`,
  changeCard: ({ method }) => `changes the card to ${method}.`,
  changePlan: ({ plan }) => `changes to the plan ${plan}.`,
  leave: () => "leaves.",
};

const CROWDS_DO: Partial<Record<ActName, string>> = { join: "join", checkout: "check out" };

export function crowdInWords(steps: readonly ActStep[]): string {
  const [{ act, method } = { act: "order", method: "" } as const] = steps;
  return `${steps.length} customers ${CROWDS_DO[act] ?? "order"} at once, each with ${method}.`;
}

export function actInWords(step: ActStep): string {
  return `${nameOf(step.id)} ${ACTS_IN_WORDS[step.act](step)}`;
}
