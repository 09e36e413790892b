import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import type { Fields } from "../merchant/answers.ts";
import { halfOf } from "../half-of.ts";

/** The moves of checkout.moves and checkout.retry. */
const LEGAL = new Set([
  "pending → processing",
  "pending → cancelled",
  "pending → expired",
  "processing → completed",
  "processing → failed",
  "processing → expired",
  "processing → pending",
]);
const FINAL = ["completed", "failed", "cancelled", "expired"];
const METHODS = [
  "card",
  "gcash",
  "pm_card_challenge",
  "pm_card_stolen",
  "pm_card_insufficient_funds",
  "pm_card_processor_unavailable",
  "pm_unknownUnknownUnknown000",
];

type Act = (merchant: Merchant, session: Fields) => Promise<unknown>;

/** The current page of this session's customer: its challenge if one is open, else the hosted page. */
const onPage =
  (result: "authenticate" | "failAuthentication"): Act =>
  async ({ sim }, { checkoutUrl }) => {
    const location = (await sim.fetch(checkoutUrl)).headers.get("location");
    if (location?.includes("/authenticate/") === true) await sim.customer[result](location);
  };

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom(...METHODS).map(
    (method): Act =>
      async (merchant, { sessionToken }) =>
        merchant.processCheckout(sessionToken, method),
  ),
  fc.constantFrom(...METHODS).map(
    (method): Act =>
      async ({ sim }, { checkoutUrl }) =>
        sim.customer.pay(checkoutUrl, method),
  ),
  fc.constant(onPage("authenticate")),
  fc.constant(onPage("failAuthentication")),
  fc.constant<Act>(async ({ sim }, { checkoutUrl }) => sim.customer.cancel(checkoutUrl)),
  fc.constantFrom(0, 1, 899_999, 900_000, 3_600_000, 14_400_000).map(
    (milliseconds): Act =>
      async ({ sim }) =>
        sim.clock.advance({ milliseconds }),
  ),
);

test("under any acts of a merchant, a customer and time, a session makes only the assumed moves, and each is announced once", async () => {
  const reached = new Set<string>();
  const steps = fc.array(fc.tuple(acts, fc.nat(1)), { minLength: 5, maxLength: 25, size: "max" });
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.nat(2),
      fc.constantFrom("0 seconds", "5 hours"),
      async (taken, retries, processingTime) => {
        const assumptions = {
          "checkout.retry": retries,
          "checkout.lifetime": "8 hours",
          "intent.processing-time": processingTime,
        };
        const merchant = await Merchant.open({ assumptions });
        const sessions = [await merchant.createCheckout(), await merchant.createCheckout()];
        for (const [act, pick] of taken) await act(merchant, sessions[pick] as Fields);
        await merchant.sim.clock.advance("2 days");
        const { entries } = merchant.sim.journal;
        for (const { kind, details } of entries) {
          const { resource, from, to } = details as { resource?: string; from?: string; to?: string };
          expect(kind).not.toBe("failure");
          if (resource !== "checkout" || from === undefined || from === to) continue;
          expect(LEGAL).toContain(`${from} → ${String(to)}`);
        }
        const facts = entries.filter(
          ({ kind, details }) => kind === "fact" && /^checkout\.(?!created$)/.test(details["type"]),
        );
        expect(merchant.eventTypes).toEqual(facts.map(({ details }) => details["type"]));
        for (const { status } of merchant.sim.checkouts.list()) {
          expect(FINAL).toContain(status);
          reached.add(status);
        }
        for (const { status } of merchant.sim.intents.list())
          expect(["succeeded", "failed", "canceled"]).toContain(status);
      },
    ),
    halfOf({ numRuns: 30, seed: 20_260_101 }),
  );
  expect(reached).toEqual(new Set(FINAL));
});
