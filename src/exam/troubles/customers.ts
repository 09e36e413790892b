import type { Point } from "../story.ts";
import type { Plan, Trouble } from "./trouble.ts";

const HOUR = 3_600_000;

/** What customers, and those who pretend to be the service, can do. */
export const customerTroubles: readonly Trouble[] = [
  act("double click", { does: "twice", atOnce: true }, (who) => `${who} clicks twice.`),
  act("back button", { does: "twice", atOnce: false }, (who) => `${who} goes back and does the same again.`),
  act(
    "forged event",
    { does: "forge", signature: "wrong" },
    (who) => `Before ${who} pays, somebody sends a forged event that says it is paid.`,
  ),
  act(
    "forged event without a signature",
    { does: "forge", signature: "none" },
    (who) => `Before ${who} pays, somebody sends an unsigned event that says it is paid.`,
  ),
  act(
    "event of another merchant",
    { does: "forge", signature: "other merchant" },
    (who) => `Before ${who} pays, another merchant's event comes that says it is paid.`,
  ),
  act(
    "typed way back",
    { does: "type-return" },
    (who) => `Before paying, ${who} types the address of the way back, with the status of a success.`,
  ),
  act(
    "payment of another system",
    { does: "share", makes: "payment" },
    (who) => `Before ${who} pays, another system of the same merchant takes ₱1.00 under the same externalId.`,
    isOfOrders,
  ),
  act(
    "subscription of another system",
    { does: "share", makes: "subscription" },
    () => "Another system of the same merchant begins a subscription under the same externalId, and cancels it.",
    ({ subject }) => subject === "join",
  ),
  act(
    "leaves the page",
    { does: "pages", pages: { page: "leave", challenge: "leave" } },
    (who) => `${who} leaves the page without paying.`,
  ),
  act(
    "cancels on the page",
    { does: "pages", pages: { page: "cancel", challenge: "fail" } },
    (who) => `${who} cancels on the page.`,
  ),
  act("fails the challenge", { does: "pages", pages: { challenge: "fail" } }, (who) => `${who} fails the challenge.`),
  act(
    "closes the browser",
    { does: "pages", pages: { comesBack: false } },
    (who) => `${who} closes the browser after the last page, and never comes back.`,
  ),
  act(
    "returns late",
    { does: "pages", pages: { after: 2 * HOUR } },
    (who) => `${who} stays on the page for two hours.`,
  ),
  act(
    "returns a day late",
    { does: "pages", pages: { after: 25 * HOUR } },
    (who) => `${who} stays on the page for a day.`,
  ),
  act(
    "comes after two hours",
    { does: "wait", milliseconds: 2 * HOUR },
    () => "Two hours pass, so the merchant's token expires.",
  ),
  act(
    "processor.decline",
    { does: "fault", fault: { kind: "processor.decline", code: "generic_decline" } },
    (who) => `${who}'s payment is declined later.`,
    isPaying,
  ),
  act(
    "processor.decline at once",
    { does: "fault", fault: { kind: "processor.decline", code: "insufficient_funds", synchronous: true } },
    (who) => `${who}'s payment is declined at once.`,
    isPaying,
  ),
  act(
    "processor.late",
    { does: "fault", fault: { kind: "processor.late", delay: "30 minutes" } },
    (who) => `${who}'s payment is decided only after 30 minutes.`,
    isPaying,
  ),
  act(
    "processor.late 30h",
    { does: "fault", fault: { kind: "processor.late", delay: "30 hours" } },
    () => "The payment is decided only after 30 hours, when the page has expired.",
    ({ subject }) => subject === "checkout",
  ),
  act(
    "processor.unavailable",
    { does: "fault", fault: { kind: "processor.unavailable" } },
    (who) => `The processor is unavailable when ${who} pays.`,
    isPaying,
  ),
  act(
    "pays again with another card",
    { does: "act", act: "payAgain", atOnce: false },
    (who) => `${who} pays again with another card.`,
    isOfOrders,
  ),
  act(
    "pays in two tabs",
    { does: "act", act: "payAgain", atOnce: true },
    (who) => `${who} pays in another tab at the same time.`,
    isOfOrders,
  ),
  act(
    "changes the cart meanwhile",
    { does: "meanwhile", act: "changeCart" },
    (who) => `Before going on, ${who} changes what is in the order in another tab.`,
    isOfOrders,
  ),
  act(
    "finishes later",
    { does: "finish-later" },
    (who) => `${who} leaves the page open, and finishes there in the end.`,
  ),
  act(
    "looks at once",
    { does: "act", act: "look", atOnce: true },
    (who) => `${who} looks at it in another tab at the same time.`,
  ),
];

function act(name: string, plan: Plan, sentence: (who: string) => string, fits?: Trouble["fits"]): Trouble {
  const isOnPage =
    ["forge", "type-return", "pages", "meanwhile", "finish-later"].includes(plan.does) ||
    (plan.does === "share" && plan.makes === "payment");
  const place = fits === undefined ? {} : { fits };
  return {
    name,
    at: "act",
    plan,
    sentence: (_point, customer) => sentence(customer),
    ...place,
    ...(isOnPage ? { needsOpenPayment: true } : {}),
    ...(plan.does === "finish-later" ? { needsAnotherAct: true } : {}),
  };
}

/** What somebody does who pays for an order cannot be done with a membership. */
function isOfOrders({ subject }: Point): boolean {
  return ["order", "payAgain", "checkout"].includes(subject);
}

function isPaying(point: Point): boolean {
  return isOfOrders(point) || ["join", "changeCard"].includes(point.subject);
}
