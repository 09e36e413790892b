import { AssertionError } from "node:assert";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { byNight } from "../by-night.ts";
import { tabs } from "../../src/report/page/store.ts";
import { htmlReportOf } from "../../src/report/html-report.ts";
import { hostileRun, hostileTexts } from "../report/hostile-shop.ts";
import { runIn } from "../report/read-report.ts";
import { launch, open, sizes } from "./browser.ts";
import { fileOf, folder } from "./documents.ts";
import { shopInTrouble } from "./shop-in-trouble.ts";
import { violationsIn } from "./violations.ts";

const picture = join(import.meta.dirname, "../../docs/pictures/report.png");
let browser: Browser;
let report: string;
let html: string;
let hostile: string;

beforeAll(async () => {
  browser = await launch();
  html = await htmlReportOf(await shopInTrouble(), {
    title: "orders > a declined payment is told to the customer",
    outcome: "failed",
    error: new AssertionError({ actual: "pending", expected: "declined", operator: "strictEqual" }),
    replay: "npx centavo replay .centavo/orders-a-declined-payment.json",
  });
  report = fileOf("report.html", html);
  hostile = fileOf(
    "hostile.html",
    await htmlReportOf(await hostileRun(), { title: hostileTexts.markup, outcome: "failed" }),
  );
});
afterAll(async () => browser.close());

describe("the first screen", () => {
  test("says what failed, why, the way out, and what became of the money", async () => {
    const { page } = await open(browser, report);
    const text = await page.locator("main").innerText();
    expect(await page.title()).toContain("a declined payment is told to the customer");
    expect(await page.locator("h1").innerText()).toMatch(/^Failed/i);
    expect(await page.locator(".sentence").innerText()).toContain("payment_intent.failed with 500");
    expect(text).toContain("Way out:");
    expect(text).toContain("₱1,798.00");
    expect(text).toContain("₱79.00");
    expect(text).toContain("₱350.00");
    expect(text).toContain("npx centavo replay");
    expect(await page.locator(".rows").isVisible()).toBe(true);
  });

  test("opens with the last problem, so that its details are there", async () => {
    const { page } = await open(browser, report);
    expect(await page.locator("#details h2").innerText()).toContain("payment_intent.failed");
    expect(await page.locator("#details").innerText()).toContain("declineCode");
  });
});

describe("the views", () => {
  test("the timeline leads from an entry to its headers and bodies", async () => {
    const { page } = await open(browser, report);
    await page.locator(".rows").focus();
    await page.keyboard.press("Home");
    await page.locator("#row-1").waitFor();
    await page.locator(".row").filter({ hasText: "Left Hand of Darkness" }).first().click();
    const details = page.locator("#details");
    await details.getByText("header").first().click();
    expect(await details.innerText()).toContain("[redacted]");
    expect(await details.innerText()).toContain("The Left Hand of Darkness");
    expect(await details.innerText()).toMatch(/"status": "pending"/);
  });

  test("the sequence has the lanes of all who take part, and arrows between them", async () => {
    const { page } = await open(browser, report);
    await page.getByRole("tab", { name: "sequence" }).click();
    expect(await page.locator(".lanes").innerText()).toMatch(/customer\s+merchant\s+service\s+receiver/i);
    expect(await page.locator(".arrow.right").count()).toBeGreaterThan(3);
    expect(await page.locator(".arrow.left").count()).toBeGreaterThan(2);
  });

  test("a resource has its states, with its path marked and no other", async () => {
    const { page } = await open(browser, report);
    await page.getByRole("tab", { name: /resources/ }).click();
    const marked = await page.locator(".diagram .state.visited").evaluateAll((states) => states.map(({ id }) => id));
    const [intent] = runIn(html).resources;
    expect(marked.toSorted()).toEqual([...new Set(intent?.moves.map(({ to }) => `payment_intent-${to}`))].toSorted());
    expect(await page.locator(".diagram .last").getAttribute("id")).toBe("payment_intent-succeeded");
    expect(await page.locator(".card").count()).toBe(runIn(html).resources.length);
  });

  test("the coverage tells what this run went through, and greys the rest of the machines", async () => {
    const { page } = await open(browser, report);
    await page.getByRole("tab", { name: "coverage" }).click();
    const { visited, parts } = runIn(html).coverage ?? {};
    const marked = await page.locator(".diagram .visited").evaluateAll((drawn) => drawn.map(({ id }) => id));
    expect(marked.filter((id) => id.startsWith("subscription-"))).toEqual([]);
    expect(marked.toSorted()).toEqual(
      Object.entries(visited ?? {})
        .flatMap(([machine, ids]) => ids.map((id) => `${machine}-${id}`))
        .toSorted(),
    );
    expect(await page.locator("#view tbody tr").first().innerText()).toMatch(
      new RegExp(`States\\s+${parts?.states.seen.length} of 23\\s+${parts?.states.percent} %`),
    );
    const text = await page.locator("#view").innerText();
    expect(text).toContain("centavo coverage tells what the whole suite saw");
    expect(text).toContain("States: this run never saw");
    expect(text).not.toContain("you never tested");
  });

  test("what is pending and the assumptions have views of their own", async () => {
    const { page } = await open(browser, report);
    await page.getByRole("tab", { name: /pending/ }).click();
    expect(await page.locator("#view").innerText()).toMatch(/its challenge expires/);
    await page.getByRole("tab", { name: /assumptions/ }).click();
    expect(await page.locator("#view tbody tr").count()).toBe(runIn(html).assumptions.length);
  });
});

describe("search and filters", () => {
  test("find text that only a body holds", async () => {
    const { page } = await open(browser, report);
    await page.getByRole("searchbox").fill("reading lamp");
    const found = page.locator(".row");
    await expect.poll(() => found.count()).toBeLessThan(12);
    expect(await found.first().innerText()).toContain("/api/checkout");
  });

  test("leave what one resource is about, or problems alone, and say so when nothing is left", async () => {
    const { page } = await open(browser, report);
    const all = await page.locator(".filters output").innerText();
    await page.getByLabel("Resource").selectOption({ index: 1 });
    await expect.poll(() => page.locator(".filters output").innerText()).not.toBe(all);
    await page.getByLabel("problems only").check();
    await expect.poll(() => page.locator(".rows").innerText()).toContain("Nothing matches");
  });
});

test("everything is done by the keyboard, and the focus is seen", async () => {
  const { page } = await open(browser, report);
  await page.keyboard.press("/");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("search");
  expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
    "solid",
  );
  await page.keyboard.type("oauth");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  await page.locator(".rows").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  expect(await page.locator("[aria-selected=true][role=option]").getAttribute("aria-posinset")).toBe("2");
  await page.keyboard.press("End");
  await expect.poll(() => page.locator("[aria-selected=true][role=option]").isVisible()).toBe(true);
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("details");
  await page.keyboard.press("3");
  expect(await page.getByRole("tab", { selected: true }).innerText()).toMatch(/resources/i);
});

describe("hostile texts in every field", () => {
  test("are shown as text, and nothing of them runs, loads or is refused by the policy", async () => {
    const { page, complaints, requests } = await open(browser, hostile);
    const title = await page.title();
    for (const view of tabs) {
      await page.getByRole("tab", { name: view }).click();
      await page.waitForFunction((name) => document.querySelector(`#tab-${name}`)?.ariaSelected === "true", view);
    }
    await page.getByRole("tab", { name: "timeline" }).click();
    await page.getByLabel("every entry").check();
    await page.locator(".rows").focus();
    await page.keyboard.press("Home");
    const { length } = runIn(readFileSync(join(folder, "hostile.html"), "utf8")).rows;
    for (let count = 0; count < length; count += 1) {
      await page.keyboard.press("ArrowDown");
      await page.evaluate(() => {
        for (const closed of document.querySelectorAll("#details details")) (closed as HTMLDetailsElement).open = true;
      });
    }
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    expect(await page.title()).toBe(title);
    expect(await page.locator("img, iframe, #report script").count()).toBe(0);
    expect(await page.locator("h1").innerText()).toContain("<img src=x");
  });

  test("make no page wider than a phone", async () => {
    const { page } = await open(browser, hostile, { viewport: sizes.phone });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sizes.phone.width);
  });
});

test("a report asks the network for nothing, and its console is silent", async () => {
  const { page, complaints, requests } = await open(browser, report);
  for (const key of ["1", "2", "3", "4", "5", "6"]) await page.keyboard.press(key);
  expect([complaints, requests]).toEqual([[], []]);
});

test("paper gets every entry, not only those in view", async () => {
  const { page } = await open(browser, report);
  await page.emulateMedia({ media: "print" });
  const printed = runIn(html).rows.filter(({ kind, isMinor }) => kind !== "answer" && isMinor !== true);
  await page
    .locator(".row")
    .nth(printed.length - 1)
    .waitFor();
  expect(await page.locator(".row").count()).toBe(printed.length);
  expect((await page.pdf()).length).toBeGreaterThan(20_000);
});

// Dark colours are in what-is-shown.test.ts by day, too.
describe.for(["light", ...byNight(["dark"] as const)] as const)("in %s", (colorScheme) => {
  test("axe finds nothing wrong with any view", async () => {
    const { page } = await open(browser, report, { colorScheme });
    for (const view of tabs) {
      await page.getByRole("tab", { name: view }).click();
      expect(await violationsIn(page), view).toEqual([]);
    }
  });

  test.for(Object.entries(sizes))("it is pictured on a %s", async ([name, viewport]) => {
    const { page } = await open(browser, report, { colorScheme, viewport });
    for (const view of ["timeline", "sequence", "resources", "coverage"]) {
      await page.getByRole("tab", { name: view }).click();
      await page.screenshot({ path: join(folder, `${view}-${name}-${colorScheme}.png`) });
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  });
});

test("the report is pictured for the README; npm run picture takes the picture anew", async () => {
  if (process.env["UPDATE_PICTURE"] !== undefined) {
    const { page } = await open(browser, report, { viewport: { width: 1240, height: 800 } });
    await page.screenshot({ path: picture });
  }
  expect(statSync(picture).size).toBeGreaterThan(20_000);
  expect(statSync(picture).size).toBeLessThan(200_000);
});
