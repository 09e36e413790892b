import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { type Answer, answerOf } from "../merchant/answers.ts";
import { tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const sim = createSimulator();
const { access } = await tokensOf(sim);
const authorization = `Bearer ${access}`;
const MEBIBYTE = 1_048_576;

async function send(body: BodyInit | null, contentType: string | null = "application/json"): Promise<Answer> {
  const headers = { authorization, ...(contentType === null ? {} : { "content-type": contentType }) };
  const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
  return answerOf(await sim.fetch("/api/payment-intent", init));
}
const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);
const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
const fieldsOf = (count: number): string => Array.from({ length: count }, (_, index) => `"x${index}":1`).join(",");

describe("a body that is not a JSON object is refused", () => {
  test.each<[string, BodyInit | null, string | null, number, string]>([
    ["cut off", '{"amount":', "application/json", 400, "MALFORMED_JSON"],
    ["with a comma too many", '{"amount":1,}', "application/json", 400, "MALFORMED_JSON"],
    ["in single quotes", "{'amount':1}", "application/json", 400, "MALFORMED_JSON"],
    ["NaN", '{"amount":NaN}', "application/json", 400, "MALFORMED_JSON"],
    ["two of them", "{}{}", "application/json", 400, "MALFORMED_JSON"],
    ["a NUL between", '{"amount":\u00001}', "application/json", 400, "MALFORMED_JSON"],
    [
      "invalid UTF-8",
      bytes(...ascii('{"description":"'), 0xff, ...ascii('"}')),
      "application/json",
      400,
      "MALFORMED_JSON",
    ],
    [
      "an overlong UTF-8 slash",
      bytes(...ascii('{"description":"'), 0xc0, 0xaf, ...ascii('"}')),
      "application/json",
      400,
      "MALFORMED_JSON",
    ],
    [
      "a surrogate in UTF-8",
      bytes(...ascii('{"description":"'), 0xed, 0xa0, 0x80, ...ascii('"}')),
      "application/json",
      400,
      "MALFORMED_JSON",
    ],
    [
      "cut off inside a character",
      bytes(...ascii('{"description":"'), 0xe2, 0x82),
      "application/json",
      400,
      "MALFORMED_JSON",
    ],
    ["UTF-16", bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), "application/json", 400, "MALFORMED_JSON"],
    ["33 levels deep", nested(33), "application/json", 400, "MALFORMED_JSON"],
    ["10 001 fields and objects", `{"amount":1,${fieldsOf(9999)}}`, "application/json", 400, "MALFORMED_JSON"],
    [
      "10 001 fields in lists",
      `{"amount":1,"x":[${'{"a":1},'.repeat(9999)}0]}`,
      "application/json",
      400,
      "MALFORMED_JSON",
    ],
    ["as many fields as it has room for", `{${fieldsOf(90_000)}}`, "application/json", 400, "MALFORMED_JSON"],
    ["200 000 arrays deep", "[".repeat(200_000), "application/json", 400, "MALFORMED_JSON"],
    ["an array", "[]", "application/json", 400, "VALIDATION_ERROR"],
    ["null", "null", "application/json", 400, "VALIDATION_ERROR"],
    ["a number", "5", "application/json", 400, "VALIDATION_ERROR"],
    ["a text", '"{}"', "application/json", 400, "VALIDATION_ERROR"],
    ["empty", "", "application/json", 400, "VALIDATION_ERROR"],
    ["white space", " \n", "application/json", 400, "VALIDATION_ERROR"],
    ["missing", null, null, 400, "VALIDATION_ERROR"],
    ["a form", "amount=1", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["text", '{"amount":1}', "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["of no type", bytes(...ascii('{"amount":1}')), null, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["of an unreadable type", '{"amount":1}', ";;;", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["a multipart form", new FormData(), null, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ])("%s", async (_, body, contentType, status, code) => {
    const before = worldOf(sim);
    const answer = await send(body, contentType);
    expect([answer.status, answer.body["code"], answer.body["success"]]).toEqual([status, code, false]);
    expect(worldOf(sim)).toEqual(before);
  });

  test("what is wrong is told by its position, never by quoting the body", async () => {
    const { body } = await send('{"cvc": 123 "cardNumber": "4343434343434345"}');
    expect(body["message"]).toBe("The body is not valid JSON: at position 12 (line 1 column 13)");
  });
});

describe("a body is read", () => {
  test.each<[string, BodyInit, string]>([
    ["with a byte order mark", bytes(0xef, 0xbb, 0xbf, ...ascii('{"amount":1}')), "application/json"],
    ["with parameters behind its type", '{"amount":1}', "Application/JSON; charset=utf-8"],
    ["of a type that is JSON underneath", '{"amount":1}', "application/vnd.shop+json"],
    ["with the last of two equal keys counting", '{"amount":"x","amount":1}', "application/json"],
    [
      "with brackets inside its texts",
      JSON.stringify({ amount: 1, description: '[{"'.repeat(40) }),
      "application/json",
    ],
    ["of 10 000 fields and objects", `{"amount":1,${fieldsOf(9998)}}`, "application/json"],
    ["with more colons in a text", `{"amount":1,"x":"${":".repeat(20_000)}"}`, "application/json"],
    ["32 levels deep", `{"amount":1,"metadata":${nested(31)}}`, "application/json"],
    [
      "with NUL characters and lone surrogates in its texts",
      String.raw`{"amount":1,"description":"\u0000\ud800"}`,
      "application/json",
    ],
  ])("%s", async (_, body, contentType) => {
    expect((await send(body, contentType)).status).toBe(200);
  });

  test("texts come back unchanged, whatever characters they hold", async () => {
    const description = '\u0000\ud800 ₱ 💳 \u2028 \\ "';
    const { body } = await send(JSON.stringify({ amount: 1, description }));
    expect((body["data"] as { description: string }).description).toBe(description);
  });

  test("of a request that breaks off is not answered", async () => {
    const before = sim.snapshot();
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("connection lost")) });
    await expect(send(broken)).rejects.toThrow("connection lost");
    expect(sim.snapshot()).toEqual(before);
  });
});

describe("a body larger than 1 MiB is refused", () => {
  const padded = (length: number): string => `{"amount":1}${" ".repeat(length - 12)}`;

  test("by one byte, and not one of exactly 1 MiB", async () => {
    expect((await send(padded(MEBIBYTE))).status).toBe(200);
    expect((await send(padded(MEBIBYTE + 1))).body["code"]).toBe("BODY_TOO_LARGE");
  });

  test("counting bytes, not characters", async () => {
    expect((await send(`{"amount":1,"description":"${"₱".repeat(400_000)}"}`)).status).toBe(413);
  });

  test("when it is 10 MiB in memory", async () => {
    expect((await send(new Uint8Array(10 * MEBIBYTE))).status).toBe(413);
  });

  test("when it never ends, without reading on", async () => {
    let chunks = 0;
    let canceled = false;
    const endless = new ReadableStream({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => {
        canceled = true;
      },
    });
    expect((await send(endless)).status).toBe(413);
    expect(chunks).toBeLessThan(20);
    expect(canceled).toBe(true);
  });

  test("after the credential, which is told first", async () => {
    const response = await sim.fetch("/api/payment-intent", { method: "POST", body: new Uint8Array(2 * MEBIBYTE) });
    expect(response.status).toBe(401);
  });

  test.each([true, false])(
    "when 10 MiB come through a socket (chunked: %s), and the connection lives on",
    async (chunked) => {
      await using server = await serve(sim);
      const large = new Uint8Array(10 * MEBIBYTE);
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization,
          "content-type": "application/json",
          ...(chunked ? {} : { "content-length": large.length }),
        };
        const outgoing = httpRequest(`${server.url}/api/payment-intent`, { method: "POST", headers }, (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode);
        });
        outgoing.on("error", reject);
        for (let offset = 0; offset < large.length; offset += MEBIBYTE)
          outgoing.write(large.subarray(offset, offset + MEBIBYTE));
        outgoing.end();
      });
      expect(status).toBe(413);
      const after = await fetch(`${server.url}/api/payment-intent`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: '{"amount":1}',
      });
      expect(after.status).toBe(200);
    },
  );
});
