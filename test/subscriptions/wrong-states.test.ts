import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import type { Answer } from "../merchant/answers.ts";

const reach = {
  incomplete: async (shop: Merchant) => (await shop.start()).id,
  incomplete_cancelled: async (shop: Merchant) => {
    const { id } = await shop.start();
    await shop.sim.clock.advance("1 day");
    return id;
  },
  active: async (shop: Merchant) => (await shop.subscribe()).id,
  past_due: async (shop: Merchant) => (await shop.pastDue()).id,
  unpaid: async (shop: Merchant) => (await shop.unpaid()).id,
  cancelled: async (shop: Merchant) => {
    const { id } = await shop.subscribe();
    await shop.cancelSubscription(id);
    return id;
  },
};

const commands = {
  pay: (shop: Merchant, id: string) => shop.processPayment(id),
  changeMethod: (shop: Merchant, id: string) => shop.changeMethod(id, "pm_card_approved"),
  changePlan: async (shop: Merchant, id: string) => shop.changePlan(id, (await shop.createPlan()).id),
  cancel: (shop: Merchant, id: string) => shop.cancelSubscription(id),
};

const INVALID = "409 INVALID_STATE";
const expected: Readonly<Record<keyof typeof reach, Readonly<Record<keyof typeof commands, string>>>> = {
  incomplete: { pay: "200", changeMethod: "200", changePlan: INVALID, cancel: "200" },
  incomplete_cancelled: { pay: INVALID, changeMethod: INVALID, changePlan: INVALID, cancel: INVALID },
  active: { pay: "409 INTENT_ALREADY_CONFIRMED", changeMethod: "200", changePlan: "200", cancel: "200" },
  past_due: { pay: "200", changeMethod: "200", changePlan: "200", cancel: "200" },
  unpaid: { pay: "200", changeMethod: "200", changePlan: "200", cancel: "200" },
  cancelled: { pay: INVALID, changeMethod: INVALID, changePlan: INVALID, cancel: INVALID },
};

const states = Object.keys(reach) as (keyof typeof reach)[];
const cases = states.flatMap((state) =>
  (Object.keys(commands) as (keyof typeof commands)[]).map((command) => ({
    state,
    command,
    answer: expected[state][command],
  })),
);

test.each(cases)("$command in $state is answered $answer", async ({ state, command, answer }) => {
  const shop = await Merchant.open();
  const id = await reach[state](shop);
  expect(shop.subscriptionStatus(id)).toBe(state);
  const before = shop.sim.subscriptions.get(id);
  const { status, body }: Answer<unknown> = await commands[command](shop, id);
  expect([status, body.code].filter((part) => part !== undefined).join(" ")).toBe(answer);
  if (status === 200) return;
  expect(body.message).toMatch(new RegExp(String.raw`\b${state}\b`));
  expect(shop.sim.subscriptions.get(id)).toEqual(before);
});
