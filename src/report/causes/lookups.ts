import { meantStatus } from "../../service/error-table.ts";
import { nearest } from "../../kit/base/errors/nearest.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import { fieldsIn } from "../../kit/http/validation.ts";
import { paymentService } from "../../service/service.ts";
import { fieldsOf } from "./attempts.ts";
import type { Cause } from "./cause.ts";
import type { Clues } from "./clues.ts";
import { SERVICE_PAGE } from "./pages.ts";
import { quoted, timeOf } from "./wording.ts";

/** How the client of Centavo tells of an answer. */
const ANSWERED = /\b(GET|POST|PATCH|PUT|DELETE) (\/\S+) answered (\d{3})/;

/** Ways to ask for what is not there. */
export const lookupCauses: readonly Cause[] = [
  {
    name: "wrong-id",
    looksAt:
      "calls answered with 404 whose path has an id of another kind, such as a session token or your own reference",
    explanation:
      "Each path takes one kind of id. `pi_…` is a payment intent, `cs_…` a checkout session, whose calls take its `sessionToken` instead, `sub_…` a subscription. The `externalId` is yours: events carry it, and no path takes it.",
    find: ({ exchanges, said, whoHas }) => {
      const lost = exchanges.findLast(({ request, answer }) => meantStatus(answer) === 404 && ownerIn(request, whoHas));
      if (lost === undefined) return undefined;
      const { method, path } = lost.request;
      return {
        sentence: `${quoted(`${method} ${path}`)} was answered with ${lost.answer.status}: ${quoted(ownerIn(lost.request, whoHas) ?? "")}`,
        wayOut: `send the kind of id that ${SERVICE_PAGE} has for this path`,
        weight: /\b404\b|NOT_FOUND|not found|does not exist/i.test(said) ? "explains" : "likely",
      };
    },
  },
  {
    name: "misnamed-field",
    looksAt: "fields that the service does not know and ignored, and whose names are near to one that it knows",
    explanation:
      'The service ignores a field that it does not know, such as `external_id` for `externalId`. The journal has a warning then. With the assumption `http.unknown-fields` `"refuse"`, it answers 400 instead.',
    find: ({ of }) => {
      for (const { details, volatile } of of("warning").toReversed()) {
        const named = fieldsOfRoute(details.route);
        for (const field of volatile?.ignored ?? []) {
          const meant = nearest(inCamelCase(field.split(".").at(-1) ?? ""), named);
          if (meant === undefined) continue;
          return {
            sentence: `the service ignored the field ${quoted(field)} of ${details.route}: it knows ${meant}`,
            wayOut: `send ${meant}. ${SERVICE_PAGE} has the fields of each call`,
            weight: "certain",
          };
        }
      }
      return undefined;
    },
  },
  {
    name: "dates-ahead",
    looksAt: "lists of days that the virtual clock has not reached",
    explanation:
      "Virtual time starts at 2026-01-01T00:00:00Z, or at the option `now`. A list of today's payments, by the real date, is empty there. Take the day from `sim.clock.now()`, or let `Date` follow the clock: `fakeDate(sim)`.",
    find: ({ exchanges }) => {
      // Dates and timestamps compare as text.
      const ahead = exchanges.findLast(({ at, request }) => firstDay(request.query) > toTimestamp(at));
      if (ahead === undefined) return undefined;
      const { request, at } = ahead;
      return {
        sentence: `${quoted(`${request.method} ${request.path}`)} asked for payments from ${quoted(firstDay(request.query))} on, and the virtual clock stood at ${timeOf(at)}`,
        wayOut: "take the date from sim.clock.now(), or let Date follow the clock with fakeDate(sim)",
        weight: "certain",
      };
    },
  },
  {
    name: "another-simulator",
    looksAt: "an answer in the test's own error that this simulator did not give",
    explanation:
      "Each simulator is a world of its own. A client that was made for one, by its `fetch` or its base URL, does not see what happened in another. Use the parts of the test, `sim` and `client`, and create no second simulator beside them.",
    find: ({ thrown, exchanges }) => {
      const [, method = "", path = "", status = ""] = ANSWERED.exec(thrown?.text ?? "") ?? [];
      const isOurs = exchanges.some(
        ({ request, answer }) => request.method === method && String(answer.status) === status,
      );
      if (path === "" || isOurs) return undefined;
      return {
        sentence: `${quoted(`${method} ${path}`)} was answered with ${status} by another simulator than this test's, which never had that call`,
        wayOut: "ask with the client or the network of the test",
        weight: "explains",
      };
    },
  },
  {
    name: "read-nothing",
    looksAt: "ids for which a reader of the simulator found nothing, when an assertion found undefined",
    explanation:
      "`sim.intents.get(id)`, `sim.subscriptions.get(id)` and the other readers return undefined for an id that they do not have. They take the service's id, not your `externalId` and not a session token, and each has one kind of resource. `sim.intents.list()` has all. An id of another simulator is not found either.",
    find: ({ thrown, testCalls: { unfound }, whoHas }) => {
      // Some runners have written the values as text.
      const isNothing = ["undefined", "null"].includes(String(thrown?.actual));
      if (unfound === undefined || thrown?.isAssertion !== true || !isNothing) return undefined;
      const { reader, id } = unfound;
      const owner = whoHas(id);
      return {
        sentence: `sim.${reader}.get(…) found nothing: ${quoted(owner ?? `this simulator has no ${id}`)}`,
        wayOut: `read by the id of the service, or look through sim.${reader}.list()`,
        weight: "explains",
      };
    },
  },
];

/** The day from which a list is asked for; empty without one. */
function firstDay(query: unknown): string {
  const { dateFrom } = fieldsOf(query);
  return typeof dateFrom === "string" ? dateFrom : "";
}

/** Says what a segment of a path names; undefined if it is what the path takes, as for another merchant's payment, or nothing that is known. */
function ownerIn(
  { route, path }: { readonly route?: string | undefined; readonly path: string },
  whoHas: Clues["whoHas"],
): string | undefined {
  if (route === undefined) return undefined;
  const owners = path.split("/").map((segment) => (segment === "" ? undefined : whoHas(segment)));
  const owner = owners.find((each) => each !== undefined);
  const isTaken = TAKEN.some(([calls, words]) => route.startsWith(calls) && owner?.includes(words) === true);
  return isTaken ? undefined : owner;
}

/** What the paths of these calls take. */
const TAKEN = [
  ["payment-intent.", "is the id of a payment intent"],
  ["checkout.", "is the session token"],
  ["subscription.", "is the id of a subscription"],
] as const;

/** The names of the fields that a route takes. */
function fieldsOfRoute(name: string | undefined): readonly string[] {
  const { route } = paymentService.routers.routes.find((mounted) => mounted.route.name === name) ?? {};
  return [route?.query, route?.body].flatMap((schema) => (schema === undefined ? [] : fieldsIn(schema)));
}

function inCamelCase(name: string): string {
  return name.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
