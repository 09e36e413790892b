import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isObject, shown } from "../../simulator/shown.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import type { Outcome } from "./outcome.ts";

const WAYS_OUT =
  "\n\nGive the exam a larger budget, or none. In a test that means to play only a part of it, use toPass({ unfinished: true }).";

/** How `toPass` judges a verdict. */
export interface PassOptions {
  /** Whether an unfinished exam passes, too, because the test means to play only a part of it; false by default. */
  readonly unfinished?: boolean;
}

/** Finds the laws that an exam saw broken, and what it left to play. */
export function checkVerdict(received: unknown, options: PassOptions = {}): Outcome {
  refuseUnknownOptions("toPass", options, ["unfinished"]);
  if (!isObject(received) || typeof received["passed"] !== "boolean" || !Array.isArray(received["failures"]))
    throw new CentavoError(
      "INVALID_OPTION",
      `toPass examines the verdict of an exam, as in expect(await exam(options)).toPass(), and got ${shown(received)}.`,
    );
  const failures = received["failures"] as readonly { readonly law: string; readonly what: string }[];
  const isUnfinished = received["outcome"] === "unfinished";
  // A larger budget does not help an exam that something else ended.
  const endedEarly: readonly unknown[] = Array.isArray(received["endedEarly"]) ? received["endedEarly"] : [];
  const wantsBudget = endedEarly.every((why) => String(why).startsWith("The budget was spent"));
  return {
    pass: received["passed"] || (isUnfinished && options.unfinished === true),
    subject: "The exam",
    expectation: "have passed",
    // The verdict's text includes the stories.
    found: `${(received as { toString(): string }).toString()}${isUnfinished && wantsBudget ? WAYS_OUT : ""}`,
    expected: [],
    actual: failures.map(({ law, what }) => `${law}: ${what}`),
  };
}
