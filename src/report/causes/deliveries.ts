import { shownAddress } from "../../kit/base/redaction/address.ts";
import { nearest } from "../../kit/base/errors/nearest.ts";
import { answeredWith, statusesOf } from "./answered.ts";
import type { Cause } from "./cause.ts";
import { failedVisit, originOf } from "./clues.ts";
import type { Clues, MissedDelivery } from "./clues.ts";
import { saysParsed } from "./signatures.ts";
import { counted, quoted, was } from "./wording.ts";

/** How frameworks answer when they have no such route. */
const NO_ROUTE = /Cannot POST|Route POST:|^(404 )?Not Found$/i;
/** How shops answer when they do not know the order. */
const NO_ORDER = /\b(no such|unknown|not found|none of our|no order|no payment|does not exist|missing)\b/i;

/** Reasons why webhooks do not reach the merchant, or are refused. */
export const deliveryCauses: readonly Cause[] = [
  {
    name: "hook-path",
    looksAt: "webhooks that a framework answered with 404 or 405",
    explanation:
      "Webhooks go to the `webhookUrl` of the payment, or to that of `createSimulator`. Your app has no `POST` route at that path: correct one of the two.",
    find: ({ missed }) => {
      const lost = answeredWith(missed, (status) => status === 404 || status === 405).filter(
        ({ said, entry }) => entry.details.status === 405 || said === "" || NO_ROUTE.test(said),
      );
      const [first] = lost;
      if (first === undefined) return undefined;
      return {
        sentence: `${counted(lost.length, "webhook")} to ${quoted(shownAddress(first.entry.details.url))} ${was(lost.length)} answered with ${statusesOf(lost)}: your app has no POST route at that path`,
        wayOut: "correct the webhookUrl or the route of your app",
        weight: "certain",
      };
    },
  },
  {
    name: "nobody-connected",
    looksAt: "webhooks, visits and returning customers that no app was connected for",
    explanation:
      'Centavo calls no other host. Connect your app at the origin of its addresses before the clock moves: `sim.connect("https://shop.example", app)`. Origins are compared as they are written: `http` is not `https`, and `www.` is another host.',
    find: ({ missed, of, origins, thrown }) => {
      const unsent = missed.filter(({ entry }) => entry.details.failure === "not-connected");
      const waiting = of("webhook").filter(({ details }) => details.status === "waiting");
      const visits = of("visit").filter(
        ({ volatile }) => volatile?.failure?.startsWith("No app is connected") === true,
      );
      const address =
        unsent[0]?.entry.details.url ?? waiting.at(-1)?.details.url ?? visits.at(-1)?.volatile?.url ?? undefined;
      if (address === undefined || origins.includes(originOf(address))) return undefined;
      const origin = originOf(address);
      const count = unsent.length + waiting.length;
      const what = count === 0 ? "" : `, so ${counted(count, "webhook")} ${was(count)} not delivered`;
      const near = nearest(origin, origins);
      const instead = near === undefined ? "" : `. Connected is ${near}`;
      return {
        sentence: `no app is connected at ${quoted(origin)}${what}`,
        wayOut: `call sim.connect(${JSON.stringify(origin)}, app) before the clock moves${instead}`,
        weight: thrown?.codes.includes("NOT_CONNECTED") === true ? "explains" : "certain",
      };
    },
  },
  {
    name: "nobody-listens",
    looksAt: "webhooks to a port of this machine that refused the connection",
    explanation:
      "A loopback `webhookUrl` is called over HTTP, and nothing listened there. Start your server first, and let it listen until the test ends, or connect the app with `sim.connect`.",
    find: ({ missed }) => {
      const refused = missed.filter(({ entry }) => entry.details.failure === "refused");
      const [first] = refused;
      if (first === undefined) return undefined;
      return {
        sentence: `nothing listens at ${quoted(first.origin)}, so ${counted(refused.length, "webhook")} ${was(refused.length)} not delivered`,
        wayOut: `start your server before the clock moves, or call sim.connect(${JSON.stringify(first.origin)}, app)`,
        weight: "certain",
      };
    },
  },
  {
    name: "handler-threw",
    looksAt: "errors that a webhook handler or a visited page threw",
    explanation:
      "An app that throws has not accepted the webhook, and the service sends it again later. The sentence quotes the error; `sim.webhooks.attempts()` has every answer.",
    find: ({ missed, of }) => {
      const threw = missed.findLast(({ entry }) => entry.details.failure === "threw");
      if (threw !== undefined) {
        const error = / threw on \S+ \S+: (.*)/s.exec(threw.said)?.[1] ?? threw.said;
        return {
          sentence: `your handler threw on ${threw.entry.details.type}: ${quoted(error.replace(/ This was attempt .*$/s, "").replace(/\.$/, ""))}`,
          wayOut: "fix the error, or let the handler answer it with a status",
          weight: "certain",
        };
      }
      const page = of("visit").findLast(({ volatile }) => volatile?.failure?.startsWith("the app threw") === true);
      if (page === undefined) return undefined;
      const { method = "", url = "", failure = "" } = page.volatile ?? {};
      return {
        sentence: `your app threw on ${quoted(`${method} ${shownAddress(url)}`)}: ${quoted(failure.replace("the app threw ", ""))}`,
        wayOut: "fix the error, or let the app answer it with a status",
        weight: "certain",
      };
    },
  },
  {
    name: "handler-failed",
    looksAt: "webhooks and visits that the app answered with 5xx",
    explanation:
      "A framework turns an error of a handler into a 5xx. The service sends such a webhook again, up to 12 times. The sentence quotes the beginning of the answer; your app's log has the rest.",
    find: (clues) => {
      const { missed } = clues;
      const failed = answeredWith(missed, (status) => status >= 500).filter(({ said }) => !saysParsed(said));
      const last = failed.at(-1);
      const wayOut = "read your app's log, and fix the error";
      if (last === undefined) {
        const page = failedVisit(clues);
        return page === undefined ? undefined : { sentence: `your app answered ${page}`, wayOut, weight: "likely" };
      }
      return {
        sentence: `your handler answered ${last.entry.details.type} with ${statusesOf(failed)}${last.said === "" ? "" : `: ${quoted(last.said)}`}`,
        wayOut,
        weight: "certain",
      };
    },
  },
  {
    name: "handler-too-slow",
    looksAt: "webhooks that the handler did not answer within `receiverTimeout`",
    explanation:
      "A connected app has `receiverTimeout` of real time to answer, 2 seconds by default. A handler that never ends its response, or waits for the virtual clock, takes longer. Answer first and work later, or raise `receiverTimeout`.",
    find: ({ missed }) => {
      const late = missed.filter(({ entry }) => entry.details.failure === "timeout" && entry.details.clock === "real");
      const [first] = late;
      if (first === undefined) return undefined;
      const limit = / within (\d+ ms)/.exec(first.said)?.[1] ?? "its time";
      return {
        sentence: `your handler did not answer ${counted(late.length, "webhook")} within ${limit} of real time`,
        wayOut: "end the response in every branch, and never wait there for the clock; or raise receiverTimeout",
        weight: "certain",
      };
    },
  },
  {
    name: "redirected-hook",
    looksAt: "webhooks that were answered with 3xx",
    explanation:
      "Webhooks do not follow redirects. The usual reasons are a missing or extra slash at the end of the path, a rule that redirects `http` to `https`, and one that sends whoever is not logged in to the login. Give the final address as `webhookUrl`, and let webhooks in without a login: their signature says who sends them.",
    find: ({ missed }) => {
      const redirected = answeredWith(missed, (status) => status >= 300 && status < 400);
      const [first] = redirected;
      if (first === undefined) return undefined;
      return {
        sentence: `${counted(redirected.length, "webhook")} to ${quoted(shownAddress(first.entry.details.url))} ${was(redirected.length)} answered with ${statusesOf(redirected)}, and webhooks follow no redirects`,
        wayOut: "set webhookUrl to the final address, and let the route answer without a login",
        weight: "certain",
      };
    },
  },
  {
    name: "no-webhook-url",
    looksAt: "events without a receiver while an app is connected",
    explanation:
      "`sim.connect` says which app answers at an origin, not where events go. Give the address with the payment (`webhookUrl`), or for all with `createSimulator({ webhookUrl })`.",
    find: ({ of, origins }) => {
      const unsent = of("webhook").filter(({ details }) => details.status === "no-receiver").length;
      const [origin] = origins;
      if (unsent === 0 || origin === undefined || of("delivery").length > 0) return undefined;
      return {
        sentence: `${counted(unsent, "event")} had no receiver: an app is connected at ${quoted(origin)}, but neither the payment nor the simulator has a webhookUrl`,
        wayOut: `give { webhookUrl: "${origin}/…" } to the simulator, or with each payment`,
        weight: "likely",
      };
    },
  },
  {
    name: "order-after-payment",
    looksAt: "webhooks that were refused because the shop did not know the order, and later attempts that it took",
    explanation:
      "The webhook came before the shop had stored the order that it is about. Store the order first, and the ids of the payment as soon as the service has answered. Then answer the webhook.",
    find: (clues) => {
      const { entry, said } = unknownOrder(clues) ?? {};
      if (entry === undefined) return undefined;
      const { type, status, attempt } = entry.details;
      const later = clues.missed.every((missed) => missed.entry.details.event !== entry.details.event);
      return {
        sentence: later
          ? `your handler answered the first ${type} with ${status} and took it later: the order was stored after the payment`
          : `your handler did not know the order of ${type} at attempt ${attempt} (${status}${said === undefined || said === "" ? "" : `: ${quoted(said)}`}): the order was stored after the payment, or without its id`,
        wayOut: "store the order before you ask for the payment, and the payment's id as soon as you have it",
        weight: later ? "certain" : "likely",
      };
    },
  },
  {
    name: "handler-refused",
    looksAt: "other webhooks that the handler answered with 4xx",
    explanation:
      "Only 2xx means that your shop has taken the event. The service sends the others again, up to 12 times, and a 410 never. Answer 200 to types of events that your shop does not need. The sentence quotes the beginning of the answer.",
    isLastResort: true,
    find: ({ missed }) => {
      const refused = answeredWith(missed, (status) => status >= 400 && status < 500);
      const [first] = refused;
      if (first === undefined) return undefined;
      return {
        sentence: `your handler answered ${first.entry.details.type} with ${statusesOf(refused)}${first.said === "" ? "" : `: ${quoted(first.said)}`}`,
        wayOut:
          first.entry.details.status === 401 || first.entry.details.status === 403
            ? "let webhooks pass that check: their signature says who sends them"
            : "answer every event that your shop has understood, or does not need, with 2xx",
        weight: "likely",
      };
    },
  },
];

/** Finds a delivery refused with 404, 409 or 422 that was accepted later, or whose answer says that there is no such order. */
function unknownOrder({ of, missed }: Clues): Partial<MissedDelivery> | undefined {
  const isRefused = (status: number | undefined): boolean => status === 404 || status === 409 || status === 422;
  const open = answeredWith(missed, isRefused).find(({ said }) => NO_ORDER.test(said) && !NO_ROUTE.test(said));
  if (open !== undefined) return open;
  const refused = new Map(
    of("delivery")
      .filter(({ details }) => isRefused(details.status) && details.faults === undefined)
      .map((entry) => [entry.details.event, entry]),
  );
  const taken = of("delivery").find(({ details }) => details.outcome === "delivered" && refused.has(details.event));
  return taken === undefined ? undefined : { entry: refused.get(taken.details.event) as MissedDelivery["entry"] };
}
