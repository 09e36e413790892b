import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import type { Answer } from "../merchant/answers.ts";

const reach = {
  incomplete: async (merchant: Merchant) => (await merchant.start()).id,
  incomplete_cancelled: async (merchant: Merchant) => {
    const { id } = await merchant.start();
    await merchant.sim.clock.advance("1 day");
    return id;
  },
  active: async (merchant: Merchant) => (await merchant.subscribe()).id,
  past_due: async (merchant: Merchant) => (await merchant.pastDue()).id,
  unpaid: async (merchant: Merchant) => (await merchant.unpaid()).id,
  cancelled: async (merchant: Merchant) => {
    const { id } = await merchant.subscribe();
    await merchant.cancelSubscription(id);
    return id;
  },
};

const commands = {
  pay: (merchant: Merchant, id: string) => merchant.processPayment(id),
  changeMethod: (merchant: Merchant, id: string) => merchant.changeMethod(id, "pm_card_approved"),
  changePlan: async (merchant: Merchant, id: string) => merchant.changePlan(id, (await merchant.createPlan()).id),
  cancel: (merchant: Merchant, id: string) => merchant.cancelSubscription(id),
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
  const merchant = await Merchant.open();
  const id = await reach[state](merchant);
  expect(merchant.subscriptionStatus(id)).toBe(state);
  const before = merchant.sim.subscriptions.get(id);
  const { status, body }: Answer<unknown> = await commands[command](merchant, id);
  expect([status, body.code].filter((part) => part !== undefined).join(" ")).toBe(answer);
  if (status === 200) return;
  expect(body.message).toMatch(new RegExp(String.raw`\b${state}\b`));
  expect(merchant.sim.subscriptions.get(id)).toEqual(before);
});
