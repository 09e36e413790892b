import { onlyWithCustomers } from "../../troubles/in-shake.ts";
import { isOfOrders } from "../../troubles/acts.ts";
import type { Trouble } from "./trouble.ts";

/** A card other than that of the first try. It behaves differently only at renewals. */
const ANOTHER_CARD = "pm_card_recovers";

/** Customers who do something else at the same time. */
export const otherTabs: readonly Trouble[] = [
  {
    name: "pays again with another card",
    at: "act",
    inShake: onlyWithCustomers,
    fits: isOfOrders,
    needsAct: "payAgain",
    onAct: { afterwards: ({ again }) => again("payAgain", ANOTHER_CARD) },
    sentence: (_point, who) => `${who} pays again with another card.`,
  },
  {
    name: "pays in two tabs",
    at: "act",
    inShake: onlyWithCustomers,
    fits: isOfOrders,
    needsAct: "payAgain",
    onAct: { atOnce: ({ ask }) => ask("payAgain", ANOTHER_CARD) },
    sentence: (_point, who) => `${who} pays in another tab at the same time.`,
  },
  {
    name: "changes the cart meanwhile",
    at: "act",
    inShake: onlyWithCustomers,
    fits: isOfOrders,
    needsAct: "changeCart",
    needsOpenPayment: true,
    onAct: { beforePages: ({ ask }) => ask("changeCart") },
    sentence: (_point, who) => `Before going on, ${who} changes what is in the order in another tab.`,
  },
  {
    name: "finishes later",
    at: "act",
    inShake: onlyWithCustomers,
    needsOpenPayment: true,
    needsAnotherAct: true,
    onAct: { pages: { later: true } },
    sentence: (_point, who) => `${who} leaves the page open, and finishes there in the end.`,
  },
  {
    name: "looks at once",
    at: "act",
    inShake: onlyWithCustomers,
    needsAct: "look",
    onAct: { atOnce: ({ ask }) => ask("look", ANOTHER_CARD) },
    sentence: (_point, who) => `${who} looks at it in another tab at the same time.`,
  },
];
