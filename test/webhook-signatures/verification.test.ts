import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  CentavoError,
  signWebhook,
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookScheme,
} from "centavo/webhooks";
import { afterEach, describe, expect, test, vi } from "vitest";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const timestamp = Date.parse("2026-01-01T00:00:00Z");
const body = JSON.stringify({
  id: "evt_1",
  type: "payment_intent.succeeded",
  data: { description: "halo-halo, ₱150 ☕" },
});

function signed(scheme: WebhookScheme = "paymongo", more: { secret?: string; headerName?: string } = {}) {
  return signWebhook({ scheme, secret, body, eventId: "evt_1", timestamp, ...more });
}

function verify(headers: Record<string, string>, text: string = body, options: VerifyWebhookOptions = {}) {
  return verifyWebhook({ headers, body: text }, secret, { now: timestamp, ...options });
}

/** A refusal as `CODE: message`. */
async function refusal(verifying: Promise<unknown>): Promise<string> {
  return verifying.then(
    () => "accepted",
    (error: unknown) => (error instanceof CentavoError ? `${error.code}: ${error.message}` : String(error)),
  );
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a genuine webhook is accepted", () => {
  test("from any object that has the headers and the raw body", async () => {
    const bytes = new TextEncoder().encode(body);
    const headers = signed();
    const lowerCase = {
      "content-type": "application/json",
      cookie: undefined,
      "x-webhook-signature": headers["X-Webhook-Signature"],
    };
    const carriers = [
      { headers: new Headers(headers), body },
      { headers: lowerCase, body: Buffer.from(body) },
      { headers: { "X-WEBHOOK-SIGNATURE": [headers["X-Webhook-Signature"] ?? ""] }, body: bytes },
      { headers: Object.entries(headers), body: bytes.buffer },
      new Request("https://shop.example/hooks", { method: "POST", headers, body }),
    ];
    for (const carrier of carriers) {
      expect(await verifyWebhook(carrier, secret, { now: timestamp })).toEqual(JSON.parse(body));
    }
  });

  test.each<[string, unknown]>([
    ["a number", body.length],
    ["true", true],
    ["nothing", null],
    ["an object", { session: "1" }],
    ["a list of objects", [{}]],
    ["a symbol", Symbol("header")],
    ["a function", () => "text"],
  ])("whatever its other headers hold, such as %s", async (_, value) => {
    const name = "X-Webhook-Signature";
    const { [name]: signature } = signed();
    const others = { "content-length": value, Cookies: value };
    for (const headers of [
      { ...others, [name.toUpperCase()]: signature },
      [...Object.entries(others), [name, [signature]] as const],
      new Map<string, unknown>([...Object.entries(others), [name, signature]]),
      { get: (wanted: string) => (wanted === name ? (signature ?? null) : null) },
    ])
      expect(await verifyWebhook({ headers, body }, secret, { now: timestamp })).toEqual(JSON.parse(body));
  });

  test("by the text of a header that came in several parts, and by a stamp that a framework made a number", async () => {
    const { "X-Webhook-Signature": paymongo = "" } = signed();
    const [stamp = "", ...signatures] = paymongo.split(",");
    const parts = { "x-webhook-signature": [stamp], "X-WEBHOOK-SIGNATURE": [undefined, ...signatures] };
    expect(await verifyWebhook({ headers: parts, body }, secret, { now: timestamp })).toBeDefined();
    const standard = { ...signed("standard-webhooks"), "webhook-timestamp": timestamp / 1000 };
    expect(await verifyWebhook({ headers: standard, body }, secret, { now: timestamp })).toBeDefined();
  });

  test("by the process's own Date when no other time is given", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: timestamp + 300_000 });
    expect(await verifyWebhook({ headers: signed(), body }, secret)).toEqual(JSON.parse(body));
    vi.setSystemTime(timestamp + 301_000);
    expect(await refusal(verifyWebhook({ headers: signed(), body }, secret))).toMatch(/301 s old/);
  });

  test("with now as milliseconds, a Date, an ISO string or a function", async () => {
    for (const now of [timestamp, new Date(timestamp), "2026-01-01T00:00:00Z", () => timestamp]) {
      expect(await verify(signed(), body, { now })).toEqual(JSON.parse(body));
    }
  });

  test("under a header of another name, whose value tells the scheme", async () => {
    for (const scheme of ["paymongo", "stripe", "standard-webhooks"] as const) {
      for (const headerName of ["X-Shop-Signature", "X-Hook"])
        expect(await verify(signed(scheme, { headerName }), body, { headerName })).toEqual(JSON.parse(body));
    }
  });

  test("when one of several signatures in the header is right, as while a secret is rotated", async () => {
    const hex = "0".repeat(64);
    const stripe = signed("stripe")["Stripe-Signature"] ?? "";
    expect(await verify({ "Stripe-Signature": stripe.replace(",v1=", `,v1=${hex},v0=${hex},v1=`) })).toBeDefined();

    const paymongo = signed()["X-Webhook-Signature"] ?? "";
    expect(await verify({ "X-Webhook-Signature": paymongo.replace(",te=", `,te=${hex},li=`) })).toBeDefined();

    const standard = signed("standard-webhooks");
    const old = signed("standard-webhooks", { secret: otherSecret })["webhook-signature"] ?? "";
    const both = `${old} v1a,anything ${standard["webhook-signature"]}`;
    expect(await verify({ ...standard, "webhook-signature": both })).toBeDefined();
  });
});

describe("the mode of a PayMongo signature", () => {
  const inTest = signed()["X-Webhook-Signature"] ?? "";
  const inLive = inTest.replace(/te=(\w+),li=/, "te=,li=$1");

  test("is free unless one is asked for", async () => {
    for (const value of [inTest, inLive]) expect(await verify({ "X-Webhook-Signature": value })).toBeDefined();
    expect(await verify({ "X-Webhook-Signature": inTest }, body, { mode: "test" })).toBeDefined();
    expect(await verify({ "X-Webhook-Signature": inLive }, body, { mode: "live" })).toBeDefined();
  });

  test("is refused where it is the other one, with the likely cause", async () => {
    const refused = await refusal(verify({ "X-Webhook-Signature": inLive }, body, { mode: "test" }));
    expect(refused).toMatch(/^WEBHOOK_VERIFICATION_FAILED: .* no signature of the test mode.*set up in the other/);
    expect(await refusal(verify({ "X-Webhook-Signature": inTest }, body, { mode: "live" }))).toMatch(
      /of the live mode/,
    );
  });
});

describe("a webhook is refused", () => {
  test.each(["paymongo", "stripe", "standard-webhooks"] as const)(
    "when its body, its stamp or its secret is another one (%s)",
    async (scheme) => {
      const wrong = /^WEBHOOK_VERIFICATION_FAILED: .*matches this body and secret.*another merchant's secret/;
      const restamped: Record<string, string> = {};
      for (const [name, value] of Object.entries(signed(scheme)))
        restamped[name] = value.replace("1767225600", "1767225601");

      expect(await refusal(verify(signed(scheme), body.replace("evt_1", "evt_2")))).toMatch(wrong);
      expect(await refusal(verify(restamped))).toMatch(wrong);
      expect(await refusal(verify(signed(scheme, { secret: otherSecret })))).toMatch(wrong);
    },
  );

  test("when the id that Standard Webhooks signs was changed", async () => {
    const renamed = { ...signed("standard-webhooks"), "webhook-id": "evt_2" };
    expect(await refusal(verify(renamed))).toMatch(/matches this body/);
  });

  test("when it has no signature, naming the headers that it has", async () => {
    expect(await refusal(verify({ "content-type": "application/json" }))).toMatch(
      /^WEBHOOK_VERIFICATION_FAILED: verifyWebhook: the request has no signature. Looked for: X-Webhook-Signature, Stripe-Signature, webhook-signature. The request has: content-type/,
    );
    expect(await refusal(verify(signed("stripe"), body, { scheme: "paymongo" }))).toMatch(
      /no signature. Looked for: X-Webhook-Signature. The request has: stripe-signature/,
    );
    const { "webhook-signature": signature = "" } = signed("standard-webhooks");
    expect(await refusal(verify({ "webhook-signature": signature }))).toMatch(/but not webhook-id/);
  });

  test.each([
    ["X-Webhook-Signature", "", /malformed.*""/],
    ["X-Webhook-Signature", "te=00,li=", /malformed/],
    ["X-Webhook-Signature", "t=1767225600,te=,li=", /malformed/],
    ["X-Webhook-Signature", "t=soon,te=00,li=", /malformed.*t=<unix seconds>,te=<hex>,li=<hex>/],
    ["Stripe-Signature", "t=1767225600", /malformed.*t=<unix seconds>,v1=<hex>/],
    ["webhook-signature", "v2,AAAA", /malformed.*v1,<base64>/],
  ])("when %s reads %j", async (name, value, message) => {
    const companions = { "webhook-id": "evt_1", "webhook-timestamp": "1767225600" };
    expect(await refusal(verify({ ...companions, [name]: value }))).toMatch(message);
  });

  test("beyond the tolerance, saying which side and by how much, and not at its edge", async () => {
    const at = (offset: number, tolerance?: number) =>
      refusal(verify(signed(), body, { now: timestamp + offset * 1000, tolerance }));
    expect(await at(300)).toBe("accepted");
    expect(await at(-300)).toBe("accepted");
    expect(await at(301)).toMatch(/301 s old, 1 s more than the tolerance of 300 s/);
    expect(await at(-312)).toMatch(/312 s in the future, 12 s more/);
    expect(await at(61, 60)).toMatch(/tolerance of 60 s/);
    expect(await at(86_400, Infinity)).toBe("accepted");
  });

  test.each([
    ["", /not JSON/],
    ["{", /not JSON/],
    ["[]", /not a JSON object/],
    ["null", /not a JSON object/],
  ])("when its body is %j, however well it is signed", async (text, message) => {
    const headers = signWebhook({ scheme: "paymongo", secret, body: text, eventId: "evt_1", timestamp });
    expect(await refusal(verify(headers, text))).toMatch(message);
  });

  test("when its body was parsed or read before, with the way to get the raw one", async () => {
    const parsed = { headers: signed(), body: JSON.parse(body) as string };
    expect(await refusal(verifyWebhook(parsed, secret))).toMatch(/written again.*express\.raw/);

    const request = new Request("https://shop.example/hooks", { method: "POST", headers: signed(), body });
    await request.json();
    expect(await refusal(verifyWebhook(request, secret))).toMatch(/read already.*Verify first/);
  });
});

describe("an option that cannot be used is refused as such", () => {
  test.each([
    ["an empty secret", "", {}, /^INVALID_OPTION: .*secret is empty.*environment variable/],
    [
      "a negative tolerance",
      secret,
      { tolerance: -1 },
      /^INVALID_OPTION: verifyWebhook: the option tolerance is -1\. It takes a number of seconds/,
    ],
    [
      "a time that is none",
      secret,
      { now: "yesterday" },
      /^INVALID_OPTION: verifyWebhook: the option now is "yesterday"\. It takes milliseconds/,
    ],
    [
      "a scheme that is none",
      secret,
      { scheme: "strpe" as never },
      /^INVALID_OPTION: verifyWebhook: the option scheme is "strpe"; the nearest is "stripe"\. Known are paymongo, stripe/,
    ],
    [
      "a mode that is none",
      secret,
      { mode: "production" as never },
      /^INVALID_OPTION: verifyWebhook: the option mode is "production"\. Known are test, live/,
    ],
  ])("%s", async (_, key, options, message) => {
    expect(await refusal(verifyWebhook({ headers: signed(), body }, key, options))).toMatch(message);
  });

  test("a Standard Webhooks secret that is not base64", () => {
    expect(() => signed("standard-webhooks", { secret: "whsec_not base64!" })).toThrow(
      /^signWebhook: the webhook secret is not base64/,
    );
  });
});

test("what is refused is published with the reason, whatever the handler does with the error", async () => {
  const told: unknown[] = [];
  const listener = (message: unknown): void => void told.push(message);
  subscribe("centavo:refused-webhook", listener);
  await verifyWebhook({ headers: {}, body: { id: "evt_1" } as never }, "whsec_dGVzdA==").catch(() => undefined);
  unsubscribe("centavo:refused-webhook", listener);
  expect(told).toEqual([{ message: expect.stringContaining("not the raw text or bytes that were signed") as string }]);
});
