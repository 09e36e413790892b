import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { exam } from "centavo/exam";
import { fixtures } from "centavo/fixtures";
import { assertMoved } from "centavo/testing";
import { describe, expect, test } from "vitest";
import { firstRetryUnder } from "../../src/service/webhook-policies.ts";
import { examOfSmallShop, openSmallShop } from "../exam/small-shop.ts";
import type { Orders } from "../exam/small-shop.ts";

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

describe("where the service gives its errors other statuses", () => {
  const statuses = { RATE_LIMITED: 503, INVALID_STATE: 422, UNAUTHORIZED: 400 };
  const codes = Object.keys(statuses) as (keyof typeof statuses)[];

  test.for(codes)("a fault that names %s answers it as the service does", async (code) => {
    const sim = createSimulator({ assumptions: { "http.error-status": statuses } });
    const client = createClient({
      ...sim.credentials,
      baseUrl: sim.baseUrl,
      fetch: sim.fetch,
      assumptions: { "http.error-status": statuses },
    });
    sim.faults.add({ kind: "request.status", route: "payment-intent.create", code });
    await expect(client.paymentIntents.create({ amount: 10000 })).rejects.toMatchObject({
      status: statuses[code],
      code,
    });
  });

  test("a fault takes a status or a code, and not both", () => {
    const { faults } = createSimulator();
    expect(() => faults.add({ kind: "request.status" })).toThrow("it has neither status nor code");
    expect(() => faults.add({ kind: "response.status", status: 500, code: "INTERNAL_ERROR" })).toThrow(
      "it has both status and code",
    );
  });
});

describe("where the service waits longer before it sends an event again", () => {
  test.for([
    [undefined, "2 seconds"],
    [["1 day", "2 days"], "1 day"],
    [[], undefined],
    [0, undefined],
  ] as const)("with the retries %j, the first of them comes after %s", ([retries, first]) => {
    expect(firstRetryUnder(retries === undefined || typeof retries === "number" ? retries : [...retries])).toBe(first);
  });
});

test.for([
  ["request.status 429", { RATE_LIMITED: 503 }, 503],
  ["request.status 409", { INVALID_STATE: 422 }, 422],
  ["request.status 409", { VALIDATION_ERROR: 422 }, 409],
  ["request.status 401", { UNAUTHORIZED: 400 }, 400],
] as const)(
  "an exam strikes with %s as the service under %j does, and tells it so",
  async ([trouble, statuses, status]) => {
    const story = { flow: "order approved", troubles: [["call", "payment-intent.confirm", 1, trouble]] };
    const answered: number[] = [];
    const verdict = await exam<Orders>({
      ...examOfSmallShop(),
      assumptions: { "http.error-status": statuses },
      replay: Buffer.from(JSON.stringify(story)).toString("base64url"),
      laws: {
        none: {
          name: "none",
          sentence: "Nothing is sold.",
          remedy: "Sell nothing.",
          holds: "in the end",
          breaches: () => [{ what: "It ended." }],
        },
      },
      open(opening) {
        return openSmallShop({
          ...opening,
          async fetch(...given) {
            const answer = await opening.fetch(...given);
            if (new Request(...given).url.endsWith("/confirm")) answered.push(answer.status);
            return answer;
          },
        });
      },
    });
    expect(String(verdict)).toContain(`The service answers the call payment-intent.confirm with ${status}`);
    expect(answered[0]).toBe(status);
  },
);
