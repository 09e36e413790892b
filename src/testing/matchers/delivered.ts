import { inWords } from "../../kit/base/errors/in-words.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { nearest } from "../../kit/base/errors/nearest.ts";
import { isObject, isSimulator, shown } from "../../simulator/shown.ts";
import type { AttemptView, EventView } from "../../simulator/webhooks-reader.ts";
import type { Outcome } from "./outcome.ts";
import { cutTo, matchesPart, partInWords } from "./partial.ts";
import { simulatorIn } from "./subject.ts";

const matcher = "toHaveDelivered";
/** How many undelivered events a message lists. */
const MOST_LISTED = 10;

export interface DeliveredOptions {
  /** The exact number of deliveries that the app answered with 2xx; at least one by default. */
  readonly times?: number;
}

/** Counts the deliveries of an event type that an app accepted, by the content of their bodies. */
export function checkDelivered(
  received: unknown,
  type: string,
  partial: object = {},
  options: DeliveredOptions = {},
): Outcome {
  const sim = simulatorIn(matcher, received);
  const events = sim.webhooks.events();
  checkArguments(type, partial, options, [...sim.internals.service.eventTypes, ...events.map((event) => event.type)]);
  const { times } = options;
  const ofType = new Map(events.filter((event) => event.type === type).map((event) => [event.id, event]));
  const attempts = sim.webhooks.attempts();
  const deliveries = attempts
    .flatMap(({ eventId, delivered }) => (delivered ? [ofType.get(eventId)] : []))
    .filter((event) => event !== undefined);
  const matching = deliveries.filter(({ body }) => matchesPart(body, partial));
  const isOnlyBody = matching.length === 0 && deliveries.length > 0 && times !== 0;
  const like = Object.keys(partial).length === 0 ? "" : ` with a body like ${partInWords(partial)}`;
  return {
    pass: times === undefined ? matching.length > 0 : matching.length === times,
    subject: "The simulator",
    expectation: `have delivered ${type}${like}${times === undefined ? "" : `, ${inTimes(times)}`}`,
    found: `It has done so ${inTimes(matching.length)}.${whatElse(attempts, [...ofType.values()], deliveries.length - matching.length)}`,
    expected: isOnlyBody ? partial : { type, deliveries: times ?? "at least 1" },
    actual: isOnlyBody
      ? cutTo(partial, deliveries.at(-1)?.body)
      : { type, deliveries: times === undefined && matching.length > 0 ? "at least 1" : matching.length },
  };
}

function checkArguments(type: unknown, partial: unknown, options: unknown, types: readonly string[]): void {
  if (typeof type !== "string" || !types.includes(type)) {
    const near = typeof type === "string" ? nearest(type, types) : undefined;
    const meant = near === undefined ? "" : ` The nearest is ${inWords(near)}.`;
    throw new CentavoError("INVALID_OPTION", `${matcher}: no event has the type ${shown(type)}.${meant}`);
  }
  if (!isObject(partial) || isSimulator(partial)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${matcher} takes a part of the event's body, as in { data: { id } }, and got ${shown(partial)}.`,
    );
  }
  if ("times" in partial && typeof partial["times"] === "number") {
    throw new CentavoError(
      "INVALID_OPTION",
      `${matcher} takes times after the part of the body: toHaveDelivered(${inWords(type)}, {}, { times: ${partial["times"]} }).`,
    );
  }
  const unknown = isObject(options) ? Object.keys(options).filter((name) => name !== "times") : ["not an object"];
  const times = isObject(options) ? options["times"] : undefined;
  const isCount = times === undefined || (Number.isInteger(times) && Number(times) >= 0);
  if (unknown.length === 0 && isCount) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `${matcher} takes the options { times }, a whole number from 0, and got ${shown(options)}.`,
  );
}

function whatElse(attempts: readonly AttemptView[], events: readonly EventView[], others: number): string {
  const otherBodies = others === 0 ? "" : ` It delivered events of this type with other bodies ${inTimes(others)}.`;
  const missed = events.filter(({ status }) => status !== "delivered");
  const latest = new Map(attempts.map(({ eventId, answer }) => [eventId, answer]));
  const listed = missed.slice(0, MOST_LISTED).map((event) => {
    const last = latest.get(event.id);
    const answer =
      last === undefined
        ? ""
        : last.kind === "answered"
          ? `, the last answered ${last.status}`
          : `, the last failed: ${last.message}`;
    const count = event.attempts === 1 ? "1 attempt" : `${event.attempts} attempts`;
    return ` ${event.id} is ${event.status} after ${count}${answer}.`;
  });
  const more = missed.length - listed.length;
  const unlisted = more === 0 ? "" : ` ${more} more of this type ${more === 1 ? "is" : "are"} not delivered.`;
  const none =
    events.length === 0 ? " There is no event of this type yet: await sim.clock.settle() or advance(…)." : "";
  return `${otherBodies}${listed.join("")}${unlisted}${none}`;
}

function inTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
