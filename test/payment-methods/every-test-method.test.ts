import { testMethods } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

/** The table of test methods: numbers, whether a challenge comes first, how it ends. */
const table: Readonly<
  Record<string, [numbers: string[], challenge: boolean, end: "succeeded" | { readonly declineCode: string }]>
> = {
  pm_card_approved: [["4343434343434345", "5555444444444457"], false, "succeeded"],
  pm_card_challenge: [["4120000000000007"], true, "succeeded"],
  pm_card_challenge_always: [[], true, "succeeded"],
  pm_card_declined_before_challenge: [["4230000000000004"], false, { declineCode: "generic_decline" }],
  pm_card_declined_after_challenge: [["5234000000000106"], true, { declineCode: "generic_decline" }],
  pm_card_declines_renewals: [["5123000000000001"], false, "succeeded"],
  pm_card_recovers: [[], false, "succeeded"],
  pm_card_expired: [["4200000000000018"], false, { declineCode: "card_expired" }],
  pm_card_cvc_invalid: [["4300000000000017"], false, { declineCode: "cvc_invalid" }],
  pm_card_generic_decline: [["4400000000000016", "4028220000001457"], false, { declineCode: "generic_decline" }],
  pm_card_fraudulent: [["4500000000000015"], false, { declineCode: "fraudulent" }],
  pm_card_blocked: [["4600000000000014"], false, { declineCode: "blocked" }],
  pm_card_processor_blocked: [["5200000000000197"], false, { declineCode: "processor_blocked" }],
  pm_card_lost: [["5300000000000196", "5483530000001462"], false, { declineCode: "lost_card" }],
  pm_card_stolen: [["5400000000000195"], false, { declineCode: "stolen_card" }],
  pm_gcash: [[], true, "succeeded"],
  pm_grab_pay: [[], true, "succeeded"],
  pm_display_details: [[], true, "succeeded"],
};
/** These answer the call itself with an error, and are tested separately. */
const answeredAtOnce = ["pm_card_insufficient_funds", "pm_card_processor_unavailable"];

describe("the table of test methods", () => {
  test("has these rows, and cannot be changed by a test", () => {
    const ids = testMethods.map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([...Object.keys(table), ...answeredAtOnce]));
    expect(ids).toHaveLength(new Set(ids).size);
    for (const { id, numbers } of testMethods) if (table[id] !== undefined) expect(numbers).toEqual(table[id][0]);
    expect(() => Object.assign(testMethods[0] ?? {}, { id: "mine" })).toThrow(TypeError);
    expect(() => Object.assign(testMethods, { length: 0 })).toThrow(TypeError);
  });

  test("says of every method in words what it does", () => {
    for (const { outcome } of testMethods) expect(outcome).toMatch(/\w/);
  });
});

const byId = Object.entries(table).map(([id, [, challenge, end]]) => ({
  name: id,
  body: { paymentMethodId: id },
  challenge,
  end,
}));
const byNumber = Object.entries(table).flatMap(([id, [numbers, challenge, end]]) =>
  numbers.map((number) => {
    const body = { paymentMethod: "card", creditCardDetails: cardWith(number) };
    return { name: `${id} by its number ${number}`, body, challenge, end };
  }),
);

test.each([...byId, ...byNumber])("$name does what the table says", async ({ body, challenge, end }) => {
  const merchant = await Merchant.open();
  const { id } = await merchant.createIntent();
  const data = ok(await merchant.confirm(id, body));
  expect([data.requiresAction, data.status]).toEqual(challenge ? [true, "requires_action"] : [false, "processing"]);
  if (challenge) await merchant.sim.customer.authenticate(id);
  expect(merchant.sim.intents.get(id)).not.toHaveProperty("declineCode");
  await merchant.sim.clock.settle();
  expect(merchant.sim.intents.get(id)).toMatchObject(
    end === "succeeded" ? { status: end } : { status: "failed", ...end },
  );
});

test.each(["pm_card_insufficient_funds", "5100000000000198", "5240460000001466"])(
  "%s is declined at once, by processing, with both events",
  async (method) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const body = method.startsWith("pm_")
      ? { paymentMethodId: method }
      : { paymentMethod: "card", creditCardDetails: cardWith(method) };
    const answer = await merchant.confirm(id, body);
    expect(answer.status).toBe(402);
    expect(answer.body).toStrictEqual({
      success: false,
      message: "The customer's balance is insufficient",
      code: "INSUFFICIENT_FUNDS",
      errors: [],
    });
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "insufficient_funds" });
    await merchant.sim.clock.advance("1 day");
    expect(merchant.eventTypes).toEqual(["payment_intent.processing", "payment_intent.failed"]);
    const moves = merchant.sim.journal.entries
      .filter(({ kind }) => kind === "step")
      .map(({ details }) => details["to"]);
    expect(moves).toEqual(["requires_payment_method", "requires_confirmation", "processing", "failed"]);
  },
);

test.each([
  ["card", "pm_card_approved"],
  ["gcash", "pm_gcash"],
  ["grab_pay", "pm_grab_pay"],
])("the plain kind %s means %s", async (kind, id) => {
  const merchant = await Merchant.open();
  const intent = await merchant.createIntent();
  ok(await merchant.confirm(intent.id, { paymentMethodId: kind }));
  expect((await merchant.intentStatus(intent.id)).paymentMethod).toEqual({ id, type: kind });
});
