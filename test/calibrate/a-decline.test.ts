import { createSimulator } from "centavo";
import { calibrate } from "centavo/calibrate";
import { expect, test } from "vitest";
import { contradictions } from "../contract/contradictions.ts";
import { recorded, textAt } from "./recorded.ts";
import type { Recorded } from "./recorded.ts";

contradictions.isPaused = true;

const assumptions = {
  "http.error-status": { INSUFFICIENT_FUNDS: 422 },
  "http.error-body": { error: { code: "{code}", detail: "{message}" } },
} as const;

async function decline({ call }: Recorded): Promise<void> {
  const { body } = await call("POST", "/api/payment-intent", { amount: 10_000 });
  const path = `/api/payment-intent/${textAt(body, "data", "id")}/confirm`;
  await call("POST", path, { paymentMethodId: "pm_card_insufficient_funds" });
}

test("a recorded decline gives the status and the body of errors, with the exchange that says so", async () => {
  const found = await calibrate(await recorded(assumptions, decline));
  expect(found.assumptions).toEqual(assumptions);
  expect(found.drift).toEqual([]);
  const declined = ["recorded.har, entry 3"];
  expect(found.rows).toContainEqual({
    id: "http.error-status",
    value: { INSUFFICIENT_FUNDS: 422 },
    changed: true,
    exchanges: declined,
  });
  expect(found.rows.find(({ id }) => id === "http.error-body")?.exchanges).toEqual(declined);
});

test("a world under the values that were found answers as was recorded", async () => {
  const found = await calibrate(await recorded(assumptions, decline));
  const again = await recorded(found.assumptions, decline, { seed: 5 });
  expect(again.at(-1)?.answer).toMatchObject({
    status: 422,
    body: '{"error":{"code":"INSUFFICIENT_FUNDS","detail":"The customer\'s balance is insufficient"}}',
  });
  expect(() => createSimulator({ assumptions: found.assumptions })).not.toThrow();
});

test("a recording of a service that answers as Centavo does changes nothing, and says what it shows", async () => {
  const found = await calibrate(await recorded({}, decline));
  expect(found.assumptions).toEqual({});
  expect(found.rows.every(({ changed }) => !changed)).toBe(true);
  expect(found.rows.map(({ id }) => id)).toContain("http.error-status");
  expect(found.unseen).toContain("webhook.checkout");
  expect(found.drift).toEqual([]);
});
