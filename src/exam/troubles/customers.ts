import type { Plan, Trouble } from "./trouble.ts";

const HOUR = 3_600_000;

/** What customers, and those who pretend to be the service, can do. */
export const customerTroubles: readonly Trouble[] = [
  act("double click", { does: "twice", atOnce: true }, () => "The customer clicks twice."),
  act("back button", { does: "twice", atOnce: false }, () => "The customer goes back and does the same again."),
  act(
    "forged event",
    { does: "forge", signature: "wrong" },
    () => "Before the customer pays, somebody sends a forged event that says it is paid.",
  ),
  act(
    "forged event without a signature",
    { does: "forge", signature: "none" },
    () => "Before the customer pays, somebody sends an unsigned event that says it is paid.",
  ),
  act(
    "event of another merchant",
    { does: "forge", signature: "other merchant" },
    () => "Before the customer pays, another merchant's event comes that says it is paid.",
  ),
  act(
    "typed way back",
    { does: "type-return" },
    () => "Before paying, the customer types the address of the way back, with the status of a success.",
  ),
  act(
    "leaves the page",
    { does: "pages", pages: { page: "leave", challenge: "leave" } },
    () => "The customer leaves the page without paying.",
  ),
  act(
    "cancels on the page",
    { does: "pages", pages: { page: "cancel", challenge: "fail" } },
    () => "The customer cancels on the page.",
  ),
  act(
    "fails the challenge",
    { does: "pages", pages: { challenge: "fail" } },
    () => "The customer fails the challenge.",
  ),
  act(
    "closes the browser",
    { does: "pages", pages: { comesBack: false } },
    () => "The customer closes the browser after the last page, and never comes back.",
  ),
  act(
    "returns late",
    { does: "pages", pages: { after: 2 * HOUR } },
    () => "The customer stays on the page for two hours.",
  ),
  act(
    "returns a day late",
    { does: "pages", pages: { after: 25 * HOUR } },
    () => "The customer stays on the page for a day.",
  ),
  act(
    "comes after two hours",
    { does: "wait", milliseconds: 2 * HOUR },
    () => "Two hours pass, so the merchant's token expires.",
  ),
  act(
    "processor.decline",
    { does: "fault", fault: { kind: "processor.decline", code: "generic_decline" } },
    () => "The payment is declined later.",
  ),
  act(
    "processor.decline at once",
    { does: "fault", fault: { kind: "processor.decline", code: "insufficient_funds", synchronous: true } },
    () => "The payment is declined at once.",
  ),
  act(
    "processor.late",
    { does: "fault", fault: { kind: "processor.late", delay: "30 minutes" } },
    () => "The payment is decided only after 30 minutes.",
  ),
  act(
    "processor.unavailable",
    { does: "fault", fault: { kind: "processor.unavailable" } },
    () => "The processor is unavailable at first.",
  ),
  act(
    "pays again with another card",
    { does: "act", act: "payAgain", atOnce: false },
    () => "The customer pays again with another card.",
  ),
  act(
    "pays in two tabs",
    { does: "act", act: "payAgain", atOnce: true },
    () => "The customer pays in another tab at the same time.",
  ),
  act(
    "changes the cart meanwhile",
    { does: "meanwhile", act: "changeCart" },
    () => "Before going on, the customer changes what is in the order in another tab.",
  ),
  act(
    "finishes later",
    { does: "finish-later" },
    () => "The customer leaves the page open, and finishes there in the end.",
  ),
  act(
    "looks at once",
    { does: "act", act: "look", atOnce: true },
    () => "The customer looks at it in another tab at the same time.",
  ),
];

function act(name: string, plan: Plan, sentence: () => string): Trouble {
  const isOnPage = ["forge", "type-return", "pages", "meanwhile", "finish-later"].includes(plan.does);
  return { name, at: "act", plan, sentence, ...(isOnPage ? { needsOpenPayment: true } : {}) };
}
