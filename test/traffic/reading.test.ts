import { describe, expect, test } from "vitest";
import { CentavoError } from "centavo";
import { readTraffic } from "../../src/traffic/read-traffic.ts";
import { entry, har } from "./har.ts";

const read = (content: string | Uint8Array) => readTraffic(content, "shop.har");
const onlyExchange = (...args: Parameters<typeof entry>) => {
  const { exchanges, leftOut } = read(har(entry(...args)));
  expect(leftOut).toEqual([]);
  expect(exchanges).toHaveLength(1);
  return exchanges[0];
};
const whyLeftOut = (...args: Parameters<typeof entry>) => {
  const { exchanges, leftOut } = read(har(entry(...args)));
  expect(exchanges).toEqual([]);
  expect(leftOut.map(({ source }) => source)).toEqual(["shop.har, entry 1"]);
  return leftOut[0]?.why;
};
const base64 = (bytes: readonly number[] | string) => Buffer.from(bytes as never).toString("base64");

describe("an entry of a HAR file", () => {
  test("is a call with its answer", () => {
    expect(onlyExchange()).toEqual({
      source: "shop.har, entry 1",
      kind: "call",
      startedAt: "2026-11-27T09:00:00.000Z",
      request: {
        method: "POST",
        url: "https://sandbox.pay.example/api/checkout",
        headers: [["content-type", "application/json"]],
        body: '{"amount":49900}',
      },
      answer: { status: 201, headers: [["content-type", "application/json"]], body: '{"id":"cs_1"}' },
    });
  });

  test("that Centavo's recorder marks as a delivery is one", () => {
    expect(onlyExchange({ _centavo: { kind: "delivery" } })?.kind).toBe("delivery");
  });

  test("has its time in UTC, whichever zone it was written in", () => {
    expect(onlyExchange({ startedDateTime: "2026-11-27T10:30:00.123456+01:30" })?.startedAt).toBe(
      "2026-11-27T09:00:00.123Z",
    );
  });

  test("of HTTP/2 loses its pseudo headers", () => {
    const headers = [
      { name: ":method", value: "POST" },
      { name: ":authority", value: "sandbox.pay.example" },
      { name: "accept", value: "*/*" },
    ];
    const exchange = onlyExchange({
      request: { headers, httpVersion: "h2" },
      response: { headers: [{ name: ":status", value: "201" }] },
    });
    expect(exchange?.request.headers).toEqual([["accept", "*/*"]]);
    expect(exchange?.answer?.headers).toEqual([]);
  });

  test("whose header came several times has it several times", () => {
    const headers = [{ name: "Set-Cookie", value: "a=1\nb=2" }];
    expect(onlyExchange({ response: { headers } })?.answer?.headers).toEqual([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
  });

  test.for([0, -1])("with the status %d got no answer", (status) => {
    const exchange = onlyExchange({ response: { status, content: { size: 0, mimeType: "x-unknown" } } });
    expect(exchange).not.toHaveProperty("answer");
  });

  test("with a base64 body of text has its text", () => {
    const content = { size: 9, mimeType: "application/json", text: base64('{"é":1}'), encoding: "base64" };
    expect(onlyExchange({ response: { content } })?.answer?.body).toBe('{"é":1}');
  });

  test("with a binary body has none", () => {
    const content = { size: 4, mimeType: "image/png", text: base64([0x89, 0x50, 0xff, 0]), encoding: "base64" };
    expect(onlyExchange({ response: { content } })?.answer).not.toHaveProperty("body");
    const unsaved = { size: 4, mimeType: "image/png" };
    expect(onlyExchange({ response: { content: unsaved } })?.answer).not.toHaveProperty("body");
  });

  test("with a form as a list of parameters has the form", () => {
    const postData = {
      mimeType: "application/x-www-form-urlencoded",
      params: [
        { name: "grant_type", value: "client_credentials" },
        { name: "scope", value: "a b" },
      ],
    };
    expect(onlyExchange({ request: { postData } })?.request.body).toBe("grant_type=client_credentials&scope=a+b");
  });

  test("loses the fragment of its URL, which is never sent", () => {
    const url = "https://sandbox.pay.example/api/checkout?page=2#top";
    expect(onlyExchange({ request: { url } })?.request.url).toBe("https://sandbox.pay.example/api/checkout?page=2");
  });

  test.for<[what: string, given: Parameters<typeof entry>[0], why: string]>([
    ["came from the browser's cache", { _fromCache: "disk" }, "The browser answered it from its cache."],
    ["is a WebSocket", { _webSocketMessages: [] }, "It is a WebSocket."],
    ["goes to a WebSocket", { request: { url: "wss://pay.example/live" } }, "It is a WebSocket."],
    [
      "is another protocol",
      { request: { url: "chrome-extension://abc/page.js" } },
      "Its URL begins with chrome-extension:, which is not HTTP.",
    ],
    [
      "has no whole URL",
      { request: { url: "/api?token=verysecret1" } },
      'Its URL /api?… is not a whole URL, such as "https://api.pay.example/api/checkout".',
    ],
    ["opens a tunnel", { request: { method: "CONNECT" } }, "It is a CONNECT request, which is not for a service."],
    [
      "lacks the text of its answer",
      { response: { content: { size: 13, mimeType: "application/json" } } },
      "Its answer had a body of 13 bytes, which the recording does not have. Save the HAR file with content.",
    ],
    [
      "lacks the text of its request",
      { request: { postData: undefined } },
      "Its request had a body of 16 bytes, which the recording does not have.",
    ],
    [
      "has its body in another file",
      { response: { content: { size: 13, mimeType: "application/json", _file: "1.json" } } },
      'The body of its answer is in another file. Record with content: "embed", which puts bodies into the HAR file.',
    ],
    [
      "had a body that was too long for the recorder",
      { _centavo: { kind: "call", omitted: ["answer"] } },
      "The body of its answer was too long for the recorder, which left it out.",
    ],
    [
      "says base64, but is not",
      { response: { content: { size: 3, mimeType: "text/plain", text: "%%%", encoding: "base64" } } },
      "One of its bodies is marked as base64, but is not.",
    ],
    [
      "has no time",
      { startedDateTime: "yesterday" },
      'startedDateTime is no time in ISO 8601 with its zone, such as "2026-11-27T09:00:00.000Z".',
    ],
    [
      "has a status of no kind",
      { response: { status: 1000 } },
      "The status of its answer is 1000, and HTTP has 100 to 599.",
    ],
    ["has a status of another type", { response: { status: "201" } }, 'response.status is "201": it takes a number.'],
    [
      "has headers of another type",
      { request: { headers: "Cookie: session=verysecret1" } },
      'request.headers is "…": it takes a list.',
    ],
    [
      "has a header that HTTP does not allow",
      { request: { headers: [{ name: "x-a", value: "…" }] } },
      "The value of the header x-a of its request has characters that HTTP does not allow.",
    ],
    [
      "has a body of a hundred levels",
      { response: { content: { size: 200, mimeType: "application/json", text: "[".repeat(100) + "]".repeat(100) } } },
      "The body of its answer has more than 32 levels of objects and lists.",
    ],
  ])("that %s is left out, with the reason", ([, given, why]) => {
    expect(whyLeftOut(given)).toBe(why);
  });

  test.for([null, 7, "text", [], [[]], true, {}])("that is %j is left out, with the reason", (wrong) => {
    const { exchanges, leftOut } = read(har(entry(), wrong));
    expect(exchanges).toHaveLength(1);
    expect(leftOut).toEqual([{ source: "shop.har, entry 2", why: expect.stringMatching(/^\S.*\.$/) as string }]);
  });

  test("that has no request is left out, with the reason", () => {
    const { leftOut } = read(har({ ...entry(), request: undefined }));
    expect(leftOut).toEqual([{ source: "shop.har, entry 1", why: "request is missing." }]);
  });
});

describe("the entries of a file", () => {
  const at = (startedDateTime: string, url: string) => entry({ startedDateTime, request: { url } });

  test("come in the order of their time, and in that of the file when they began at once", () => {
    const { exchanges } = read(
      har(
        at("2026-11-27T09:00:02.000Z", "https://pay.example/c"),
        at("2026-11-27T09:00:01.000Z", "https://pay.example/a"),
        at("2026-11-27T10:00:01.000+01:00", "https://pay.example/b"),
      ),
    );
    expect(exchanges.map(({ request }) => request.url)).toEqual([
      "https://pay.example/a",
      "https://pay.example/b",
      "https://pay.example/c",
    ]);
  });

  test("that say the same twice count once, and the second is told", () => {
    const { exchanges, leftOut } = read(har(entry(), entry({ time: 13 }), entry()));
    expect(exchanges.map(({ source }) => source)).toEqual(["shop.har, entry 1", "shop.har, entry 2"]);
    expect(leftOut).toEqual([{ source: "shop.har, entry 3", why: "It is the same as entry 1." }]);
  });

  test("may have any key", () => {
    const hostile = har(entry()).replace('"time"', '"__proto__":{"status":1,"polluted":true},"constructor":1,"time"');
    expect(read(hostile).exchanges).toEqual(read(har(entry())).exchanges);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("the encoding of a file", () => {
  const expected = read(har(entry({ request: { postData: { text: '{"name":"Peña"}' } } })));
  const text = har(entry({ request: { postData: { text: '{"name":"Peña"}' } } }));

  test.for<[name: string, content: string | Uint8Array]>([
    ["text with a byte order mark", `\uFEFF${text}`],
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16", Buffer.from(text, "utf16le")],
    ["UTF-16 with a byte order mark", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["UTF-16 of the other order", Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
  ])("may be %s", ([, content]) => {
    expect(read(content)).toEqual(expected);
  });

  test.for<[name: string, content: string | Uint8Array, message: string]>([
    ["Latin-1", Buffer.from(text, "latin1"), "shop.har is not written in UTF-8. Save it as UTF-8."],
    ["gzip", Buffer.from([0x1f, 0x8b, 8]), "shop.har is compressed with gzip. Unpack it first, such as with gunzip."],
    [
      "a zip archive",
      Buffer.from("PK\u0003\u0004"),
      "shop.har is a zip archive. Unpack it first; Playwright writes a plain HAR file when the path of recordHar ends in .har.",
    ],
    ["nothing", "", "shop.har is empty. calibrate takes HAR 1.2, or a JSON list of exchanges."],
    ["white space", " \n", "shop.har is empty. calibrate takes HAR 1.2, or a JSON list of exchanges."],
    [
      "half of the file",
      text.slice(0, 300),
      "shop.har ends in the middle of its JSON: what wrote it was stopped, or it was copied in part. Record it again.",
    ],
    ["no JSON", "{ verysecret1 }", "shop.har is not JSON. calibrate takes HAR 1.2, or a JSON list of exchanges."],
    [
      "other JSON",
      '{"token":"verysecret1"}',
      'shop.har is neither HAR 1.2, which is { "log": { "entries": [ … ] } }, nor a JSON list of exchanges.',
    ],
    [
      "a log without entries",
      '{"log":{"entries":{}}}',
      "shop.har has no list at log.entries, where HAR 1.2 has what was recorded. Save it from the developer tools again.",
    ],
  ])("%s is refused with what to do", ([, content, message]) => {
    const error = errorOf(() => read(content));
    expect(error).toMatchObject({ code: "INVALID_TRAFFIC", message });
    expect(error.cause).toBeUndefined();
  });

  test("of a file that is too large for JSON is refused with what to do", () => {
    expect(errorOf(() => read(new Uint8Array(300 * 1024 * 1024))).message).toBe(
      "shop.har has 300 MB, and a recording may have 256 MB. Record fewer pages, or only the calls to the payment service.",
    );
  });

  test("may nest without end", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    expect(errorOf(() => read(deep)).code).toBe("INVALID_TRAFFIC");
    expect(read(`{"log":{"entries":[${deep}]}}`).leftOut).toHaveLength(1);
    expect(read(har(entry()).replace('"cache":{}', `"cache":${deep}`)).exchanges).toHaveLength(1);
  });
});

describe("a plain list", () => {
  const plain = {
    startedAt: "2026-11-27T09:00:00Z",
    request: { method: "POST", url: "https://sandbox.pay.example/api/checkout", body: { amount: 49900 } },
    answer: {
      status: 201,
      headers: { "Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"] },
      body: '{"id":1}',
    },
  };
  const readList = (...entries: readonly unknown[]) => readTraffic(JSON.stringify(entries), "calls.json");

  test("has exchanges as people write them", () => {
    const { exchanges, leftOut } = readList(plain, {
      kind: "delivery",
      startedAt: "2026-11-27T09:00:01Z",
      request: { method: "POST", url: "https://shop.example/hooks" },
    });
    expect(leftOut).toEqual([]);
    expect(exchanges).toEqual([
      {
        source: "calls.json, entry 1",
        kind: "call",
        startedAt: "2026-11-27T09:00:00.000Z",
        request: {
          method: "POST",
          url: "https://sandbox.pay.example/api/checkout",
          headers: [],
          body: '{"amount":49900}',
        },
        answer: {
          status: 201,
          headers: [
            ["content-type", "application/json"],
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ],
          body: '{"id":1}',
        },
      },
      {
        source: "calls.json, entry 2",
        kind: "delivery",
        startedAt: "2026-11-27T09:00:01.000Z",
        request: { method: "POST", url: "https://shop.example/hooks", headers: [] },
      },
    ]);
  });

  test.for<[what: string, wrong: unknown, message: string]>([
    ["nothing", null, "it is null: it takes an object"],
    ["no time", { ...plain, startedAt: undefined }, "startedAt is missing"],
    ["a wrong time", { ...plain, startedAt: "yesterday" }, "startedAt is no time in ISO 8601 with its zone"],
    ["a wrong status", { ...plain, answer: { status: "201" } }, 'answer.status is "201": it takes a number'],
    ["a misspelt field", { ...plain, anwser: {} }, 'it has no field "anwser"; the nearest is "answer"'],
    ["a wrong kind", { ...plain, kind: "delivry" }, 'kind is "delivry": it takes one of "call", "delivery"'],
    [
      "a wrong header",
      { ...plain, request: { ...plain.request, headers: { authorization: 7 } } },
      "request.headers.authorization is 7: it takes",
    ],
    [
      "a path in place of a URL",
      { ...plain, request: { ...plain.request, url: "/api" } },
      "its URL /api is not a whole URL",
    ],
  ])("with %s names the entry, the field and the way out", ([, wrong, message]) => {
    const error = errorOf(() => readList(plain, wrong));
    expect(error.code).toBe("INVALID_TRAFFIC");
    expect(error.message).toContain(`calls.json, entry 2: ${message}`);
    expect(error.message).toContain("docs/guide/record.md");
  });

  test("with a body that nests without end is refused", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const list = JSON.stringify([plain]).replace('{"amount":49900}', deep);
    expect(errorOf(() => readTraffic(list, "calls.json")).message).toContain("too many levels");
  });
});

function errorOf(act: () => unknown): CentavoError {
  try {
    act();
  } catch (error) {
    if (error instanceof CentavoError) return error;
    throw error;
  }
  throw new Error("It threw nothing.");
}
