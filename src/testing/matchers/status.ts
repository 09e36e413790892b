import { inWords } from "../../kit/base/errors/in-words.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { nearest } from "../../kit/base/errors/nearest.ts";
import { isObject, shown } from "../../simulator/shown.ts";
import { originOf } from "../../simulator/view-origin.ts";
import type { Outcome } from "./outcome.ts";
import { givenSimulator, idIn, placeOf, statusWordsOf, subjectOf } from "./subject.ts";
import type { Subject, WorldOption } from "./subject.ts";

/** Compares the status of a view, as it was read, or of an id, as it is now. */
export function checkStatus(received: unknown, status: string, options: WorldOption = {}): Outcome {
  const matcher = "toHaveStatus";
  const id = idIn(matcher, received);
  if (typeof status !== "string")
    throw new CentavoError(
      "INVALID_OPTION",
      `${matcher} takes a status such as "succeeded", and got ${shown(status)}.`,
    );
  const view = viewIn(received);
  const isLookedUp = view === undefined || givenSimulator(matcher, options) !== undefined;
  const subject =
    isLookedUp || originOf(view) !== undefined ? subjectOf(matcher, placeOf(matcher, received, options)) : undefined;
  if (subject !== undefined) checkWord(matcher, subject, status);
  const actual = isLookedUp ? (subject?.view.status ?? "") : view.status;
  return {
    pass: actual === status,
    subject: id,
    expectation: `have the status ${inWords(status)}`,
    found: `Its status is ${inWords(actual)}.${hintOn(subject, actual)}`,
    expected: status,
    actual,
  };
}

/**
 * Refuses a status that the resource never has, because `.not` would always pass with it.
 * @throws {CentavoError} `INVALID_OPTION` with the nearest status
 */
export function checkWord(matcher: string, subject: Subject, status: string): void {
  const words = statusWordsOf(subject);
  if (words === undefined || words.includes(status)) return;
  const near = nearest(status, words);
  const wayOut = near === undefined ? "Its statuses are" : `The nearest is ${inWords(near)}, out of`;
  throw new CentavoError(
    "INVALID_OPTION",
    `${matcher}: ${subject.view.id} never has the status ${inWords(status)}. ${wayOut} ${words.join(", ")}.`,
  );
}

function viewIn(received: unknown): { readonly status: string } | undefined {
  return isObject(received) && typeof received["status"] === "string"
    ? (received as { readonly status: string })
    : undefined;
}

function hintOn(subject: Subject | undefined, actual: string): string {
  if (subject === undefined || subject.view.status === actual) return "";
  const { reader, view } = subject;
  return ` This view was read earlier, and the status is ${inWords(view.status)} by now: read it again with sim.${reader}.get(${inWords(view.id)}).`;
}
