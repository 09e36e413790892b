import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Part, Row } from "../../src/report/reported-run.ts";
import { curlOf } from "../../src/server/inspector/page/curl.ts";
import { hostileTexts } from "../report/hostile-shop.ts";

const BASE = "http://127.0.0.1:4010/worlds/shop";

function rowOf(parts: readonly Part[], facts: Row["facts"], kind = "request"): Row {
  return {
    sequence: 1,
    at: "2026-01-01T00:00:00.000Z",
    kind,
    who: "merchant",
    text: "",
    label: "",
    from: "merchant",
    to: "service",
    tone: "plain",
    about: [],
    facts,
    parts,
  };
}

function requestOf(part: Partial<Part>, target = "/api/payment-intent", route = "payment-intent.create"): Row {
  return rowOf(
    [{ title: "Request", target, ...part }],
    [
      ["method", "POST"],
      ["path", target],
      ["route", route],
    ],
  );
}

/** Runs a command in a shell in which `curl` prints the words that it gets, each before a zero byte. */
function wordsOf(row: Row, variables: Readonly<Record<string, string>> = {}): readonly string[] {
  const { command = "" } = curlOf(row, BASE) ?? {};
  const printing = String.raw`curl() { for word in "$@"; do printf '%s\0' "$word"; done; }`;
  const printed = execFileSync("sh", ["-c", `${printing}\n${command}`], { encoding: "utf8", env: variables });
  return printed.split("\0").slice(0, -1);
}

test("a request becomes a command with its method, address, headers and body", () => {
  const words = wordsOf(
    requestOf({
      headers: [
        ["content-type", "application/json"],
        ["content-length", "20"],
        ["idempotency-key", "order-1"],
      ],
      body: '{\n  "amount": 49900\n}',
    }),
  );
  expect(words).toEqual([
    "--globoff",
    "--path-as-is",
    "--request",
    "POST",
    `${BASE}/api/payment-intent`,
    "--header",
    "content-type: application/json",
    "--header",
    "idempotency-key: order-1",
    "--data-raw",
    '{\n  "amount": 49900\n}',
  ]);
});

describe("secrets", () => {
  test("are variables of the shell, named by what they are", () => {
    const row = requestOf({
      headers: [["authorization", "Bearer [redacted]"]],
      body: '{\n  "clientSecret": "csec_fake_[redacted]",\n  "note": "it\'s $HOME"\n}',
    });
    expect(curlOf(row, BASE)?.command).toContain(`'authorization: Bearer '"$CENTAVO_TOKEN"`);
    const words = wordsOf(row, { CENTAVO_TOKEN: "a token", CENTAVO_CLIENT_SECRET: "$(touch /tmp/owned)" });
    expect(words).toContain("authorization: Bearer a token");
    expect(words.at(-1)).toBe('{\n  "clientSecret": "$(touch /tmp/owned)",\n  "note": "it\'s $HOME"\n}');
  });

  test("that are all of a header still say what kind of credential it is", () => {
    const headers = [["authorization", "[redacted]"]] as const;
    const variables = { CENTAVO_TOKEN: "a token", CENTAVO_CLIENT_CREDENTIALS: "c2hvcA==" };
    expect(wordsOf(requestOf({ headers }), variables)).toContain("authorization: Bearer a token");
    expect(wordsOf(requestOf({ headers }, "/oauth", "oauth.token"), variables)).toContain(
      "authorization: Basic c2hvcA==",
    );
  });

  test("of an address and of a form are, too", () => {
    expect(wordsOf(requestOf({}, "/pay/0a1b2c3d…"), { CENTAVO_SESSION_TOKEN: "0a1b2c3d-whole" })).toContain(
      `${BASE}/pay/0a1b2c3d-whole`,
    );
    const form = requestOf({
      headers: [["content-type", "application/x-www-form-urlencoded"]],
      body: "client_id = shop\nclient_secret = [redacted]\nscope = two\nlines",
    });
    expect(wordsOf(form, { CENTAVO_CLIENT_SECRET: "s&p" }).slice(-6)).toEqual([
      "--data-urlencode",
      "client_id=shop",
      "--data-urlencode",
      "client_secret=s&p",
      "--data-urlencode",
      "scope=two\nlines",
    ]);
  });
});

test.for([
  ...Object.entries(hostileTexts).filter(([name]) => name !== "control" && name !== "torn"),
  ["a quote", "'"],
  ["quotes and a way out", `'; touch /tmp/owned; '`],
  ["a substitution", "$(touch /tmp/owned) `touch /tmp/owned` ${HOME}"],
  ["a history expansion", "!! !$"],
  ["a backslash at the end", "\\"],
  ["line breaks", "one\ntwo\r\n\n three "],
  ["what curl would read as a file", "@/etc/passwd"],
] as const)("a shell hands %s over as it is", ([, text]) => {
  const row = requestOf({ headers: [["x-note", text]], body: text }, `/api/${text}?q=${text}`);
  const words = wordsOf(row);
  expect(words[4]).toBe(`${BASE}/api/${text}?q=${text}`);
  expect(words.slice(5)).toEqual(["--header", `x-note: ${text}`, "--data-raw", text]);
});

test("a body of one long word takes no longer than its length", () => {
  const body = "a".repeat(1_000_000);
  expect(curlOf(requestOf({ body }), BASE)?.command.endsWith(`--data-raw '${body}'`)).toBe(true);
});

test.for([
  ["@/etc/passwd", "=@/etc/passwd"],
  ["note@/etc/passwd", "=note@/etc/passwd"],
  ["@/etc/passwd\nnote = gift", "=@/etc/passwd"],
] as const)("curl takes the form %j for text, and reads no file", ([body, first]) => {
  const headers = [["content-type", "application/x-www-form-urlencoded"]] as const;
  const words = wordsOf(requestOf({ headers, body }));
  expect(words[words.indexOf("--data-urlencode") + 1]).toBe(first);
});

test("a header without a value and a HEAD request keep their meaning", () => {
  const row = rowOf(
    [{ title: "Request", headers: [["x-empty", ""]] }],
    [
      ["method", "HEAD"],
      ["path", "/api"],
    ],
  );
  expect(wordsOf(row)).toEqual(["--globoff", "--path-as-is", "--head", `${BASE}/api`, "--header", "x-empty;"]);
});

test("a body that was cut says that the command sends its beginning alone", () => {
  expect(curlOf(requestOf({ body: "{", cut: 10 }), BASE)?.warning).toMatch(/beginning alone/);
});

test("a delivery goes to the merchant, and an entry without a request has no command", () => {
  const sent = { title: "Request", headers: [["webhook-id", "evt_1"]] as const, body: "{}" };
  const delivery = rowOf([sent], [["url", "http://127.0.0.1:3000/hooks"]], "delivery");
  expect(wordsOf(delivery)).toEqual([
    "--globoff",
    "--path-as-is",
    "--request",
    "POST",
    "http://127.0.0.1:3000/hooks",
    "--header",
    "webhook-id: evt_1",
    "--data-raw",
    "{}",
  ]);
  expect(curlOf(rowOf([], [], "step"), BASE)).toBeUndefined();
});
