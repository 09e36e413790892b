import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

describe("a minted payment method", () => {
  test("pays any number of intents and sessions, of every merchant", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const card = sim.paymentMethods.create(cardWith("4400000000000016"));
    expect(card).toMatch(/^pm_[0-9A-Za-z]{24}$/);
    for (const each of [merchant, merchant, await merchant.neighbour()]) {
      const { id } = await each.createIntent();
      ok(await each.confirm(id, card));
      await sim.clock.settle();
      expect(sim.intents.get(id)).toMatchObject({
        status: "failed",
        declineCode: "generic_decline",
        paymentMethod: { id: card, last4: "0016" },
      });
    }
    const { sessionToken } = await merchant.createCheckout();
    expect(ok(await merchant.processCheckout(sessionToken, card)).status).toBe("processing");
  });

  test("is also made from a card sent in full, and can be used again by its id", async () => {
    const merchant = await Merchant.open();
    const [first, second] = [await merchant.createIntent(), await merchant.createIntent()];
    await merchant.confirm(first.id, { paymentMethod: "card", creditCardDetails: cardWith("4120000000000007") });
    const { paymentMethod } = await merchant.intentStatus(first.id);
    expect(ok(await merchant.confirm(second.id, paymentMethod?.id ?? "")).requiresAction).toBe(true);
  });

  test.each(["pm_card_approved", cardWith("4343434343434345")])(
    "is attached anew when it is named again: %j",
    async (card) => {
      const merchant = await Merchant.open();
      const { sim } = merchant;
      const id = typeof card === "string" ? card : sim.paymentMethods.create(card);
      const intent = await merchant.createIntent();
      sim.faults.add({ kind: "processor.unavailable", times: 2 });
      await merchant.confirm(intent.id, id);
      await merchant.confirm(intent.id, id);
      await merchant.confirm(intent.id, {});
      const inputs = sim.journal.entries.filter(({ kind }) => kind === "step").map(({ details }) => details["input"]);
      expect(inputs).toEqual(["create", "attach_method", "attach_method", "confirm"]);
    },
  );

  test("that was made from a merchant's card is unknown to other merchants", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    const [first, second] = [await merchant.createIntent(), await other.createIntent()];
    await merchant.confirm(first.id, { paymentMethod: "card", creditCardDetails: cardWith("4343434343434345") });
    const { paymentMethod } = await merchant.intentStatus(first.id);
    const { status, body } = await other.confirm(second.id, paymentMethod?.id ?? "");
    expect([status, body.code]).toEqual([400, "PAYMENT_METHOD_INVALID"]);
    expect((await other.intentStatus(second.id)).status).toBe("requires_payment_method");
  });

  test.each([
    [{ cardNumber: "4242424242424241" }, /Luhn.*testMethods/],
    [{ cvc: "1" }, /cvc must have 3 or 4 digits/],
    [{ expMonth: "13", expYear: "x" }, /expMonth .*; expYear /],
  ])("is not made of %j, and the error says why", (wrong, message) => {
    const sim = createSimulator();
    expect(() => sim.paymentMethods.create(cardWith("4343434343434345", wrong))).toThrow(message);
  });
});

test("a card that is not an object is refused", () => {
  expect(() => createSimulator().paymentMethods.create("4343434343434345" as never)).toThrow(
    /^paymentMethods\.create: \S.*object/,
  );
});

describe("a card's number and CVC", () => {
  test("are kept nowhere: not in the world, the journal, an answer, an event or a page", async () => {
    const merchant = await Merchant.open();
    const card = cardWith("4343434343434345", { cvc: "9876" });
    const { id } = await merchant.createIntent();
    const answer = await merchant.confirm(
      id,
      { paymentMethod: "card", creditCardDetails: card },
      { "idempotency-key": "k1" },
    );
    const { checkoutUrl } = await merchant.createCheckout();
    await merchant.sim.customer.pay(checkoutUrl, card);
    merchant.sim.paymentMethods.create(card);
    await merchant.sim.clock.settle();
    const written =
      JSON.stringify([
        answer.body,
        merchant.webhooks,
        merchant.visits,
        merchant.sim.snapshot(),
        merchant.sim.intents.list(),
      ]) + merchant.sim.journal.toString();
    // The digest of a snapshot may hold the four digits among others.
    expect(written).not.toMatch(/4343434343434345|\b9876\b|"cvc"/);
    expect(written).toContain("4345");
  });
});
