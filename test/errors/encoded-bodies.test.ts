import { request as httpRequest } from "node:http";
import zlib from "node:zlib";
import { createSimulator, replay } from "centavo";
import { serve } from "centavo/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Answer, answerOf } from "../merchant/answers.ts";
import { tokensOf } from "../merchant/requests.ts";

const sim = createSimulator();
const { access } = await tokensOf(sim);
const MEBIBYTE = 1_048_576;
const json = JSON.stringify({ amount: 10000 });

const encoders: Readonly<Record<string, (content: string | Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  "x-gzip": zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};
const codings = Object.entries(encoders);

async function send(coding: string, body: Buffer, to = sim): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${access}`,
    "content-type": "application/json",
    "content-encoding": coding,
  };
  return answerOf(await to.fetch("/api/payment-intent", { method: "POST", headers, body: new Uint8Array(body) }));
}

afterEach(() => vi.restoreAllMocks());

describe.for(codings)("a body in %s", ([coding, encode]) => {
  test("is read", async () => {
    expect(await send(coding, encode(json))).toMatchObject({ status: 200, body: { data: { amount: 10000 } } });
    expect((await send(coding.toUpperCase(), encode(json))).status).toBe(200);
  });

  test("is read through a socket, however it comes", async () => {
    await using server = await serve(sim);
    const status = await new Promise((resolve, reject) => {
      const outgoing = httpRequest(`${server.url}/api/payment-intent`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${access}`,
          "content-type": "application/json",
          "content-encoding": coding,
        },
      });
      outgoing.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
      for (const byte of encode(json)) outgoing.write(Buffer.of(byte));
      outgoing.end();
    });
    expect(status).toBe(200);
  });

  test("that ends too early is refused by the name of the coding", async () => {
    const answer = await send(coding, encode(json).subarray(0, -6));
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED_JSON" } });
    expect(JSON.stringify(answer.body)).toContain(`The body is not ${coding}, which its Content-Encoding names`);
  });

  test("that is plain text is refused by the name of the coding", async () => {
    const answer = await send(coding, Buffer.from(json));
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain("Content-Encoding");
  });

  test("may be as large as any other, and not larger", async () => {
    const padded = (size: number) => encode(json.padEnd(size));
    expect((await send(coding, padded(MEBIBYTE))).status).toBe(200);
    expect((await send(coding, padded(MEBIBYTE + 1))).status).toBe(413);
    expect((await send(coding, encode(Buffer.alloc(30 * MEBIBYTE)))).status).toBe(413);
  });
});

test("a body of no length has no coding", async () => {
  const answer = await send("gzip", Buffer.alloc(0));
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
});

test("identity is no coding", async () => {
  expect((await send("identity", Buffer.from(json))).status).toBe(200);
});

test.for(["compress", "gzip, br", "none", "__proto__", "constructor", "-".repeat(5000)])(
  "the coding %s is refused with those that are read",
  async (coding) => {
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
    const response = await sim.fetch("/api/payment-intent", {
      method: "POST",
      headers: { ...headers, "content-encoding": coding },
      body: json,
    });
    expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "gzip, deflate, br, zstd"]);
    expect(await response.text()).toContain("The Content-Encoding must be one of gzip, deflate, br and zstd, not ");
  },
);

test("an endpoint without a body takes any coding, as it takes any content type", async () => {
  const headers = { authorization: `Bearer ${access}`, "content-encoding": "compress" };
  const answer = await answerOf(await sim.fetch("/api/subscription/sub_1", { method: "DELETE", headers, body: "-" }));
  expect(answer).toMatchObject({ status: 404, body: { code: "SUBSCRIPTION_NOT_FOUND" } });
});

describe("where there is no node:zlib, as in a browser", () => {
  test.for(["gzip", "deflate"] as const)("%s is read, bounded and checked", async (coding) => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    const encode = encoders[coding] as (content: string | Buffer) => Buffer;
    expect((await send(coding, encode(json))).status).toBe(200);
    expect((await send(coding, encode(Buffer.alloc(30 * MEBIBYTE)))).status).toBe(413);
    expect((await send(coding, encode(json).subarray(0, -6))).status).toBe(400);
  });

  test("a coding that the platform lacks is refused", async () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    vi.stubGlobal("DecompressionStream", undefined);
    expect((await send("gzip", zlib.gzipSync(json))).status).toBe(415);
    vi.unstubAllGlobals();
  });
});

test("a recording replays encoded bodies, read and refused ones alike", async () => {
  const recorded = createSimulator();
  await tokensOf(recorded);
  const bodies = [
    ["gzip", zlib.gzipSync(json), 200],
    ["gzip", Buffer.from(json), 400],
    ["br", zlib.brotliCompressSync(Buffer.alloc(2 * MEBIBYTE)), 413],
    ["compress", Buffer.from(json), 415],
  ] as const;
  for (const [coding, body, status] of bodies) expect(await send(coding, body, recorded)).toMatchObject({ status });
  const again = await replay(structuredClone(recorded.recording()));
  expect(again.journal.digest()).toBe(recorded.journal.digest());
});
