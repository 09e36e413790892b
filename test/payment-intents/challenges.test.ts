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
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const data = ok(await merchant.confirm(id, "pm_card_challenge"));
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
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const data = ok(await merchant.confirm(id, "pm_display_details"));
    expect(data).toStrictEqual({
      id,
      intentId: id,
      status: "requires_action",
      requiresAction: true,
      nextAction: { type: "display_details" },
    });
    const { status } = await merchant.sim.customer.authenticate(id);
    expect(status).toBe("processing");
    await merchant.sim.clock.settle();
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
  });

  test.each(windows)(
    "of %s stays open for %i ms, and ends in authentication_expired at that very moment",
    async (method, window) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      ok(await merchant.confirm(id, method));
      await merchant.sim.clock.advance({ milliseconds: window - 1 });
      expect(merchant.sim.intents.get(id)?.status).toBe("requires_action");
      await merchant.sim.clock.advance("1 millisecond");
      expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "authentication_expired" });
      expect(merchant.eventTypes).toEqual(
        ["requires_action", "processing", "failed"].map((status) => `payment_intent.${status}`),
      );
    },
  );

  test("may still be passed a millisecond before its window closes, and no longer when it has", async () => {
    const merchant = await Merchant.open();
    const [first, second] = [await merchant.createIntent(), await merchant.createIntent()];
    const [early, late] = [
      ok(await merchant.confirm(first.id, "grab_pay")),
      ok(await merchant.confirm(second.id, "grab_pay")),
    ];
    await merchant.sim.clock.advance({ milliseconds: 899_999 });
    expect((await merchant.sim.customer.authenticate(early.redirectUrl)).status).toBe("processing");
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect((await merchant.sim.customer.authenticate(late.redirectUrl)).status).toBe("failed");
    expect(merchant.sim.intents.get(first.id)?.status).toBe("succeeded");
  });

  test("its window comes from intent.authentication", async () => {
    const merchant = await Merchant.open({
      assumptions: { "intent.authentication": { card: "5 minutes", gcash: "1 hour", grab_pay: "1 hour" } },
    });
    const { id } = await merchant.createIntent();
    ok(await merchant.confirm(id, "pm_card_challenge"));
    await merchant.sim.clock.settle();
    expect(merchant.sim.clock.pending()).toMatchObject([{ at: "2026-01-01T00:05:00.000Z" }]);
  });

  test("that is passed goes by processing to succeeded; one that fails ends in authentication_failed", async () => {
    const merchant = await Merchant.open();
    const [paid, unpaid] = [await merchant.createIntent(), await merchant.createIntent()];
    const [first, second] = [
      ok(await merchant.confirm(paid.id, "gcash")),
      ok(await merchant.confirm(unpaid.id, "gcash")),
    ];
    expect((await merchant.sim.customer.authenticate(first.redirectUrl)).status).toBe("processing");
    expect((await merchant.sim.customer.failAuthentication(second.redirectUrl)).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(paid.id)?.status).toBe("succeeded");
    expect(merchant.sim.intents.get(unpaid.id)).toMatchObject({
      status: "failed",
      declineCode: "authentication_failed",
    });
  });
});

describe("a confirmation repeated while the challenge is open", () => {
  test.each([
    ["pm_card_challenge", "complete the redirect flow"],
    ["pm_display_details", "the customer has to act on the displayed details"],
  ])(
    "answers 3D_SECURE_REQUIRED with the way to the same challenge (%s), and changes nothing",
    async (method, wayOut) => {
      const merchant = await Merchant.open();
      const { id } = await merchant.createIntent();
      const data = ok(await merchant.confirm(id, method)) as object as { redirectUrl?: string; nextAction: object };
      const before = merchant.sim.snapshot().world;
      await merchant.sim.clock.settle();
      const again = await merchant.confirm(id, {
        paymentMethodId: "pm_card_approved",
        contact: { name: "Somebody else" },
      });
      expect(again.status).toBe(402);
      expect(again.body).toStrictEqual({
        success: false,
        message: `Authentication is needed; ${wayOut}`,
        code: "3D_SECURE_REQUIRED",
        errors: [],
        requiresAction: true,
        nextAction: data.nextAction,
        ...(data.redirectUrl === undefined ? {} : { redirectUrl: data.redirectUrl }),
      });
      const after = merchant.sim.snapshot().world;
      expect(after.tables["payment_intent"]).toEqual(before.tables["payment_intent"]);
      expect(merchant.sim.webhooks.events({ type: "payment_intent.requires_action" })).toHaveLength(1);
    },
  );
});
