import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { ok } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const INVALID = { success: false, message: "Invalid access token", code: "UNAUTHORIZED", errors: [] };

describe("a client key", () => {
  test("opens the status and confirm routes of its intent, and never expires", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { id, clientKey = "" } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100 }));
    await sim.clock.advance("400 days");
    const status = ok(await callWith(clientKey, sim, `/api/payment-intent/${id}/status`));
    expect(status["status"]).toBe("requires_payment_method");
    const confirmed = ok(
      await callWith(clientKey, sim, `/api/payment-intent/${id}/confirm`, { paymentMethodId: "pm_card_approved" }),
    );
    expect(confirmed["status"]).toBe("processing");
    await sim.clock.settle();
    expect(ok(await callWith(clientKey, sim, `/api/payment-intent/${id}/status`))["status"]).toBe("succeeded");
  });

  test("opens nothing else", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { clientKey = "" } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100 }));
    const { id: other } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100 }));
    const before = worldOf(sim);
    const answers = [
      await callWith(clientKey, sim, `/api/payment-intent/${other}/status`),
      await callWith(clientKey, sim, `/api/payment-intent/${other}/confirm`, { paymentMethodId: "pm_card_approved" }),
      await callWith(clientKey, sim, "/api/payment-intent/pi_unknown/status"),
      await callWith(clientKey, sim, "/api/payment-intent", { amount: 1 }),
      await callWith(clientKey, sim, "/api/checkout/polling/x"),
      await callWith(`${clientKey}x`, sim, `/api/payment-intent/${other}/status`),
    ];
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toEqual({ status: 401, body: INVALID });
      expect(headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
    }
    expect(worldOf(sim)).toEqual(before);
  });

  test("is shown only by create, never by status or in a webhook", async () => {
    const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
    const { access } = await tokensOf(sim);
    const { id, clientKey } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100 }));
    await callWith(access, sim, `/api/payment-intent/${id}/confirm`, { paymentMethodId: "pm_card_approved" });
    expect(
      JSON.stringify([(await callWith(access, sim, `/api/payment-intent/${id}/status`)).body, sim.webhooks.events()]),
    ).not.toContain(clientKey);
  });
});
