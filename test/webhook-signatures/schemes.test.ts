import { createHmac } from "node:crypto";
import { signWebhook, verifyWebhook, type WebhookScheme } from "centavo/webhooks";
import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

const schemes: WebhookScheme[] = ["paymongo", "stripe", "standard-webhooks"];
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const timestamp = Date.parse("2026-01-01T00:00:00.900Z");
const seconds = 1_767_225_600;

const anySecret = fc
  .uint8Array({ minLength: 1, maxLength: 80 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
const anyBody = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()).map((value) => JSON.stringify(value));
const anyScheme = fc.constantFrom(...schemes);

describe("the headers of each scheme", () => {
  test("PayMongo's are a stamp, a test signature and an empty live one, over t.body with the whole secret", () => {
    const body = '{"id":"evt_1"}';
    const hex = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    expect(signWebhook({ scheme: "paymongo", secret, body, eventId: "evt_1", timestamp })).toEqual({
      "X-Webhook-Signature": `t=${seconds},te=${hex},li=`,
    });
  });

  test("Stripe's are a stamp and a v1 signature", () => {
    const body = '{"id":"evt_1"}';
    const hex = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    expect(signWebhook({ scheme: "stripe", secret, body, eventId: "evt_1", timestamp })).toEqual({
      "Stripe-Signature": `t=${seconds},v1=${hex}`,
    });
  });

  test("Standard Webhooks' are three, keyed with the decoded secret", () => {
    const body = '{"id":"evt_1"}';
    const base64 = createHmac("sha256", Buffer.alloc(32, 7)).update(`evt_1.${seconds}.${body}`).digest("base64");
    expect(signWebhook({ scheme: "standard-webhooks", secret, body, eventId: "evt_1", timestamp })).toEqual({
      "webhook-id": "evt_1",
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${base64}`,
    });
  });

  test("the header's name is free, and Standard Webhooks' other two follow it", () => {
    const event = { secret, body: "{}", eventId: "evt_1", timestamp };
    const paymongo = signWebhook({ ...event, scheme: "paymongo", headerName: "Paymongo-Signature" });
    const svix = signWebhook({ ...event, scheme: "standard-webhooks", headerName: "svix-signature" });
    expect(Object.keys(paymongo)).toEqual(["Paymongo-Signature"]);
    expect(Object.keys(svix)).toEqual(["svix-id", "svix-timestamp", "svix-signature"]);
  });
});

describe("any JSON body under any secret", () => {
  test("is signed and verified under all three schemes", async () => {
    await fc.assert(
      fc.asyncProperty(anyScheme, anySecret, anyBody, async (scheme, key, body) => {
        const headers = signWebhook({ scheme, secret: key, body, eventId: "evt_1", timestamp });
        expect(await verifyWebhook({ headers, body }, key, { now: timestamp })).toEqual(JSON.parse(body));
        const request = new Request("https://shop.example/hooks", { method: "POST", headers, body });
        expect(await verifyWebhook(request, key, { now: timestamp })).toEqual(JSON.parse(body));
      }),
    );
  });

  test("gets from node:crypto the signature that it gets from us", () => {
    fc.assert(
      fc.property(anySecret, anyBody, (key, body) => {
        const hex = createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
        const headers = signWebhook({ scheme: "paymongo", secret: key, body, eventId: "evt_1", timestamp });
        expect(headers["X-Webhook-Signature"]).toBe(`t=${seconds},te=${hex},li=`);
      }),
    );
  });
});

describe("beside the standardwebhooks package", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: timestamp });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("each verifies what the other signed", async () => {
    await fc.assert(
      fc.asyncProperty(anySecret, anyBody, async (key, body) => {
        const ours = signWebhook({ scheme: "standard-webhooks", secret: key, body, eventId: "evt_1", timestamp });
        const library = new Webhook(key);
        expect(library.verify(body, ours)).toEqual(JSON.parse(body));

        const signature = library.sign("evt_2", new Date(timestamp), body);
        const theirs = { "webhook-id": "evt_2", "webhook-timestamp": String(seconds), "webhook-signature": signature };
        expect(await verifyWebhook({ headers: theirs, body }, key)).toEqual(JSON.parse(body));
      }),
    );
  });
});
