import { onlyWithCustomers } from "../../troubles/in-shake.ts";
import { eventInWords } from "../../troubles/in-words.ts";
import type { ActName } from "../options.ts";
import type { Trouble } from "./trouble.ts";

/** Customers who act at the very moment at which an event arrives. */
export const meetings: readonly Trouble[] = [
  meeting("payAgain", "pays again", ["payment_intent.succeeded", "checkout.completed"]),
  meeting("changeCard", "changes the card", ["subscription.past_due"]),
  meeting("leave", "leaves", ["subscription.invoice.paid"]),
];

function meeting(act: ActName, does: string, events: readonly string[]): Trouble {
  return {
    name: `${does} as it arrives`,
    at: "event",
    inShake: onlyWithCustomers,
    needsAct: act,
    fits: ({ subject }) => events.includes(subject),
    meetsAct: act,
    sentence: (point) => `As ${eventInWords(point)} arrives, the customer ${does}.`,
  };
}
