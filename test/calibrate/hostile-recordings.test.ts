import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calibrate } from "centavo/calibrate";
import { CentavoError } from "centavo";
import { beforeAll, describe, expect, test } from "vitest";
import { calibrateFiles } from "../../src/cli/calibrate.ts";
import { contradictions } from "../contract/contradictions.ts";
import { entry, har } from "../traffic/har.ts";
import { recorded } from "./recorded.ts";

contradictions.isPaused = true;

const URL_OF_INTENTS = "https://sandbox.pay.example/api/payment-intent";
/** The answer of the service to a call without a token. */
const unauthorized = {
  success: false,
  message: "The header Authorization is missing",
  code: "UNAUTHORIZED",
};

/** A call without a token, and its answer. */
function refusal({ request = {}, response = {}, ...others }: Parameters<typeof entry>[0] = {}) {
  const text = JSON.stringify(unauthorized);
  return entry({
    request: { url: URL_OF_INTENTS, ...request },
    response: { status: 401, content: { size: text.length, mimeType: "application/json", text }, ...response },
    ...others,
  });
}

const calibrated = async (...entries: readonly unknown[]) =>
  calibrate([{ name: "shop.har", content: har(...entries) }]);

async function refused(recordings: unknown): Promise<CentavoError> {
  const error: unknown = await calibrate(recordings as never).catch((thrown: unknown) => thrown);
  if (error instanceof CentavoError) return error;
  throw new Error(`This is not a refusal: ${JSON.stringify(error)}`);
}

describe("the calls of a strange recording", () => {
  test("are played although HTTP/2 writes pseudo headers, in the order of their time, and once each", async () => {
    const headers = [
      { name: ":method", value: "POST" },
      { name: ":status", value: "401" },
      { name: "Content-Type", value: "application/json" },
    ];
    const late = refusal({ startedDateTime: "2026-11-27T09:00:05.000Z", request: { headers } });
    const { played, leftOut, drift } = await calibrated(late, refusal(), late);
    expect(drift).toEqual([]);
    expect(played).toBe(2);
    expect(leftOut).toEqual([{ source: "shop.har, entry 3", why: "It is the same as entry 1." }]);
  });

  test("count once when two files have them", async () => {
    const file = har(refusal());
    const { played, leftOut } = await calibrate([
      { name: "one.har", content: file },
      { name: "two.har", content: file },
    ]);
    expect(played).toBe(1);
    expect(leftOut).toEqual([{ source: "two.har, entry 1", why: "It is there twice." }]);
  });

  test("are compared without bodies that are binary or missing", async () => {
    const image = { size: 4, mimeType: "image/png", text: "iVD/AA==", encoding: "base64" };
    const { played, leftOut, drift } = await calibrated(
      refusal(),
      refusal({ startedDateTime: "2026-11-27T09:00:01.000Z", response: { content: image, headers: [] } }),
      refusal({
        startedDateTime: "2026-11-27T09:00:02.000Z",
        response: { content: { size: 0, mimeType: "" }, headers: [] },
      }),
    );
    expect({ played, leftOut }).toEqual({ played: 3, leftOut: [] });
    expect(drift.map(({ source }) => source)).toContain("shop.har, entry 2");
  });

  test("may have keys that programs stumble over, and bodies of 32 levels", async () => {
    const deep = `${'{"a":'.repeat(30)}1${"}".repeat(30)}`;
    const text = `{"success":false,"message":"The header Authorization is missing","code":"UNAUTHORIZED","__proto__":{"polluted":1},"constructor":1,"deep":${deep}}`;
    const { assumptions } = await calibrated(
      refusal({ response: { content: { size: text.length, mimeType: "application/json", text } } }),
    );
    expect({}).not.toHaveProperty("polluted");
    expect(Object.getPrototypeOf(assumptions)).toBe(Object.prototype);
  });

  test("are left out with the reason when they are none of the service, or no answer came", async () => {
    const { leftOut } = await calibrated(
      refusal(),
      refusal({ request: { url: "https://tracking.example/collect?key=verysecret1" } }),
      refusal({ time: 1, response: { status: 0 } }),
      refusal({ time: 2, request: { method: "OPTIONS" } }),
      refusal({ time: 3, request: { headers: 7 } }),
      7,
    );
    expect(leftOut).toEqual([
      { source: "shop.har, entry 5", why: "request.headers is 7: it takes a list." },
      { source: "shop.har, entry 6", why: expect.stringContaining("it takes an object") as string },
      { source: "shop.har, entry 2", why: "https://tracking.example/collect?… is of another service." },
      { source: "shop.har, entry 3", why: "No answer came." },
      { source: "shop.har, entry 4", why: "A CORS preflight (OPTIONS)." },
    ]);
  });
});

test("no secret of a recording is told, wherever it stands", async () => {
  const secrets = {
    query: "q7Kd82mLsPw0aZx1",
    cookie: "c7Kd82mLsPw0aZx2",
    form: "f7Kd82mLsPw0aZx3",
    nested: "n7Kd82mLsPw0aZx4",
    header: "h7Kd82mLsPw0aZx5",
    error: "e7Kd82mLsPw0aZx6",
    path: "p7Kd82mLsPw0aZx7",
    basic: "b7Kd82mLsPw0aZx8",
  };
  const text = JSON.stringify({
    wrong: `The api_key=${secrets.error} is not known, nor is ${secrets.form}`,
    details: { credentials: { session: { access_token: secrets.nested } }, form: [secrets.form, secrets.path] },
    echo: `${secrets.header} ${secrets.cookie} ${secrets.query} ${secrets.basic}`,
  });
  const found = await calibrated(
    refusal({
      request: {
        url: `https://sandbox.pay.example/oauth?api_key=${secrets.query}`,
        headers: [
          { name: "Content-Type", value: "application/x-www-form-urlencoded" },
          { name: "Cookie", value: `sid=${secrets.cookie}` },
          { name: "X-Merchant-Api-Key", value: secrets.header },
          { name: "Authorization", value: `Basic ${btoa(`shop:${secrets.basic}`)}` },
        ],
        postData: {
          mimeType: "application/x-www-form-urlencoded",
          text: `client_secret=${secrets.form}&session_token=${secrets.path}`,
        },
      },
      response: { content: { size: text.length, mimeType: "application/json", text } },
    }),
    refusal({ request: { method: "GET", url: `${URL_OF_INTENTS}/${secrets.path}/status` } }),
  );
  expect(found.drift.length + Object.keys(found.assumptions).length).toBeGreaterThan(0);
  const told = JSON.stringify(found);
  expect(Object.entries(secrets).filter(([, secret]) => told.includes(secret))).toEqual([]);
});

test("a recording without its secrets gives what the whole one gives", async () => {
  const assumptions = { "http.error-status": { VALIDATION_ERROR: 422 } } as const;
  const exchanges = await recorded(assumptions, async ({ call }) => {
    await call("POST", "/api/payment-intent", { amount: 0 });
  });
  const found = await calibrate(exchanges);
  expect(found.assumptions).toEqual(assumptions);
  expect(found.drift).toEqual([]);
});

describe("what is no recording is refused in a sentence", () => {
  const call = {
    source: "mine",
    kind: "call",
    startedAt: "2026-11-27T09:00:00Z",
    request: { method: "GET", url: URL_OF_INTENTS, headers: [] },
  };

  test.for<[what: string, recordings: unknown, message: string]>([
    ["a path", "shop.har", "calibrate takes a list of recordings."],
    [
      "an empty list",
      [],
      "calibrate: no call in these recordings is one to the payment service. They hold no call at all.",
    ],
    ["nothing", [null], "calibrate: recording 1 is neither a file, { name, content }, nor an exchange: it is null"],
    ["a file without a name", [{ content: "[]" }], "recording 1 is neither a file, { name, content }, nor an exchange"],
    [
      "headers as an object",
      [{ ...call, request: { ...call.request, headers: {} } }],
      "request.headers is an object: it takes a list",
    ],
    ["a wrong time", [call, { ...call, startedAt: "yesterday" }], "recording 2 is neither"],
    ["a wrong status", [{ ...call, answer: { status: "201", headers: [] } }], 'answer.status is "201"'],
    ["no JSON", [{ name: "shop.har", content: "{ verysecret1 }" }], "shop.har is not JSON."],
    ["no HAR", [{ name: "shop.har", content: '{"token":"verysecret1"}' }], "shop.har is neither HAR 1.2"],
    ["Latin-1", [{ name: "shop.har", content: Buffer.from('{"é":1}', "latin1") }], "shop.har is not written in UTF-8."],
    ["half of a file", [{ name: "shop.har", content: har(refusal()).slice(0, 200) }], "ends in the middle of its JSON"],
    ["a list of no call", [{ name: "calls.json", content: "[]" }], "They hold no call at all."],
    [
      "calls to other services",
      [{ name: "shop.har", content: har(refusal({ request: { url: "https://tracking.example/?key=verysecret1" } })) }],
      "Their calls went to https://tracking.example. Give the service's address as baseUrl (--base-url).",
    ],
  ])("%s", async ([, recordings, message]) => {
    const error = await refused(recordings);
    expect(error.code).toBe("INVALID_TRAFFIC");
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("verysecret1");
  });
});

describe("a file that the command cannot read exits with 2", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "centavo-hostile-"));
    mkdirSync(join(folder, "recordings.har"));
    writeFileSync(join(folder, "utf16.har"), `\uFEFF${har(refusal())}`, "utf16le");
    writeFileSync(join(folder, "wrong.assumptions.json"), "[]");
  });

  async function run(file: string, out = "found.json") {
    const lines: string[] = [];
    const print = (text: string): void => void lines.push(text);
    const output = { print, printError: print, colours: false };
    const code = await calibrateFiles([file], { out }, output, folder);
    return { code, text: lines.join("\n") };
  }

  test("a folder", async () => {
    const { code, text } = await run("recordings.har/");
    expect(code).toBe(2);
    expect(text).toContain("The recording recordings.har/ cannot be read: it is a folder. Name its files");
  });

  test("a file that is not there", async () => {
    expect(await run("none.har")).toMatchObject({ code: 2, text: expect.stringContaining("none.har") as string });
  });

  test("a file of assumptions that is none", async () => {
    const { code, text } = await run("utf16.har", "wrong.assumptions.json");
    expect(code).toBe(2);
    expect(text).toContain("wrong.assumptions.json");
  });

  test("but UTF-16 can be read", async () => {
    expect((await run("utf16.har")).code).toBe(0);
  });
});
