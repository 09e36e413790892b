import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { pageOfShake } from "../../src/cli/shake-page.ts";
import type { ReportedShake } from "../../src/report/reported-shake.ts";
import { hostileTexts } from "../report/hostile-shop.ts";
import { givenTo } from "../report/read-report.ts";
import { launch, looks, open, sizes } from "./browser.ts";
import { fileOf, folder } from "./documents.ts";
import { picture } from "./pictures.ts";
import { unreadableWords } from "./unreadable-words.ts";
import { violationsIn } from "./violations.ts";

const repository = join(import.meta.dirname, "../..");
const suite = ["node", "--test", "test/shake/suites/hasty-shop.ts"];
const address = pathToFileURL(join(folder, "shake.html")).href;
/** An environment has no NUL, and Node writes torn characters in another way. */
const title = `reads ${[hostileTexts.markup, hostileTexts.comment, hostileTexts.template, hostileTexts.quotes].join(" ")}`;

let browser: Browser;
let told: ReportedShake;

/** Writes a text as the document writes it in its data. */
function inScript(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[<>&]/g, (character) => String.raw`\u00${character.charCodeAt(0).toString(16)}`);
}

function shake(environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  return spawnSync(process.execPath, ["src/cli/main.ts", "shake", ...words, "--", ...suite], {
    cwd: repository,
    env: { ...process.env, NODE_OPTIONS: "", ...environment },
    encoding: "utf8",
  });
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const page = join(folder, "shake.html");
  const kinds = ["--only", "lost-answers,events-twice", "--max-runs", "4", "--jobs", "2"];
  const { status, stdout, stderr } = shake({ TITLE: title }, ...kinds, "--json", "--html", page);
  expect([status, stderr.split("\n").slice(1)]).toEqual([1, [`Wrote the page ${page}.`, ""]]);
  expect(stderr).toMatch(/^\d+ runs of your suite follow, 2 at once, of about /);
  told = JSON.parse(stdout) as ReportedShake;
  browser = await launch();
});
afterAll(async () => browser.close());

describe("the page of a shake", () => {
  test("tells each finding with its tests, the money, the misunderstanding, the remedy and the command", async () => {
    const { page, complaints, requests } = await open(browser, address);
    expect(await page.title()).toBe("The shake of 4 tests has 2 findings · Centavo report");
    const findings = page.getByRole("article");
    expect(await findings.count()).toBe(2);
    for (const [index, finding] of told.findings.entries()) {
      const text = await findings.nth(index).innerText();
      const { sentence, brief, misunderstanding, remedy, page: law, tests } = finding;
      for (const part of [sentence, brief, misunderstanding, remedy, law, tests[0]?.command ?? "no command"])
        expect(text).toContain(part);
      for (const each of tests) for (const part of [each.test, ...each.what]) expect(text).toContain(part);
    }
    expect(await findings.first().innerText()).toContain("charged twice, ₱998.00 for order-1");
    expect([complaints, requests]).toEqual([[], []]);
  });

  test("tells what was borne by kind, what counts on it, what was not tried, and what fails already", async () => {
    const { page } = await open(browser, address);
    const borne = page.getByRole("region", { name: "Borne" });
    expect(await borne.locator("summary").allInnerTexts()).toEqual([
      "lost answers: 3 troubles in 3 tests",
      "events twice: 3 troubles in 2 tests",
    ]);
    for (const [name, reasons] of [
      ["These tests count on it", told.countsOnIt],
      ["Could not be tried", told.untried],
    ] as const) {
      const part = page.getByRole("region", { name });
      for (const closed of await part.locator("summary").all()) await closed.click();
      const text = await part.innerText();
      for (const { why, troubles, tests } of reasons)
        for (const each of [why, ...troubles, ...tests.map(({ test: own }) => own)]) expect(text).toContain(each);
    }
    expect(await page.getByRole("region", { name: "Could not be tried" }).innerText()).toContain(
      `${told.left} troubles`,
    );
    expect(await page.getByRole("region", { name: "Left out" }).innerText()).toContain("This test fails already.");
  });

  test("names the tests that are left out, each with the reason", async () => {
    const why = "tests of several files run while its simulator is open";
    const leftOut = [
      { why, isInPart: false, tests: [{ file: "test/shared.test.ts", test: "a customer looks around" }] },
    ];
    const html = await pageOfShake({ ...told, leftOut, failedAlready: [] }, []);
    const { page } = await open(browser, fileOf("shake-left-out.html", html));
    const text = await page.getByRole("region", { name: "Left out" }).innerText();
    expect(text).toContain(`1 test: ${why}`);
    expect(text).toContain("a customer looks around");
    expect(text).toContain("test/shared.test.ts");
    expect(text).not.toContain("without any trouble");
  });

  test("opens the report of a finding's run, which shows the trouble and both payments, and leads back", async () => {
    const { page, complaints } = await open(browser, address);
    const link = page.getByRole("article").first().getByRole("link");
    await link.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "All findings" }).waitFor();
    expect(await page.getByRole("article").innerText()).toContain(told.findings[0]?.sentence);
    const rows = await page.locator(".rows").innerText();
    expect(rows).toContain("response.lost");
    expect(await page.locator(".figures").innerText()).toMatch(/Succeeded\s+₱998\.00/);
    await page.locator(".row").filter({ hasText: "/confirm" }).first().locator(".line").click();
    expect(await page.locator("#details").innerText()).toContain("pm_card_approved");
    await page.goBack();
    await page.getByRole("article").nth(1).waitFor();
    expect(await link.evaluate((own) => own === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("opens the run that its address names, which can be sent to somebody", async () => {
    const { page } = await open(browser, `${address}#finding-2`);
    expect(await page.getByRole("article").innerText()).toContain("delivered twice");
    expect(await page.locator(".summary").innerText()).toContain("2 !== 1");
  });

  test("copies the command of a finding", async () => {
    const { page } = await open(browser, address, { permissions: ["clipboard-read", "clipboard-write"] });
    const finding = page.getByRole("article").first();
    await finding.getByRole("button", { name: "Copy" }).click();
    await finding.getByText("Copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(told.findings[0]?.tests[0]?.command);
  });

  test("shows hostile titles as text; nothing of them runs, loads or is refused by the policy", async () => {
    const { page, complaints, requests } = await open(browser, address);
    expect(await page.getByRole("article").first().innerText()).toContain(hostileTexts.markup);
    for (const closed of await page.locator("summary").all()) await closed.click();
    await page.goto(`${address}#finding-1`);
    await page.getByRole("link", { name: "All findings" }).waitFor();
    expect([complaints, requests.filter((each) => !each.startsWith(address))]).toEqual([[], []]);
    expect(await page.locator("img, iframe, #report script").count()).toBe(0);
    expect(await page.title()).toContain("The shake of 4 tests");
  });

  test("has readable words on a phone", async () => {
    const { page } = await open(browser, address, { viewport: sizes.phone });
    const words = await unreadableWords(page);
    expect(words.filter((word) => !word.includes("owned"))).toEqual([]);
  });

  test.for([320, 390, 820, 1440])("is no wider than %i px, also with a run", async (width) => {
    for (const place of ["", "#finding-1"]) {
      const { page } = await open(browser, address + place, { viewport: { width, height: 800 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test("is pictured for the guide", async () => {
    const html = readFileSync(join(folder, "shake.html"), "utf8");
    const shown = fileOf("shake-pictured.html", html.replaceAll(inScript(title), "a customer reads an event"));
    const { page } = await open(browser, shown, { viewport: { width: 1180, height: 500 } });
    await picture(page, "shake");
  });
});

test.for(looks)("axe finds nothing wrong on a %s in %s colours", async ([name, colorScheme]) => {
  for (const place of ["", "#finding-1"]) {
    const { page } = await open(browser, address + place, { colorScheme, viewport: sizes[name] });
    for (const closed of await page.locator(".shake summary").all()) await closed.click();
    expect(await violationsIn(page), place).toEqual([]);
  }
});

test("a run whose recording could not be kept is told on the page", async () => {
  const page = join(folder, "shake-without-recordings.html");
  shake({ RECORDING: "no" }, "--only", "events-twice", "--max-runs", "2", "--html", page);
  const { shake: shown, runs } = givenTo(readFileSync(page, "utf8"));
  expect(runs).toEqual([]);
  expect(shown?.runOfFinding).toEqual([expect.stringContaining("the option recording is false")]);
  const { page: opened } = await open(browser, pathToFileURL(page).href);
  expect(await opened.getByRole("article").innerText()).toContain("The run cannot be shown");
  expect(await opened.getByRole("article").getByRole("link").count()).toBe(0);
});
