import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

const windows = [
  ["pm_card_challenge", 3_600_000],
  ["pm_card_challenge_always", 3_600_000],
  ["pm_card_declined_after_challenge", 3_600_000],
  ["pm_display_details", 3_600_000],
  ["pm_gcash", 14_400_000],
  ["gcash", 14_400_000],
  ["pm_grab_pay", 900_000],
  ["grab_pay", 900_000],
] as const;

describe("a challenge", () => {
  test("leads the customer to a page of the service, in the shape of part 2.4", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    const data = ok(await shop.confirm(id, "pm_card_challenge"));
    const redirectUrl = expect.stringMatching(
      /^https:\/\/api\.pay\.example\/authenticate\/ach_[0-9A-Za-z]{24}$/,
    ) as string;
    expect(data).toStrictEqual({
      id,
      intentId: id,
      status: "requires_action",
      requiresAction: true,
      redirectUrl,
      nextAction: { type: "redirect", redirectUrl },
    });
    expect(data.redirectUrl).not.toContain(id);
  });

  test("of pm_display_details has no page to redirect to", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    const data = ok(await shop.confirm(id, "pm_display_details"));
    expect(data).toStrictEqual({
      id,
      intentId: id,
      status: "requires_action",
      requiresAction: true,
      nextAction: { type: "display_details" },
    });
    const { status } = await shop.sim.customer.authenticate(id);
    expect(status).toBe("processing");
    await shop.sim.clock.settle();
    expect((await shop.intentStatus(id)).status).toBe("succeeded");
  });

  test.each(windows)(
    "of %s stays open for %i ms, and ends in authentication_expired at that very moment",
    async (method, window) => {
      const shop = await Merchant.open();
      const { id } = await shop.createIntent();
      ok(await shop.confirm(id, method));
      await shop.sim.clock.advance({ milliseconds: window - 1 });
      expect(shop.sim.intents.get(id)?.status).toBe("requires_action");
      await shop.sim.clock.advance("1 millisecond");
      expect(shop.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "authentication_expired" });
      expect(shop.eventTypes).toEqual(
        ["requires_action", "processing", "failed"].map((status) => `payment_intent.${status}`),
      );
    },
  );

  test("may still be passed a millisecond before its window closes, and no longer when it has", async () => {
    const shop = await Merchant.open();
    const [first, second] = [await shop.createIntent(), await shop.createIntent()];
    const [early, late] = [ok(await shop.confirm(first.id, "grab_pay")), ok(await shop.confirm(second.id, "grab_pay"))];
    await shop.sim.clock.advance({ milliseconds: 899_999 });
    expect((await shop.sim.customer.authenticate(early.redirectUrl)).status).toBe("processing");
    await shop.sim.clock.advance({ milliseconds: 1 });
    expect((await shop.sim.customer.authenticate(late.redirectUrl)).status).toBe("failed");
    expect(shop.sim.intents.get(first.id)?.status).toBe("succeeded");
  });

  test("its window comes from intent.authentication", async () => {
    const shop = await Merchant.open({
      assumptions: { "intent.authentication": { card: "5 minutes", gcash: "1 hour", grab_pay: "1 hour" } },
    });
    const { id } = await shop.createIntent();
    ok(await shop.confirm(id, "pm_card_challenge"));
    await shop.sim.clock.settle();
    expect(shop.sim.clock.pending()).toMatchObject([{ at: "2026-01-01T00:05:00.000Z" }]);
  });

  test("that is passed goes by processing to succeeded; one that fails ends in authentication_failed", async () => {
    const shop = await Merchant.open();
    const [paid, unpaid] = [await shop.createIntent(), await shop.createIntent()];
    const [first, second] = [ok(await shop.confirm(paid.id, "gcash")), ok(await shop.confirm(unpaid.id, "gcash"))];
    expect((await shop.sim.customer.authenticate(first.redirectUrl)).status).toBe("processing");
    expect((await shop.sim.customer.failAuthentication(second.redirectUrl)).status).toBe("processing");
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(paid.id)?.status).toBe("succeeded");
    expect(shop.sim.intents.get(unpaid.id)).toMatchObject({ status: "failed", declineCode: "authentication_failed" });
  });
});

describe("a confirmation repeated while the challenge is open", () => {
  test.each(["pm_card_challenge", "pm_display_details"])(
    "answers 3D_SECURE_REQUIRED with the way to the same challenge (%s), and changes nothing",
    async (method) => {
      const shop = await Merchant.open();
      const { id } = await shop.createIntent();
      const data = ok(await shop.confirm(id, method)) as object as { redirectUrl?: string; nextAction: object };
      const before = shop.sim.snapshot().world;
      await shop.sim.clock.settle();
      const again = await shop.confirm(id, { paymentMethodId: "pm_card_approved", contact: { name: "Somebody else" } });
      expect(again.status).toBe(402);
      expect(again.body).toStrictEqual({
        success: false,
        message: "Authentication is needed; complete the redirect flow",
        code: "3D_SECURE_REQUIRED",
        errors: [],
        requiresAction: true,
        nextAction: data.nextAction,
        ...(data.redirectUrl === undefined ? {} : { redirectUrl: data.redirectUrl }),
      });
      const after = shop.sim.snapshot().world;
      expect(after.tables["payment_intent"]).toEqual(before.tables["payment_intent"]);
      expect(shop.sim.webhooks.events({ type: "payment_intent.requires_action" })).toHaveLength(1);
    },
  );
});
