import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isObject, shown } from "../../simulator/shown.ts";
import type { Outcome } from "./outcome.ts";

export function checkVerdict(received: unknown): Outcome {
  if (!isObject(received) || typeof received["passed"] !== "boolean" || !Array.isArray(received["failures"]))
    throw new CentavoError(
      "INVALID_OPTION",
      `toPass examines the verdict of an exam, as in expect(await exam(options)).toPass(), and got ${shown(received)}.`,
    );
  const failures = received["failures"] as readonly { readonly law: string; readonly what: string }[];
  return {
    pass: received["passed"],
    subject: "The exam",
    expectation: "be passed",
    // The verdict's text includes the stories.
    found: (received as { toString(): string }).toString(),
    expected: [],
    actual: failures.map(({ law, what }) => `${law}: ${what}`),
  };
}
