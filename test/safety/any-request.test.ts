import { createSimulator } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyList, anyText } from "../matchers.ts";
import { ok } from "../merchant/answers.ts";
import { callWith, order, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const base = createSimulator();
const { access } = await tokensOf(base);
const { id, clientKey } = ok(await callWith(access, base, "/api/payment-intent", { amount: 500 }));
const { sessionToken } = ok(await callWith(access, base, "/api/checkout", order()));

const segment = fc.oneof(
  fc.constantFrom(
    "api",
    "payment-intent",
    "confirm",
    "status",
    "checkout",
    "process",
    "polling",
    "session",
    "pay",
    "oauth",
    "merchants",
    String(id),
    String(sessionToken),
    "%",
    "..",
    "",
  ),
  fc.string({ maxLength: 6 }),
);
const path = fc.oneof(
  fc.constantFrom(
    "/api/payment-intent",
    `/api/payment-intent/${id}/confirm`,
    `/api/payment-intent/${id}/status`,
    "/api/checkout",
    `/api/checkout/process/${sessionToken}`,
    `/api/checkout/polling/${sessionToken}`,
    `/api/checkout/session/${sessionToken}`,
    `/pay/${sessionToken}`,
    "/authenticate/x",
    "/oauth",
    "/merchants",
    "/.well-known/jwks.json",
  ),
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "authorization",
    "content-type",
    "idempotency-key",
    "x-admin-key",
    "origin",
    "content-length",
    "transfer-encoding",
    "stripe-version",
  ),
  fc.oneof(
    fc.constantFrom(
      `Bearer ${access}`,
      `Bearer ${clientKey}`,
      base.credentials.adminKey,
      "application/json",
      "application/x-www-form-urlencoded",
      "Basic YTpi",
    ),
    fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 12 }),
  ),
);
const known = fc.record(
  {
    amount: fc.oneof(fc.integer(), fc.double(), fc.string()),
    paymentMethodId: fc.oneof(
      fc.constantFrom(
        "pm_card_approved",
        "pm_card_challenge",
        "pm_card_insufficient_funds",
        "pm_gcash",
        "4343434343434345",
      ),
      fc.string(),
    ),
    contact: fc.oneof(fc.dictionary(fc.constantFrom("name", "email"), fc.string()), fc.jsonValue()),
    metadata: fc.jsonValue(),
    grant_type: fc.string(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.string(),
  fc.uint8Array({ maxLength: 64 }),
  fc.json(),
  known.map((value) => JSON.stringify(value)),
  fc.constant(JSON.stringify(order())),
  fc.constant("action=pay&method=pm_card_approved"),
);
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY");
const valid = fc.constantFrom({}, { authorization: `Bearer ${access}`, "content-type": "application/json" });

test("every request is answered with an envelope, a document or a page, and a refusal leaves the world as it was", async () => {
  const outcomes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      method,
      path,
      fc.string({ maxLength: 8 }),
      headers,
      valid,
      body,
      async (verb, address, query, given, more, sent) => {
        const sim = base.fork();
        const before = worldOf(sim);
        const init: RequestInit = { method: verb, headers: { ...given, ...more } };
        if (sent !== undefined && verb !== "GET" && verb !== "HEAD") init.body = sent as BodyInit;
        const response = await sim.fetch(`${sim.baseUrl}${address}?${query}`, init);
        const text = await response.text();
        outcomes.add(response.status);

        const type = response.headers.get("content-type");
        if (verb === "OPTIONS") expect([response.status, text]).toEqual([204, ""]);
        else if (verb === "HEAD" || response.status === 303) expect(text).toBe("");
        else if (type?.startsWith("text/html") === true) expect(text).toMatch(/^<!doctype html>/);
        else {
          expect(type).toBe("application/json");
          const parsed = JSON.parse(text) as Record<string, unknown>;
          if (response.status >= 400)
            expect(parsed).toMatchObject({
              success: false,
              message: anyText,
              code: anyText,
              errors: anyList,
            });
        }
        // A decline (402) is not a refusal, and an unavailable processor (500) has its own test.
        if (response.status >= 400 && response.status !== 402) expect(worldOf(sim)).toEqual(before);
        expect(response.status).not.toBe(500);
        expect(sim.journal.entries.filter(({ kind }) => kind === "failure")).toEqual([]);
      },
    ),
    { numRuns: 1000, seed: 1 },
  );
  expect([...outcomes]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404, 405, 415]));
});
