import { inWords } from "../../kit/base/errors/in-words.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { shown } from "../../simulator/shown.ts";
import type { Outcome } from "./outcome.ts";
import { checkWord } from "./status.ts";
import { placeOf, statusOfStates, subjectOf } from "./subject.ts";
import type { Subject, WorldOption } from "./subject.ts";

/** Compares every status that a resource has had, in order. */
export function checkMoves(received: unknown, statuses: readonly string[], options: WorldOption = {}): Outcome {
  const matcher = "toHaveMoved";
  const subject = subjectOf(matcher, placeOf(matcher, received, options));
  if (!Array.isArray(statuses) || !statuses.every((status) => typeof status === "string")) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${matcher} takes every status in order, as in ["pending", "processing", "completed"], and got ${shown(statuses)}.`,
    );
  }
  if (subject.machine === undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      `${matcher} follows payments, sessions, subscriptions and invoices. Give the one that the transaction ${subject.view.id} is of.`,
    );
  for (const status of statuses) checkWord(matcher, subject, status);
  const actual = statusesOf(matcher, subject);
  return {
    pass: actual.length === statuses.length && actual.every((status, position) => status === statuses[position]),
    subject: subject.view.id,
    expectation: `move through ${path(statuses)}`,
    found: `It moved through ${path(actual)}.`,
    expected: [...statuses],
    actual,
  };
}

function statusesOf(matcher: string, subject: Subject): string[] {
  const { sim, machine, view } = subject;
  const statusOf = statusOfStates(subject);
  const statuses: string[] = [];
  let began = false;
  for (const { kind, details } of sim.internals.parts.engine.journal.entries) {
    if ((kind !== "step" && kind !== "timer") || details.resource !== machine || details.id !== view.id) continue;
    began ||= details.from === undefined;
    const status = statusOf(details.to);
    if (statuses.at(-1) !== status) statuses.push(status);
  }
  if (began) return statuses;
  throw new CentavoError(
    "INVALID_STATE",
    `${matcher}: the journal no longer has the creation of ${inWords(view.id)}. Raise the option keep of createSimulator, or examine the moves before sim.restore().`,
  );
}

function path(statuses: readonly string[]): string {
  return statuses.length === 0 ? "nothing" : statuses.join(" → ");
}
