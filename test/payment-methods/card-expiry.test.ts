import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

describe("a card's expiry", () => {
  test.each([
    ["2026-01-31T23:59:59.999Z", "01", "2026", "succeeded"],
    ["2026-02-01T00:00:00Z", "01", "2026", "card_expired"],
    ["2026-01-31T23:59:59.999Z", "1", "26", "succeeded"],
    ["2026-02-01T00:00:00Z", "1", "26", "card_expired"],
    ["2026-12-31T23:59:59.999Z", "12", "2026", "succeeded"],
    ["2027-01-01T00:00:00Z", "12", "2026", "card_expired"],
    ["2024-02-29T23:59:59.999Z", "02", "24", "succeeded"],
    ["2026-01-01T00:00:00Z", "12", "2025", "card_expired"],
    ["2026-01-01T00:00:00Z", "12", "99", "succeeded"],
    ["2026-01-01T00:00:00Z", "01", "1999", "card_expired"],
  ])("at %s, %s/%s: %s", async (now, expMonth, expYear, end) => {
    const merchant = await Merchant.open({ now });
    const { id } = await merchant.createIntent();
    const answer = await merchant.confirm(id, {
      paymentMethod: "card",
      creditCardDetails: cardWith("4343434343434345", { expMonth, expYear }),
    });
    expect(ok(answer).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)).toMatchObject(
      end === "succeeded" ? { status: end } : { status: "failed", declineCode: end },
    );
  });

  test("follows the virtual clock: a kept card stops working when its month is over", async () => {
    const merchant = await Merchant.open({ now: "2026-01-15T00:00:00Z" });
    const card = merchant.sim.paymentMethods.create(cardWith("4120000000000007", { expMonth: "01", expYear: "26" }));
    const [before, after] = [await merchant.createIntent(), await merchant.createIntent()];
    expect(ok(await merchant.confirm(before.id, card)).requiresAction).toBe(true);
    await merchant.sim.clock.advanceTo("2026-02-01T00:00:00Z");
    expect(ok(await merchant.confirm(after.id, card)).requiresAction).toBe(false);
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(after.id)).toMatchObject({ status: "failed", declineCode: "card_expired" });
  });

  test("does not affect a readable id", async () => {
    const merchant = await Merchant.open({ now: "2099-01-01T00:00:00Z" });
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
  });
});
