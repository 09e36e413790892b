import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import type { Browser } from "playwright-core";
import manifest from "../../package.json" with { type: "json" };
import { byNight } from "../by-night.ts";
import { parts } from "../../src/simulator/coverage-result.ts";
import { centavoIn } from "../cli/commands.ts";
import { hostileTexts } from "../report/hostile-shop.ts";
import { givenTo } from "../report/read-report.ts";
import { launch, looks, open, sizes } from "./browser.ts";
import { folder } from "./documents.ts";
import { unreadableWords } from "./unreadable-words.ts";
import { violationsIn } from "./violations.ts";

/** The name of a file may hold all but a slash and NUL. */
const hostileName = `${Object.values(hostileTexts).join(" ").replaceAll(/[/\0]/g, "").toWellFormed().slice(0, 150)}.coverage.jsonl`;
let browser: Browser;
let address: string;
let html: string;

beforeAll(async () => {
  browser = await launch();
  const sim = createSimulator();
  const make = fixtures(sim);
  await make.subscription({ status: "past_due" });
  await make.checkout({ status: "completed" });
  const coverage = await sim.coverage();
  const seen = parts.flatMap((part) => coverage[part].seen.map((name) => JSON.stringify([part, name])));
  const suite = join(folder, "suite");
  rmSync(suite, { recursive: true, force: true });
  mkdirSync(suite, { recursive: true });
  const header = JSON.stringify({ centavo: manifest.version, run: hostileTexts.markup });
  for (const name of ["all.coverage.jsonl", hostileName])
    writeFileSync(
      join(suite, name),
      `${[name === hostileName ? header : header.replace("}", ',"ended":true}'), ...seen].join("\n")}\n`,
    );
  const { code } = await centavoIn(folder, "coverage", "suite", "--html", "coverage.html");
  expect(code).toBe(0);
  address = pathToFileURL(join(folder, "coverage.html")).href;
  html = readFileSync(join(folder, "coverage.html"), "utf8");
});
afterAll(async () => browser.close());

describe("the page of centavo coverage --html", () => {
  test("tells how much of each part was seen", async () => {
    const { page } = await open(browser, address);
    expect(await page.title()).toBe("Coverage of the payment service · Centavo report");
    const { service, runs } = givenTo(html);
    const rows = await page.locator("tbody tr").allInnerTexts();
    expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual(
      service.map(({ part, title, all }) => {
        const { seen = [], percent = 0 } = runs[0]?.coverage?.parts[part] ?? {};
        return `${title} ${seen.length} of ${all.length} ${percent} %`;
      }),
    );
  });

  test("draws every machine, and greys what was never seen", async () => {
    const { page } = await open(browser, address);
    expect(await page.locator(".diagram").count()).toBe(4);
    const colourOf = (id: string) =>
      page
        .locator(`#${id} > path`)
        .first()
        .evaluate((drawn) => getComputedStyle(drawn).stroke);
    const [seen, never] = [await colourOf("subscription-past_due"), await colourOf("subscription-unpaid")];
    expect(seen).not.toBe(never);
    expect(await colourOf("subscription-active-past_due")).toBe(seen);
    expect(await colourOf("checkout-completed")).toBe(seen);
    expect(await colourOf("checkout-expired")).toBe(never);
    expect(await colourOf("subscription-past_due-unpaid")).toBe(never);
  });

  test("says for each part what was tested, and what was not, with the lines that would test it", async () => {
    const { page } = await open(browser, address);
    const part = page.getByRole("region", { name: "States" });
    expect(await part.innerText()).toContain("a subscription that is unpaid");
    expect(await part.locator("pre").allInnerTexts()).toContain('await make.subscription({ status: "unpaid" });');
    expect(await part.locator(".seen").innerText()).toContain("subscription: past_due");
    await page.getByRole("button", { name: "Faults" }).click();
    expect(await page.getByRole("region", { name: "Faults" }).innerText()).toContain("an event that arrives twice");
    expect(await part.count()).toBe(0);
  });

  test("has readable words on a phone", async () => {
    const { page } = await open(browser, address, { viewport: sizes.phone });
    for (const button of await page.getByRole("button").all()) {
      await button.click();
      expect(await unreadableWords(page)).toEqual([]);
    }
  });

  test.for([1280, ...byNight([1680])])("draws every machine whole at %i px", async (width) => {
    const { page } = await open(browser, address, { viewport: { width, height: 900 } });
    const hidden = await page
      .locator(".diagram")
      .evaluateAll((diagrams) => diagrams.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(hidden).toEqual([0, 0, 0, 0]);
  });

  test("is used by the keyboard, and the focus is seen", async () => {
    const { page } = await open(browser, address);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("button", { pressed: true }).innerText()).toBe("Moves");
    expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
      "solid",
    );
  });

  test("shows the hostile name of a file as text; nothing of it runs, loads or is refused by the policy", async () => {
    const { page, complaints, requests } = await open(browser, address);
    for (const button of await page.getByRole("button").all()) await button.click();
    expect([complaints, requests]).toEqual([[], []]);
    expect(await page.title()).toContain("Coverage of the payment service");
    expect(await page.locator("img, iframe, #report script").count()).toBe(0);
    expect(await page.locator(".note").innerText()).toContain(`<img src=x onerror="document.title='owned'">`);
  });

  test("allows its own script and style by their hashes, and nothing else", () => {
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    const hashOf = (tag: string): string => {
      const [, text = ""] = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(html) ?? [];
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src ${hashOf("script")}`, `style-src ${hashOf("style")}`]),
    );
  });

  test("tells every part on paper", async () => {
    const { page } = await open(browser, address);
    await page.emulateMedia({ media: "print" });
    await page
      .locator(".covered-part")
      .nth(parts.length - 1)
      .waitFor();
    expect(await page.locator(".covered-part").count()).toBe(parts.length);
  });
});

test.for(looks)("axe finds nothing wrong on a %s in %s colours, and it is no wider", async ([name, colorScheme]) => {
  const viewport = sizes[name];
  const { page } = await open(browser, address, { colorScheme, viewport });
  expect(await violationsIn(page)).toEqual([]);
  await page.screenshot({ path: join(folder, `coverage-of-a-suite-${name}-${colorScheme}.png`), fullPage: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
});
