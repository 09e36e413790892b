import { CentavoError, signWebhook, verifyWebhook } from "centavo/webhooks";
import { describe, expect, test } from "vitest";
import { unreadableValues } from "../thrown-values.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const timestamp = Date.parse("2026-01-01T00:00:00Z");
const body = JSON.stringify({ id: "evt_1" });
const name = "X-Webhook-Signature";
const signature = signWebhook({ scheme: "paymongo", secret, body, eventId: "evt_1", timestamp })[name] ?? "";

async function verify(webhook: unknown): Promise<unknown> {
  return verifyWebhook(webhook as Request, secret, { now: timestamp }).catch((error: unknown) => error);
}

function refused(...words: string[]): unknown {
  return expect.objectContaining({
    code: "WEBHOOK_VERIFICATION_FAILED",
    message: expect.stringMatching(words.join(".*")) as unknown,
  });
}

const throwing = (value: unknown) => ({
  enumerable: true,
  get: () => {
    throw value;
  },
});

describe("headers that are none are refused", () => {
  test.each([undefined, null, "text", 5, Symbol("headers"), () => undefined])("%o", async (headers) => {
    const outcome = await verify({ headers, body });
    expect(outcome).toBeInstanceOf(CentavoError);
    expect(outcome).toEqual(refused("verifyWebhook: the webhook has no headers"));
  });

  test.each<[string, unknown]>([
    ["an array of numbers", [1, 2]],
    ["an array of nothing", [undefined, null]],
    ["names and values that are not in pairs", [name, signature]],
    ["an iterator that is none", { [Symbol.iterator]: 5 }],
    ["a list of names that throws", new Proxy({}, { ownKeys: throwing(new Error("no names")).get })],
    [
      "a getter that throws",
      {
        get: () => {
          throw new Error("no headers");
        },
      },
    ],
  ])("%s", async (_, headers) => {
    expect(await verify({ headers, body })).toEqual(
      refused("the headers cannot be read", "Pass a Headers, an object, or pairs"),
    );
  });

  test.each<[string, unknown]>([
    ["values without names", [[undefined, signature]]],
    ["a Map whose names are objects", new Map([[{}, signature]])],
    ["nothing as a value", { [name]: null, cookie: undefined }],
    ["an empty list as a value", { [name]: [] }],
    ["a getter that finds nothing", { get: () => null }],
  ])("%s", async (_, headers) => {
    expect(await verify({ headers, body })).toEqual(
      refused("the request has no signature. Looked for: X-Webhook-Signature", "no headers at all"),
    );
  });

  test.each(unreadableValues)("with parts that throw %s", async (_, make) => {
    const odd = Object.defineProperty({}, name, throwing(make()));
    expect(await verify({ headers: odd, body })).toEqual(refused("the headers cannot be read"));
    expect(await verify({ headers: { [name]: make() }, body })).toEqual(
      refused("the header( X-Webhook-Signature is|s cannot be read)"),
    );
    const unread = Object.defineProperty({ [name]: signature }, "cookie", throwing(make()));
    expect(await verify({ headers: unread, body })).toEqual({ id: "evt_1" });
    expect(await verify(Object.defineProperty({ body }, "headers", throwing(make())))).toEqual(
      refused("the webhook cannot be read"),
    );
    expect(await verify(Object.defineProperty({ headers: {} }, "body", throwing(make())))).toEqual(
      refused("the webhook cannot be read"),
    );
    expect(await verify({ headers: { [name]: signature }, body: make() })).toEqual(refused("the body is an object"));
    expect(await verify({ headers: {}, arrayBuffer: () => Promise.reject(make()) })).toEqual(
      refused("body cannot be read"),
    );
  });
});

describe("the header of the signature must be text", () => {
  test.each<[string, unknown]>([
    ["a number", 5],
    ["true", true],
    ["an object", { 0: signature }],
    ["a list with a number in it", [signature, 5]],
    ["a list of lists", [[signature]]],
    ["a symbol", Symbol("signature")],
    ["bytes", Buffer.from(signature)],
    ["a function", () => signature],
    ["a promise", Promise.resolve(signature)],
  ])("%s is refused", async (_, value) => {
    for (const headers of [{ [name]: value }, [[name, value]], new Map([[name, value]]), { get: () => value }])
      expect(await verify({ headers, body })).toEqual(refused("the header X-Webhook-Signature is", "must be text"));
  });
});

test("a value that is not a webhook is refused", async () => {
  for (const webhook of [undefined, null, "text", 5, Symbol("webhook")])
    expect(await verify(webhook)).toEqual(refused("verifyWebhook: the webhook is", "Pass a Request"));
});

test("a Map of texts is read like pairs, and names that no header has are left alone", async () => {
  const headers = new Map([
    ["no header, with spaces\n", "x"],
    ["", "y"],
    ["__proto__", "z"],
    [name, signature],
  ]);
  expect(await verify({ headers, body })).toEqual({ id: "evt_1" });
});
