import { onlyWithCustomers } from "../../troubles/in-shake.ts";
import { leftInStock } from "../playing/chosen-values.ts";
import type { ChosenValues } from "../playing/chosen-values.ts";
import type { StoryRun } from "../playing/story-run.ts";
import type { Trouble } from "./trouble.ts";

/** Prices and numbers that customers choose, where the merchant's acts read them. */
export const chosenValues: readonly Trouble[] = [
  // In floating point, 19.99 times 100 is less than 1999, and 1129.90 times 100 is more than 112990.
  chosen("price 19.99", "amount", () => ({ amount: 1999 }), "The price is ₱19.99."),
  chosen("price 1129.90", "amount", () => ({ amount: 112_990 }), "The price is ₱1,129.90."),
  chosen("least price", "amount", leastPrice, "The price is ₱0.01 more than the least that the service takes."),
  chosen(
    "last of the stock",
    "quantity",
    (run) => ({ quantity: leftInStock(run) }),
    "That takes the last of the stock.",
  ),
  chosen(
    "more than the stock",
    "quantity",
    (run) => ({ quantity: leftInStock(run) + 1 }),
    "That is one more than there is in stock.",
  ),
];

function chosen(
  name: string,
  read: keyof ChosenValues,
  values: (run: StoryRun) => Partial<ChosenValues>,
  sentence: string,
): Trouble {
  return {
    name,
    at: "act",
    inShake: onlyWithCustomers,
    // A customer chooses once, with the first act.
    fits: ({ subject, occurrence }) => occurrence === 1 && (subject === "order" || subject === "checkout"),
    needsRead: read,
    onAct: { values },
    sentence: () => sentence,
  };
}

function leastPrice({ options }: StoryRun): Partial<ChosenValues> {
  return { amount: (options.assumptions?.["http.minimum-amount"] ?? 1) + 1 };
}
