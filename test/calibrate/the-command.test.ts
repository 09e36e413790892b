import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { beforeAll, expect, test } from "vitest";
import { calibrateFiles } from "../../src/cli/calibrate.ts";
import type { CalibrateCommandOptions } from "../../src/cli/calibrate.ts";
import { contradictions } from "../contract/contradictions.ts";
import { plainList, recorded } from "./recorded.ts";

contradictions.isPaused = true;

const assumptions = { "http.error-status": { VALIDATION_ERROR: 422 } };
let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "centavo-calibrate-"));
  const refused = await recorded(assumptions, async ({ call }) => {
    await call("POST", "/api/payment-intent", { amount: 0 });
  });
  writeFileSync(join(folder, "refused.json"), plainList(refused));
  const strange = plainList(refused.slice(0, 1)).replace(
    '"content-type":"application/json"',
    '"content-type":"text/<b>"',
  );
  writeFileSync(join(folder, "strange.json"), strange);
});

async function run(files: readonly string[], options: Partial<CalibrateCommandOptions> = {}) {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const output = { print, printError: () => undefined, colours: false };
  const code = await calibrateFiles(files, { out: "found.json", ...options }, output, folder);
  return { code, text: lines.join("\n") };
}

test("the command writes a file that a simulator takes, with the exchanges that speak for each row", async () => {
  const { code, text } = await run(["refused.json"]);
  expect(code).toBe(0);
  expect(text).toContain('http.error-status {"VALIDATION_ERROR":422}: refused.json, entry 2');
  const file = JSON.parse(readFileSync(join(folder, "found.json"), "utf8")) as Record<string, unknown>;
  expect(file).toMatchObject({ assumptions, evidence: { "http.error-status": ["refused.json, entry 2"] } });
  const sim = createSimulator({ assumptions: join(folder, "found.json") });
  expect((await sim.fetch("/api/payment-intent", { method: "POST" })).status).toBe(401);
  expect((await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({}) })).status).toBe(422);
});

test("--check changes nothing, fails while the file differs, and passes once it does not", async () => {
  const other = JSON.stringify({ assumptions: { "http.error-status": { VALIDATION_ERROR: 418, NOT_FOUND: 410 } } });
  writeFileSync(join(folder, "other.json"), other);
  const different = await run(["refused.json"], { check: true, out: "other.json" });
  expect(different.code).toBe(1);
  expect(different.text).toContain("1 assumption on which other.json and the recordings differ:");
  expect(different.text).toContain(
    'http.error-status: other.json has {"VALIDATION_ERROR":418}, the recordings say {"VALIDATION_ERROR":422} (refused.json, entry 2)',
  );
  expect(different.text).toContain("The recordings do not agree with the assumptions.");
  expect(readFileSync(join(folder, "other.json"), "utf8")).toBe(other);
  writeFileSync(join(folder, "empty-assumptions.json"), "{}");
  const missing = await run(["refused.json"], { check: true, out: "empty-assumptions.json" });
  expect(missing.text).toContain(
    'http.error-status: empty-assumptions.json leaves the default, the recordings say {"VALIDATION_ERROR":422} (refused.json, entry 2)',
  );
  writeFileSync(join(folder, "same.json"), JSON.stringify({ assumptions }));
  const same = await run(["refused.json"], { check: true, out: "same.json" });
  expect(same.code).toBe(0);
  expect(same.text).toContain("No assumptions on which same.json and the recordings differ.");
  expect(same.text).toContain("1 assumption of same.json that the recordings confirm:");
});

test("a recording that shows no token teaches nothing about calls without one", async () => {
  const list = JSON.parse(readFileSync(join(folder, "refused.json"), "utf8")) as {
    readonly request: { readonly headers: Readonly<Record<string, unknown>> };
  }[];
  const stripped = list.map((each) => {
    const { authorization: _, ...headers } = each.request.headers;
    return Object.assign(each, { request: { ...each.request, headers } });
  });
  writeFileSync(join(folder, "stripped.json"), JSON.stringify(stripped));
  const { text } = await run(["stripped.json"], { out: "stripped-found.json" });
  expect(text).toContain('http.error-status {"VALIDATION_ERROR":422}: stripped.json, entry 2');
  expect(text).toContain(
    "before stripped.json, entry 2: the call is played with an access token, which the recording does not show",
  );
  expect(text).not.toContain("UNAUTHORIZED");
});

test("--check without a file to compare with is refused", async () => {
  expect(await run(["refused.json"], { check: true, out: "typo.json" })).toEqual({
    code: 2,
    text: "--check: there is no file typo.json. Write it with npx centavo calibrate refused.json --out typo.json, or name another with --out.",
  });
});

test("in the terminal, long lists are cut, and the next step comes last", async () => {
  const { text } = await run(["refused.json"], { out: "next.json", html: "whole.html" });
  const lines = text.split("\n");
  expect(lines.at(-1)).toBe('Use it: createSimulator({ assumptions: "./next.json" })');
  const unseen = lines.findIndex((line) => line.endsWith("of which the recordings say nothing:"));
  expect(lines[unseen + 6]).toMatch(/^ {2}and \d+ more, which --json and --html list\.$/);
  const page = readFileSync(join(folder, "whole.html"), "utf8");
  expect(page.split("<li>").length).toBeGreaterThan(lines.length + 40);
});

test("--check fails on what no assumption explains, and --html writes a page without its markup", async () => {
  const { code, text } = await run(["strange.json"], { check: true, html: "page.html" });
  expect(code).toBe(1);
  expect(text).toContain("1 difference that no assumption explains");
  expect(text).toContain(
    'strange.json, entry 1 (POST /oauth), headers.content-type: Centavo answers "application/json", the recording has "text/<b>"',
  );
  const page = readFileSync(join(folder, "page.html"), "utf8");
  expect(page).toContain("text/&lt;b&gt;");
  expect(page).not.toContain("<b>");
});

test("--json prints one document", async () => {
  const { code, text } = await run(["refused.json"], { json: true, out: "json.json" });
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({ passed: true, exitCode: 0, assumptions, drift: [], disagreements: [] });
});

test("messages name the options that were typed", async () => {
  writeFileSync(join(folder, "wrong.json"), '{"http.eror-status":422}');
  expect((await run(["refused.json"], { out: "wrong.json" })).text).toMatch(/^--out: .*wrong\.json.*no assumption/);
  expect((await run(["refused.json"], { baseUrl: "sandbox.pay.example" })).text).toMatch(/^--base-url is /);
  expect((await run(["refused.json"], { authUrl: "auth.pay.example" })).text).toMatch(/^--auth-url is /);
  expect((await run(["none/*.har"])).text).toBe("No file matches none/*.har. Record one with npx centavo record.");
});

test("a file that is not there, and one without a call to the service, are told", async () => {
  expect(await run(["nothing.har"])).toMatchObject({ code: 2, text: expect.stringContaining("nothing.har") as string });
  writeFileSync(join(folder, "empty.json"), "[]");
  const { code, text } = await run(["empty.json"], { json: true });
  expect(code).toBe(2);
  expect(JSON.parse(text)).toMatchObject({ code: "INVALID_TRAFFIC" });
});
