import { describe, expect, test } from "vitest";
import { TrafficRedaction } from "../../src/traffic/redaction.ts";

const SECRET = "s3cr3tValue0fTheRun42";
const JWT = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzaG9wIn0.c2lnbmF0dXJl";
const CARD = "4242424242424242";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

/** Redacts a call whose parts are given. */
function redacted(
  { url = "https://pay.example/api", headers = {}, body }: { url?: string; headers?: object; body?: string },
  redaction = new TrafficRedaction(),
) {
  const { request } = redaction.exchange({
    source: "a test",
    kind: "call",
    startedAt: "2026-11-27T09:00:00.000Z",
    request: { method: "POST", url, headers: Object.entries(headers), ...(body !== undefined && { body }) },
  });
  return request;
}
const header = (name: string, value: string) => redacted({ headers: { [name]: value } }).headers[0]?.[1];
const body = (text: string, type?: string) =>
  redacted({ body: text, headers: type === undefined ? {} : { "content-type": type } }).body;

describe("a header", () => {
  test.for<[name: string, value: string, expected: string]>([
    ["authorization", `Bearer ${SECRET}`, "Bearer redacted-token-1"],
    ["authorization", SECRET, "redacted-token-1"],
    ["authorization", basic(`shop:${SECRET}`), basic("shop:redacted-secret-1")],
    ["authorization", basic("sk_test_0123456789ab:"), basic("redacted-secret-1:")],
    ["proxy-authorization", `Digest ${SECRET}`, "Digest redacted-token-1"],
    ["cookie", `theme=dark; sid=${SECRET}`, "theme=redacted-cookie-1; sid=redacted-cookie-2"],
    ["set-cookie", `sid=${SECRET}; Path=/; HttpOnly`, "sid=redacted-cookie-1; Path=/; HttpOnly"],
    ["x-api-key", SECRET, "redacted-key-1"],
    ["x-admin-key", "short", "redacted-key-1"],
    ["x-auth-token", SECRET, "redacted-token-1"],
    ["paymongo-signature", `t=1764234000,te=${"ab".repeat(32)},li=`, "t=1764234000,te=redacted-signature-1,li="],
    ["webhook-signature", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", "v1,redacted-signature-1"],
    [
      "referer",
      `https://shop.example/back?token=${SECRET}#top`,
      "https://shop.example/back?token=redacted-token-1#top",
    ],
    ["location", `/back?token=${SECRET}`, "/back?token=redacted-token-1"],
    ["x-note", `paid with ${CARD}`, "paid with redacted-card-1"],
    ["x-note", `user ${JWT}`, "user redacted-token-1"],
    ["x-auth", SECRET, "redacted-token-1"],
    ["authentication", `Bearer ${SECRET}`, "Bearer redacted-token-1"],
    ["authentication", SECRET, "redacted-token-1"],
    ["x-authentication", SECRET, "redacted-token-1"],
    ["x-session-id", SECRET, "redacted-token-1"],
    ["x-auth-code", SECRET, "redacted-token-1"],
    ["x-api-pass", "hunter2", "redacted-password-1"],
  ])("%s: %s is written without its secret", ([name, value, expected]) => {
    expect(header(name, value)).toBe(expected);
  });

  test.for([
    ["idempotency-key", "0b5f3f5c-6a53-4b6e-9d7f-3b1c5f9a2e11"],
    ["content-type", "application/json; charset=utf-8"],
    ["date", "Fri, 27 Nov 2026 09:00:00 GMT"],
    ["webhook-id", "evt_1a2b3c4d5e6f"],
    ["webhook-timestamp", "1764234000"],
    ["retry-after", "30"],
    ["cache-control", "max-age=3600, private"],
    ["www-authenticate", 'Bearer realm="pay", error="invalid_token"'],
    ["authentication-results", "mx.pay.example; spf=pass"],
    ["x-bypass", "maintenance"],
    ["user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"],
  ] as const)("%s: %s stays", ([name, value]) => {
    expect(header(name, value)).toBe(value);
  });
});

describe("a URL", () => {
  test.for<[url: string, expected: string]>([
    ["https://pay.example/a?api_key=abc&page=2", "https://pay.example/a?api_key=redacted-key-1&page=2"],
    ["https://shop:hunter2@pay.example/a", "https://shop:redacted-password-1@pay.example/a"],
    [`https://${SECRET}@pay.example/a`, "https://redacted-secret-1@pay.example/a"],
    [
      `https://pay.example/a#access_token=${SECRET}&state=1`,
      "https://pay.example/a#access_token=redacted-token-1&state=1",
    ],
    [
      `https://pay.example/a?next=https%3A%2F%2Fshop.example%2F%3Ftoken%3D${SECRET}`,
      "https://pay.example/a?next=https%3A%2F%2Fshop.example%2F%3Ftoken%3Dredacted-token-1",
    ],
    ["https://pay.example/a?code=insufficient_funds", "https://pay.example/a?code=insufficient_funds"],
    [`https://pay.example/a?code=${SECRET}`, "https://pay.example/a?code=redacted-code-1"],
    [`https://pay.example/cards/${CARD}`, "https://pay.example/cards/redacted-card-1"],
    [`https://pay.example/cards/${CARD.replace("42", "%34%32")}`, "https://pay.example/cards/redacted-card-1"],
    [`https://pay.example/a;jsessionid=${SECRET}/b`, "https://pay.example/a;jsessionid=redacted-token-1/b"],
    [
      "https://pay.example/api/checkout/cs_1a2b3c?from=2026-11-01T00:00:00Z&limit=20",
      "https://pay.example/api/checkout/cs_1a2b3c?from=2026-11-01T00:00:00Z&limit=20",
    ],
  ])("%s is written without its secret", ([url, expected]) => {
    expect(redacted({ url }).url).toBe(expected);
  });
});

describe("a body", () => {
  test.for<[what: string, given: string, expected: string, type?: string]>([
    ["JSON", `{"accessToken":"${SECRET}","expiresIn":3600}`, '{"accessToken":"redacted-token-1","expiresIn":3600}'],
    ["JSON with spaces", `{ "client_secret" : "${SECRET}" }`, '{ "client_secret" : "redacted-secret-1" }'],
    [
      "a token response",
      `{"token_type":"Bearer","token":"${JWT}"}`,
      '{"token_type":"Bearer","token":"redacted-token-1"}',
    ],
    ["JSON at depth", `{"a":[{"b":{"password":"x"}}]}`, '{"a":[{"b":{"password":"redacted-password-1"}}]}'],
    [
      "an object of a secret",
      `{"token":{"type":"Bearer","value":"abc"}}`,
      '{"token":{"type":"Bearer","value":"redacted-token-1"}}',
    ],
    ["a list of secrets", `{"tokens":["abc","def"]}`, '{"tokens":["redacted-token-1","redacted-token-2"]}'],
    [
      "an object of secrets whose names end in a word",
      `{"tokens":{"admin":"abc","prototype":"def"},"apiKeys":{"main":"ghi"},"credentials":{"plain":"jkl"}}`,
      '{"tokens":{"admin":"redacted-token-1","prototype":"redacted-token-2"},"apiKeys":{"main":"redacted-key-1"},"credentials":{"plain":"redacted-secret-1"}}',
    ],
    [
      "fields that are nearly harmless",
      `{"previousApiKey":"a","nextRefreshToken":"b","publicAccessToken":"c","primaryKey":"d","apiKeyAccount":"e"}`,
      '{"previousApiKey":"redacted-key-1","nextRefreshToken":"redacted-token-1","publicAccessToken":"redacted-token-2","primaryKey":"redacted-key-2","apiKeyAccount":"redacted-key-3"}',
    ],
    [
      "a field with a long name",
      `{"data[attributes]${"[of_the_order]".repeat(9)}[client_secret]":"a","client_secret_${"of_the_order".repeat(9)}":"b"}`,
      `{"data[attributes]${"[of_the_order]".repeat(9)}[client_secret]":"redacted-secret-1","client_secret_${"of_the_order".repeat(9)}":"redacted-secret-2"}`,
    ],
    [
      "JSON in JSON",
      JSON.stringify({ raw: `{"secret":"${SECRET}"}` }),
      '{"raw":"{\\"secret\\":\\"redacted-secret-1\\"}"}',
    ],
    [
      "a URL in JSON",
      `{"url":"https://p.example/?token=${SECRET}"}`,
      '{"url":"https://p.example/?token=redacted-token-1"}',
    ],
    [
      "a card number as text",
      `{"number":"4242 4242 4242 4242","amount":49900}`,
      '{"number":"redacted-card-1","amount":49900}',
    ],
    ["a card number as a number", `{"number":${CARD},"amount":49900}`, '{"number":0,"amount":49900}'],
    ["a card number with a fraction", `{"n":${CARD}.0,"m":-${CARD}}`, '{"n":0,"m":0}'],
    ["a card number with an exponent", '{"n":4.242424242424242e15}', '{"n":0}'],
    ["a card number in parts", `{"n":["4242","4242","4242","4242"],"a":[1,2]}`, '{"n":["redacted"],"a":[1,2]}'],
    ["a card code", `{"cvc":"123","cvv2":123}`, '{"cvc":"redacted-card-1","cvv2":0}'],
    ["JSON that was cut", `{"a":1,"secret":"${SECRET}`, '{"a":1,"secret":"redacted-secret-1"'],
    [
      "JSON in lines",
      `{"secret":"abc1"}\n{"secret":"abc2"}`,
      '{"secret":"redacted-secret-1"}\n{"secret":"redacted-secret-2"}',
    ],
    ["a log", `[info] password=hunter2 done`, "[info] password=redacted-password-1 done"],
    [
      "a form",
      `grant_type=refresh_token&refresh_token=${SECRET}`,
      "grant_type=refresh_token&refresh_token=redacted-token-1",
    ],
    [
      "a form with brackets",
      `card[number]=4242+4242+4242+4242&card[cvc]=123`,
      "card[number]=redacted-card-1&card[cvc]=redacted-card-2",
    ],
    ["a sentence", `The header was Bearer ${SECRET}, sorry.`, "The header was Bearer redacted-token-1, sorry."],
    ["XML", `<a><Password>x1</Password><id>7</id></a>`, "<a><Password>redacted-password-1</Password><id>7</id></a>"],
    [
      "HTML",
      `<form><input name="csrf_token" value="abc"></form>`,
      '<form><input name="csrf_token" value="redacted-token-1"></form>',
    ],
    [
      "a multipart form",
      `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${SECRET}\r\n--b--\r\n`,
      '--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\nredacted-secret-1\r\n--b--\r\n',
      "multipart/form-data; boundary=b",
    ],
    [
      "a multipart form without quotes",
      `--b\r\nContent-Disposition: form-data; filename=a; name=client_secret\r\n\r\n${SECRET}\r\n--b--\r\n`,
      "--b\r\nContent-Disposition: form-data; filename=a; name=client_secret\r\n\r\nredacted-secret-1\r\n--b--\r\n",
      "multipart/form-data; boundary=b",
    ],
    [
      "XML with content as it is",
      "<a><password><![CDATA[x]1]]></password>\n<note><![CDATA[plain]]></note></a>",
      "<a><password><![CDATA[redacted-password-1]]></password>\n<note><![CDATA[plain]]></note></a>",
    ],
    [
      "XML with an element in a secret one",
      "<a><secret>\n  <ns:value>x1</ns:value>\n  <type>plain</type><br/>y2</secret><value>z3</value></a>",
      "<a><secret>\n  <ns:value>redacted-secret-1</ns:value>\n  <type>plain</type><br/>redacted-secret-2</secret><value>z3</value></a>",
    ],
    [
      "XML with comments and ends without a beginning",
      "<a><!-- x --><password><!-- y -->x1</b></password><id>7</id></a>",
      "<a><!-- x --><password><!-- y -->redacted-password-1</b></password><id>7</id></a>",
    ],
    [
      "HTML with several names",
      `<input id="f1" name="csrf_token" value="abc"><input type=password value='x 1'><add key="ApiKey" value="def"/>`,
      `<input id="f1" name="csrf_token" value="redacted-token-1"><input type=password value='redacted-password-1'><add key="ApiKey" value="redacted-key-1"/>`,
    ],
    [
      "HTML without quotes",
      "<form><input name=csrf_token value=abc><input name=id value=abc></form>",
      "<form><input name=csrf_token value=redacted-token-1><input name=id value=abc></form>",
    ],
    [
      "HTML with a secret attribute",
      `<login password="my secret pass 1" user="me" data-state="{&quot;token&quot;:&quot;a b 1&quot;}">`,
      `<login password="redacted-password-1" user="me" data-state="{&quot;token&quot;:&quot;redacted-token-1&quot;}">`,
    ],
    [
      "JSONP",
      `callback({"password":"my \\"secret\\" pass","note":"it is fine"})`,
      'callback({"password":"redacted-password-1","note":"it is fine"})',
    ],
    [
      "a script with JSON in a string",
      String.raw`load("{\"secret\":\"my pass 1\",\"note\":\"it is fine\"}")`,
      String.raw`load("{\"secret\":\"redacted-secret-1\",\"note\":\"it is fine\"}")`,
    ],
    ["a log with a pair in another", `msg="its token=abc1 is old"`, `msg="its token=redacted-token-1 is old"`],
    ["a log with a quote that does not end", `password="hunter2 and more`, `password="redacted-password-1 and more`],
    [
      "a private key",
      "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----",
      "redacted-secret-1-----END PRIVATE KEY-----",
    ],
  ])("of %s is written without its secret", ([, given, expected, type]) => {
    expect(body(given, type)).toBe(expected);
  });

  test.for([
    '{"id":"pi_1","amount":49900,"rate":1.50,"big":123456789012345678901,"at":"2026-11-27T09:00:00.123456+00:00"}',
    '{"error":{"code":"invalid_token","message":"Invalid access token: expired"}}',
    '{"errors":{"client_secret":["is required"],"token":"must not be empty"}}',
    '{"a":1,"a":2,"__proto__":{"x":"\\u00e9"}}',
    '{"data":{"nextPageToken":"abcdefgh1234","hasMore":true}}',
    '{"token":{"id":"tok_1","type":"bearer","tokenType":"card","expires_at":"soon","createdAt":"now","userId":"cus_1"}}',
    '{"prev_cursor":"abcdefgh1234","page_token":"abcdefgh1234","idempotency_key":"order-7","publicKey":"abcdefgh1234"}',
    '{"rate":0.4242424242424242,"count":4242.4242424242424242,"at":1764234000000.5,"small":4.242424242424242e-7}',
    `{"${"the_total_of_the_order_".repeat(9)}":"abcdefgh1234"}`,
    `${"QUJD".repeat(40)}==`,
    "amount=49900&currency=PHP",
    '{"timestamps":[1764234000000,1764234000001]}',
  ])("of %s stays, byte for byte", (text) => {
    expect(body(text)).toBe(text);
  });
});

describe("the stand-in of a secret", () => {
  test("is the same wherever the secret stands", () => {
    const redaction = new TrafficRedaction();
    const first = redacted({ body: `{"access_token":"${SECRET}"}` }, redaction);
    const second = redacted(
      {
        url: `https://pay.example/a/${SECRET}?x=${SECRET}`,
        headers: { authorization: `Bearer ${SECRET}`, "x-odd": `[${SECRET}]` },
        body: `it is ${SECRET}`,
      },
      redaction,
    );
    expect(first.body).toBe('{"access_token":"redacted-token-1"}');
    expect(second).toMatchObject({
      url: "https://pay.example/a/redacted-token-1?x=redacted-token-1",
      headers: [
        ["authorization", "Bearer redacted-token-1"],
        ["x-odd", "[redacted-token-1]"],
      ],
      body: "it is redacted-token-1",
    });
  });

  test("differs from that of another secret", () => {
    const redaction = new TrafficRedaction();
    expect(redacted({ headers: { authorization: "Bearer one-secret" } }, redaction).headers[0]?.[1]).toBe(
      "Bearer redacted-token-1",
    );
    expect(redacted({ headers: { authorization: "Bearer two-secret" } }, redaction).headers[0]?.[1]).toBe(
      "Bearer redacted-token-2",
    );
  });

  test("stands in odd places of the same exchange, whichever comes first", () => {
    const { url, body: text } = redacted({
      url: `https://pay.example/a/${SECRET}`,
      body: `{"session_token":"${SECRET}"}`,
    });
    expect([url, text]).toEqual(["https://pay.example/a/redacted-token-1", '{"session_token":"redacted-token-1"}']);
  });

  test("is found later for what was redacted before the secret was known", () => {
    const redaction = new TrafficRedaction();
    const exchange = {
      source: "a test",
      kind: "call" as const,
      startedAt: "2026-11-27T09:00:00.000Z",
      request: { method: "GET", url: `https://pay.example/a/${SECRET}`, headers: [] },
    };
    const before = redaction.exchange(exchange);
    const { met } = redaction;
    redacted({ headers: { authorization: `Bearer ${SECRET}` } }, redaction);
    expect(redaction.met).toBeGreaterThan(met);
    expect(redaction.again(before).request.url).toBe("https://pay.example/a/redacted-token-1");
  });

  test("stands for fields that the user names", () => {
    const redaction = new TrafficRedaction(["X-Shop-Pin", "mandate"]);
    const { headers, body: text } = redacted({ headers: { "x-shop-pin": "12" }, body: '{"mandate":"ab"}' }, redaction);
    expect(headers).toEqual([["x-shop-pin", "redacted-secret-1"]]);
    expect(text).toBe('{"mandate":"redacted-secret-2"}');
  });
});
