import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { placed } from "./placed.ts";
import { examOfClub } from "./small-club.ts";
import { examOfSmallShop } from "./small-shop.ts";

/** Plays a story, and returns how it is told. */
async function told<Store>(
  options: ExamOptions<Store>,
  flow: string,
  ...troubles: readonly (readonly [point: string, trouble: string])[]
): Promise<readonly string[]> {
  const always = {
    name: "always",
    sentence: "It is told.",
    remedy: "None.",
    holds: "in the end",
    breaches: () => [{ what: "This is it." }],
  } as const;
  const story = { flow: { name: flow, steps: [] }, troubles: troubles.map((each) => placed(...each)) };
  const { failures } = await exam({ ...options, laws: { always }, replay: tokenOf(story) });
  return failures.find(({ law }) => law === "always")?.story ?? [];
}

test("says how much later a customer acts, and how long nothing else happened at its end", async () => {
  expect(await told(examOfClub(), "join until unpaid then another card")).toEqual([
    "Ana joins as member-1 with pm_card_declines_renewals.",
    "36 days later, Ana changes the card to pm_card_approved.",
    "A day passes.",
  ]);
});

test("adds up the waits between which nothing is told", async () => {
  expect(await told(examOfClub(), "join and stay for two months")).toEqual([
    "Ana joins as member-1 with pm_card_approved.",
    "64 days pass.",
  ]);
});

test("says how long a customer took to the counter", async () => {
  expect(await told(examOfSmallShop(), "order paid at the counter")).toEqual([
    "Ana orders order-1 with pm_display_details.",
    "55 minutes later, the customer pays order-1 at the counter.",
  ]);
});

test("says when a fault struck in the middle of a wait", async () => {
  expect(
    await told(examOfClub(), "join and stay for two months", ["event subscription.invoice.paid 2", "webhook.drop"]),
  ).toEqual([
    "Ana joins as member-1 with pm_card_approved.",
    "31 days later, the second event subscription.invoice.paid is never delivered.",
    "33 days pass.",
  ]);
});

test("does not say again what a trouble says of the time", async () => {
  expect(await told(examOfSmallShop(), "order with a challenge", ["act order 1", "comes after two hours"])).toEqual([
    "Ana orders order-1 with pm_card_challenge.",
    "Two hours pass, so the merchant's token expires.",
    "Ana passes the challenge.",
  ]);
  expect(await told(examOfSmallShop(), "order with a challenge", ["act order 1", "returns late"])).toEqual([
    "Ana orders order-1 with pm_card_challenge.",
    "Ana stays on the page for two hours.",
    "Ana passes the challenge.",
  ]);
});
