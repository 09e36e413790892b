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
  const different = await run(["refused.json"], { check: true, out: "none.json" });
  expect(different.code).toBe(1);
  expect(different.text).toContain("The recordings do not agree with the assumptions.");
  expect(() => readFileSync(join(folder, "none.json"))).toThrow("no such file");
  writeFileSync(join(folder, "same.json"), JSON.stringify({ assumptions }));
  expect(await run(["refused.json"], { check: true, out: "same.json" })).toMatchObject({
    code: 0,
    text: expect.stringContaining("as before") as string,
  });
});

test("--check fails on what no assumption explains, and --html writes a page without its markup", async () => {
  const { code, text } = await run(["strange.json"], { check: true, html: "page.html" });
  expect(code).toBe(1);
  expect(text).toContain("1 difference that no assumption explains");
  expect(text).toContain(
    'strange.json, entry 1 (POST /oauth), headers.content-type: expected "application/json", came "text/<b>"',
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

test("a file that is not there, and one without a call to the service, are told", async () => {
  expect(await run(["nothing.har"])).toMatchObject({ code: 2, text: expect.stringContaining("nothing.har") as string });
  writeFileSync(join(folder, "empty.json"), "[]");
  const { code, text } = await run(["empty.json"], { json: true });
  expect(code).toBe(2);
  expect(JSON.parse(text)).toMatchObject({ code: "INVALID_TRAFFIC" });
});
