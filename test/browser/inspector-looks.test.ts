import { statSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byNight } from "../by-night.ts";
import { describeWorld } from "../../src/server/inspector/about-worlds.ts";
import { hostileRun, hostileTexts } from "../report/hostile-shop.ts";
import { launch, sizes } from "./browser.ts";
import { folder } from "./documents.ts";
import { inspect, openWorld, view } from "./inspector.ts";
import { shopInTrouble } from "./shop-in-trouble.ts";
import { unreadableWords } from "./unreadable-words.ts";
import { violationsIn } from "./violations.ts";

const pictures = join(import.meta.dirname, "../../docs/pictures");
/** The views, in the order of their tabs. */
const views = ["timeline", "sequence", "resources", "clock", "faults", "customer", "assumptions", "compare"] as const;
/** A phone of the smallest kind. */
const smallest = { width: 320, height: 640 };

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

async function troubled(options = {}, ownedBecause?: string) {
  const sim = await shopInTrouble();
  const title = "orders > a declined payment is told to the customer";
  describeWorld(sim, { title, ...(ownedBecause !== undefined && { ownedBecause }) });
  const inspected = await inspect(browser, sim, options);
  await inspected.page.locator(".causes").waitFor();
  return inspected;
}

/** Opens everything that is folded. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll("main details")) (folded as HTMLDetailsElement).open = true;
  });
}

test("the tabs are these views, and each has its own number as a key", async () => {
  const { page } = await troubled();
  expect(await page.getByRole("tab").evaluateAll((tabs) => tabs.map(({ id }) => id))).toEqual(
    views.map((name) => `tab-${name}`),
  );
  for (const [index, name] of views.entries()) {
    await page.keyboard.press(String(index + 1));
    expect(await page.locator(`#tab-${name}`).getAttribute("aria-selected")).toBe("true");
  }
});

test.for([
  ["desktop", "light"],
  ["phone", "dark"],
  ...byNight([
    ["desktop", "dark"],
    ["tablet", "light"],
    ["tablet", "dark"],
    ["phone", "light"],
  ] as const),
] as const)("axe finds nothing wrong with any view on a %s in %s", async ([size, colorScheme]) => {
  const { page } = await troubled({ colorScheme, viewport: sizes[size] });
  for (const name of views) {
    await view(page, name);
    if (name === "timeline") await page.locator(".row").first().click();
    await unfold(page);
    expect(await violationsIn(page), name).toEqual([]);
  }
});

test("axe finds nothing wrong with a world that its test owns, and with what a browser sees that the server does not know", async () => {
  const { page } = await troubled({}, "The test owns this world.");
  for (const name of ["timeline", "clock", "faults", "compare"]) {
    await view(page, name);
    expect(await violationsIn(page), name).toEqual([]);
  }
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Address or code").fill("a code that nobody made");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await violationsIn(page)).toEqual([]);
  await page.setViewportSize(smallest);
  expect(await unreadableWords(page)).toEqual([]);
});

test.for([smallest.width, 768, sizes.desktop.width])(
  "every view has readable words, whole and within a page of %i px",
  async (width) => {
    const { page } = await troubled({ viewport: { width, height: 900 } });
    for (const name of views) {
      await view(page, name);
      expect(await unreadableWords(page), name).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    }
  },
);

test("on a phone the worlds are a field", async () => {
  const { page } = await troubled({ viewport: smallest });
  expect(await page.locator(".world-list").isVisible()).toBe(false);
  expect(await page.getByRole("combobox", { name: "World" }).innerText()).toContain("orders > a declined payment");
});

test("a world in which nothing has happened says so in each view", async () => {
  const { page, server } = await inspect(browser);
  await openWorld(server, "empty");
  await page.locator(".world").filter({ hasText: "empty" }).click();
  for (const [name, words] of [
    ["timeline", "Nothing has happened yet."],
    ["sequence", "Nothing has happened yet."],
    ["resources", "No payment, session, subscription or invoice was made."],
    ["clock", "Nothing waits for the clock."],
    ["faults", "No fault is planned."],
    ["customer", "No page waits for a customer."],
    ["assumptions", "relied on no assumption"],
    ["compare", "A fork is a copy of this world"],
  ] as const) {
    await view(page, name);
    await expect.poll(() => page.locator("#view").innerText()).toContain(words);
  }
});

describe("hostile texts in every field", () => {
  test("are shown as text: nothing of them runs, loads, or is refused by the policy", async () => {
    const sim = await hostileRun();
    describeWorld(sim, { title: Object.values(hostileTexts).join(" ") });
    const { page, complaints, foreign } = await inspect(browser, sim);
    await page.locator(".row").first().waitFor();
    const title = await page.title();
    for (const name of views) {
      await view(page, name);
      await unfold(page);
    }
    await view(page, "timeline");
    await page.getByLabel("every entry").check();
    await page.locator(".rows").focus();
    await page.keyboard.press("Home");
    for (let count = 0; count < sim.journal.length; count += 1) {
      await page.keyboard.press("ArrowDown");
      const copy = page.getByRole("button", { name: "Copy as curl" });
      if (await copy.isVisible()) await copy.click();
      await unfold(page);
    }
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    await page.getByText("Both worlds stand alike.").waitFor();
    expect(complaints).toEqual([]);
    expect(foreign()).toEqual([]);
    expect(await page.title()).toBe(title);
    expect(await page.locator("img, iframe, #inspector script").count()).toBe(0);
    expect(await page.locator("h1").innerText()).toContain("<img src=x");
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1/);
  });

  test("make no page wider than a phone", async () => {
    const sim = await hostileRun();
    describeWorld(sim, { title: `${hostileTexts.markup}${"x".repeat(500)}` });
    const { page } = await inspect(browser, sim, { viewport: smallest });
    for (const name of views) {
      await view(page, name);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(smallest.width);
    }
  });
});

test("the page asks its own server alone, and its console is silent", async () => {
  const { page, complaints, foreign } = await troubled();
  for (const name of views) await view(page, name);
  await page.getByRole("button", { name: "+ 1 day" }).click();
  await page.getByText("It is 2026-01-02").waitFor();
  expect([complaints, foreign()]).toEqual([[], []]);
});

// Each picture is looked at. npm run picture takes those of the documentation anew.
test.for([
  ["timeline", "light"],
  ["resources", "dark"],
  ["faults", "light"],
  ["compare", "dark"],
] as const)("the %s of the inspector is pictured in %s", async ([name, colorScheme]) => {
  const { page } = await troubled({ colorScheme, viewport: { width: 1280, height: 800 } });
  await view(page, name);
  if (name === "timeline") await page.locator(".row").filter({ hasText: "500" }).last().click();
  if (name === "resources") await page.locator(".card").filter({ hasText: "completed" }).click();
  if (name === "compare") {
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    await page.getByText("Both worlds stand alike.").waitFor();
    await page.getByRole("button", { name: "+ 1 hour" }).click();
    await page.locator(".differences tr").filter({ hasText: "requires_action" }).waitFor();
  }
  const picture = join(pictures, `inspector-${name}.png`);
  const path = process.env["UPDATE_PICTURE"] === undefined ? join(folder, `inspector-${name}.png`) : picture;
  await page.screenshot({ path });
  expect(statSync(picture).size).toBeGreaterThan(20_000);
  expect(statSync(picture).size).toBeLessThan(250_000);
});
