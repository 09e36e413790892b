import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

/** An exam of a shop that does something else with a new order. */
export function examOfShopThat(answers: () => Promise<Response> | Response): ExamOptions<Orders> {
  return {
    ...examOfSmallShop(),
    open: (opening) => {
      const shop = openSmallShop(opening);
      return (request: Request) => (new URL(request.url).pathname === "/orders" ? answers() : shop(request));
    },
    longestWait: 1,
  };
}

export const forEver = (): never => {
  for (;;);
};
export const forEverInMicrotasks = async (): Promise<never> => {
  for (;;) await Promise.resolve();
};

/** Passes on itself again and again. */
export function passesOn(passOn: (callback: () => void) => void): void {
  passOn(() => passesOn(passOn));
}

/** Answers with the result of a callback. */
export const inCallback = (begin: (callback: () => void) => void) => (): Promise<Response> =>
  new Promise((resolve) => begin(() => resolve(forEver())));

/** Expects that a loop is found, with the act and the place, and returns the token of its story. */
export async function expectLoopFound(options: ExamOptions<Orders>): Promise<string> {
  const verdict = await exam(options);
  expect(verdict.outcome, String(verdict)).toBe("failed");
  expect(verdict.failures).toMatchObject([
    {
      law: "nothing-waits-for-ever",
      story: ["Ana orders order-1 with pm_card_approved."],
      what: "The merchant's program did not yield for 1 seconds of real time, while it answered POST /orders (the act order of order-1). A loop in it never ends.",
    },
  ]);
  return verdict.failures[0]?.token ?? "";
}

/** Expects that a loop in what the exam was given leaves it unfinished. */
export async function expectUnfinishedBy(what: string, options: Partial<ExamOptions<Orders>>): Promise<void> {
  const verdict = await exam({ ...examOfSmallShop(), ...options, longestWait: 1 });
  expect(verdict.outcome).toBe("unfinished");
  expect(verdict.endedEarly).toEqual([`A loop of ${what} ran for 1 seconds without an end.`]);
}

/** A law of the merchant's own. */
export function lawThat(breaches: () => never[]): Partial<ExamOptions<Orders>> {
  return { laws: { mine: { name: "mine", sentence: "None.", remedy: "None.", holds: "always", breaches } } };
}
