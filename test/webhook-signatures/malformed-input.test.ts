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
    ["names without values that are texts", [[name, 5]]],
    ["values without names", [[undefined, signature]]],
    ["a Map of objects", new Map([[name, {}]])],
    ["a Map whose names are objects", new Map([[{}, signature]])],
    ["a number as a value", { [name]: 5 }],
    ["nothing as a value", { [name]: null }],
    ["a list with a number in it", { [name]: [signature, 5] }],
    ["a list of lists", { [name]: [[signature]] }],
    ["a symbol as a value", { [name]: Symbol("signature") }],
    ["an iterator that is none", { [Symbol.iterator]: 5 }],
  ])("%s", async (_, headers) => {
    expect(await verify({ headers, body })).toEqual(
      refused("the headers cannot be read", "Pass a Headers, an object, or pairs"),
    );
  });

  test.each(unreadableValues)("with parts that throw %s", async (_, make) => {
    const odd = Object.defineProperty({}, name, throwing(make()));
    expect(await verify({ headers: odd, body })).toEqual(refused("the headers cannot be read"));
    expect(await verify({ headers: { [name]: make() }, body })).toEqual(refused("the headers cannot be read"));
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

test("a webhook that is none is refused", async () => {
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
