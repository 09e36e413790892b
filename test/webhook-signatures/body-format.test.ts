import { signWebhook, verifyWebhook } from "centavo/webhooks";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatWebhookBody } from "../../src/kit/webhooks/json.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const anyJson = fc.jsonValue({ stringUnit: "binary" });

describe("a webhook body", () => {
  test("is compact as JSON.stringify writes it", () => {
    fc.assert(fc.property(anyJson, (value) => formatWebhookBody(value, "compact") === JSON.stringify(value)));
  });

  test("is the same JSON value when it is spaced", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = formatWebhookBody(value, "spaced");
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).toMatch(/^[\u0020-\u007e]*$/);
      }),
    );
  });

  test("has other spacing, key order and escapes when it is spaced", () => {
    const event = {
      id: "evt_1",
      data: { url: "https://shop.example/☕", amounts: [1, 2], paid: null, skipped: undefined },
    };
    expect(formatWebhookBody(event, "spaced")).toBe(
      String.raw`{"data": {"paid": null, "amounts": [1, 2], "url": "https:\/\/shop.example\/\u2615"}, "id": "evt_1"}`,
    );
  });

  test("that was parsed and written again verifies when it was compact, not when it was spaced", async () => {
    const secret = "whsec_dGVzdA==";
    const now = Date.parse("2026-01-01T00:00:00Z");
    const rewrite = async (format: "compact" | "spaced") => {
      const body = formatWebhookBody({ id: "evt_1", type: "payment_intent.succeeded" }, format);
      const headers = signWebhook({ scheme: "paymongo", secret, body, eventId: "evt_1", timestamp: now });
      return verifyWebhook({ headers, body: JSON.stringify(JSON.parse(body)) }, secret, { now });
    };
    await expect(rewrite("compact")).resolves.toMatchObject({ id: "evt_1" });
    await expect(rewrite("spaced")).rejects.toThrow(/parsed and written again/);
  });
});
