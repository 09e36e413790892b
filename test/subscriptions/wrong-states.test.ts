import { expect, test } from "vitest";
import { type Answer, type Merchant, openShop } from "./merchant.ts";

const reach: Readonly<Record<string, (shop: Merchant) => Promise<string>>> = {
  incomplete: async (shop) => (await shop.start()).id,
  incomplete_cancelled: async (shop) => {
    const { id } = await shop.start();
    await shop.sim.clock.advance("1 day");
    return id;
  },
  active: async (shop) => (await shop.subscribe()).id,
  past_due: async (shop) => (await shop.pastDue()).id,
  unpaid: async (shop) => (await shop.unpaid()).id,
  cancelled: async (shop) => {
    const { id } = await shop.subscribe();
    await shop.cancel(id);
    return id;
  },
};

const commands: Readonly<Record<string, (shop: Merchant, id: string) => Promise<Answer<unknown>>>> = {
  pay: (shop, id) => shop.processPayment(id),
  changeMethod: (shop, id) => shop.changeMethod(id, "pm_card_approved"),
  changePlan: async (shop, id) => shop.changePlan(id, (await shop.createPlan()).id),
  cancel: (shop, id) => shop.cancel(id),
};

const INVALID = "409 INVALID_STATE";
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  incomplete: { pay: "200", changeMethod: "200", changePlan: INVALID, cancel: "200" },
  incomplete_cancelled: { pay: INVALID, changeMethod: INVALID, changePlan: INVALID, cancel: INVALID },
  active: { pay: "409 INTENT_ALREADY_CONFIRMED", changeMethod: "200", changePlan: "200", cancel: "200" },
  past_due: { pay: "200", changeMethod: "200", changePlan: "200", cancel: "200" },
  unpaid: { pay: "200", changeMethod: "200", changePlan: "200", cancel: "200" },
  cancelled: { pay: INVALID, changeMethod: INVALID, changePlan: INVALID, cancel: INVALID },
};

test.each(
  Object.entries(expected).flatMap(([state, answers]) =>
    Object.entries(answers).map(([command, answer]) => [command, state, answer] as const),
  ),
)("%s in %s is answered %s", async (command, state, expectedAnswer) => {
  const shop = await openShop();
  const id = (await reach[state]?.(shop)) ?? "";
  expect(shop.status(id)).toBe(state);
  const before = shop.sim.subscriptions.get(id);
  const { status, body } = (await commands[command]?.(shop, id)) as Answer<unknown>;
  expect([status, body.code].filter((part) => part !== undefined).join(" ")).toBe(expectedAnswer);
  if (status === 200) return;
  expect(body.message).toMatch(new RegExp(String.raw`\b${state}\b`));
  expect(shop.sim.subscriptions.get(id)).toEqual(before);
});
