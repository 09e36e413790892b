import { calibrate } from "centavo/calibrate";
import { expect, test } from "vitest";
import { contradictions } from "../contract/contradictions.ts";
import { RECEIVER, recorded, textAt } from "./recorded.ts";
import type { Recorded } from "./recorded.ts";

contradictions.isPaused = true;

async function refusal({ call }: Recorded): Promise<void> {
  await call("POST", "/api/payment-intent", { amount: 0 });
}

test("what a customer did is performed and listed, from the webhook that came of it", async () => {
  const exchanges = await recorded({}, async ({ sim, call }) => {
    const { body } = await call("POST", "/api/checkout", {
      externalId: "order-1",
      amount: 25_000,
      description: "Shoes",
      webhookUrl: RECEIVER,
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    await sim.customer.pay(textAt(body, "data", "checkoutUrl"), "pm_card_approved");
    await sim.clock.settle();
    await call("GET", `/api/checkout/polling/${textAt(body, "data", "sessionToken")}`);
  });
  const { acts, drift, assumptions } = await calibrate(exchanges);
  expect(drift).toEqual([]);
  expect(assumptions).toEqual({});
  expect(acts).toEqual([
    { source: "recorded.har, entry 3", act: "the customer pays on the hosted page (pm_card_approved: approved)" },
    { source: "recorded.har, entry 3", act: "what was due happens" },
  ]);
});

test("recordings that disagree on a row are shown with both values", async () => {
  const one = await recorded({ "http.error-status": { VALIDATION_ERROR: 422 } }, refusal, { name: "one.har" });
  const other = await recorded({}, refusal, { name: "other.har", seed: 3, now: "2026-03-05T00:00:00Z" });
  const { disagreements } = await calibrate([...one, ...other]);
  expect(disagreements).toEqual([
    {
      id: "http.error-status",
      key: "VALIDATION_ERROR",
      values: [
        { value: 422, sources: ["one.har, entry 2"] },
        { value: 400, sources: ["other.har, entry 2"] },
      ],
    },
  ]);
});

test("calls to other services are left out, and no secret is told", async () => {
  const [token, refused] = await recorded({}, refusal);
  if (token === undefined || refused === undefined) throw new Error("The story makes two calls.");
  const elsewhere = {
    ...refused,
    source: "recorded.har, entry 3",
    request: { ...refused.request, url: "https://tracking.example/collect?key=abc" },
  };
  const found = await calibrate([token, refused, elsewhere]);
  expect(found.leftOut).toEqual([
    { source: "recorded.har, entry 3", why: "https://tracking.example/collect?… is of another service." },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/csec_fake_\w|eyJ\w|key=abc/);
});
