import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import { assertMoved } from "centavo/testing";
import { describe, expect, test } from "vitest";

describe("where a session hides processing", () => {
  const hiding = { assumptions: { "checkout.moves": "hide-processing" } } as const;

  test("matchers see it move from pending to its end", async () => {
    const sim = createSimulator(hiding);
    await fixtures(sim).checkout({ status: "completed" });
    expect(() => assertMoved(sim.checkouts.last(), ["pending", "completed"])).not.toThrow();
  });

  test("fixtures have no way to processing", async () => {
    await expect(fixtures(createSimulator(hiding)).checkout({ status: "processing" })).rejects.toThrow(
      'has no way to "processing" while the assumption "checkout.moves" is "hide-processing"',
    );
  });
});

describe("where the first failure ends a subscription", () => {
  const strict = { assumptions: { "subscription.first-failure": "expire" } } as const;

  test("fixtures have no way to an incomplete one that was declined", async () => {
    const make = fixtures(createSimulator(strict));
    await expect(make.subscription({ status: "incomplete", decline: "generic_decline" })).rejects.toThrow(
      'while the assumption "subscription.first-failure" is "expire"',
    );
    expect(await make.subscription({ status: "incomplete" })).toMatchObject({ status: "incomplete" });
  });
});

test("where the first call is answered with 3D_SECURE_REQUIRED, fixtures still reach every status of a payment", async () => {
  const make = fixtures(createSimulator({ assumptions: { "intent.challenge-error": "first" } }));
  expect(await make.intent({ status: "requires_action" })).toMatchObject({ status: "requires_action" });
  expect(await make.intent({ status: "failed", decline: "authentication_failed" })).toMatchObject({ status: "failed" });
});

test("where subscriptions announce nothing of a kind, an event of it cannot be made, and the error names the assumption", async () => {
  const sim = createSimulator({ assumptions: { "subscription.events": ["subscription"] } });
  await expect(fixtures(sim).event("subscription.invoice.paid")).rejects.toThrow(
    '"subscription.events" may leave it out',
  );
  expect(await fixtures(sim).event("subscription.activated")).toBeInstanceOf(Request);
});
