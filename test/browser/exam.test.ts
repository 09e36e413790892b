import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { byNight } from "../by-night.ts";
import { launch, looks, open, sizes } from "./browser.ts";
import { folder } from "./documents.ts";
import { unreadableWords } from "./unreadable-words.ts";
import { violationsIn } from "./violations.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const smallShop = join(import.meta.dirname, "../exam/small-shop.ts");
const address = pathToFileURL(join(folder, "exam.html")).href;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "shop.exam.ts"),
    `import { openSmallShop } from ${JSON.stringify(smallShop)};
    export default {
      open: async (opening) => openSmallShop(opening, "checks no signature"),
      acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
      books: ({ store }) => ({ orders: [...store.values()] }),
      jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    };`,
  );
  const search = ["shop.exam.ts", "--stories", "300", "--jobs", "2", "--report", "exam.html"];
  const { status, stdout } = spawnSync(process.execPath, [main, "exam", ...search], { cwd: folder, encoding: "utf8" });
  expect([status, stdout]).toEqual([1, expect.stringContaining("Wrote the report exam.html.")]);
  browser = await launch();
});
afterAll(async () => browser.close());

describe("the report of a failed exam", () => {
  test("tells the law, the story and the way out, and then what the merchant and the service did", async () => {
    const { page, complaints, requests } = await open(browser, address);
    expect(await page.locator(".verdict").innerText()).toMatch(/An order is fulfilled only once it is paid in full/);
    const verdict = await page.locator(".verdict").innerText();
    expect(verdict).toContain("Likely misunderstanding:");
    expect(verdict).toContain("Way out:");
    expect(await page.locator(".rows").innerText()).toContain("merchant: POST /orders");
    await page.locator(".row").filter({ hasText: "POST /hooks" }).first().locator(".line").click();
    await page.locator("#details").getByText("header").first().click();
    expect(await page.locator("#details").innerText()).toContain("signature");
    await page.getByRole("tab", { name: "sequence" }).click();
    expect(await page.locator(".arrow.right").count()).toBeGreaterThan(3);
    expect([complaints, requests]).toEqual([[], []]);
  });

  test("says the money of each order of its story, once", async () => {
    const { page } = await open(browser, address);
    const money = page.getByRole("table", { name: "The money of the story" });
    expect(await money.locator("thead").innerText()).toMatch(/Expected\s+Asked\s+Paid\s+Refunded/);
    const rows = await money.locator("tbody tr").allInnerTexts();
    expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
      "order-1 ₱499.00 ₱499.00 ₱0.00 ₱0.00",
      "last-1 the last customer ₱499.00 ₱499.00 ₱499.00 ₱0.00",
    ]);
    expect(await page.locator(".figures").innerText()).not.toContain("₱");
  });

  test("says on a phone what each amount is, in one line", async () => {
    const { page } = await open(browser, address, { viewport: sizes.phone });
    expect(await unreadableWords(page)).toEqual([]);
    const cells = page.locator("table.money td");
    const shown = await cells.evaluateAll((each) =>
      each.map((cell) => [getComputedStyle(cell, "::before").content, cell.clientHeight < 30]),
    );
    expect(shown.slice(0, 4)).toEqual([
      [expect.stringContaining("Expected"), true],
      [expect.stringContaining("Asked"), true],
      [expect.stringContaining("Paid"), true],
      [expect.stringContaining("Refunded"), true],
    ]);
  });

  test.for([1280, ...byNight([1680])])("uses the width of %i px", async (width) => {
    const { page } = await open(browser, address, { viewport: { width, height: 900 } });
    const { right, left } = await page.locator(".verdict").evaluate((verdict) => {
      const edges = [...verdict.querySelectorAll("p, li, td")].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return range.getBoundingClientRect().right;
      });
      const box = verdict.getBoundingClientRect();
      return { right: (Math.max(...edges) - box.left) / box.width, left: box.left };
    });
    await page.getByText("side by side").click();
    const columns = page.locator(".columns");
    expect(await columns.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(left).toBeLessThan(width / 10);
    expect(right).toBeGreaterThan(0.9);
    const [story, wayOut] = [
      await page.locator(".story").boundingBox(),
      await page.locator(".way-out").last().boundingBox(),
    ];
    expect(wayOut?.x).toBeGreaterThan((story?.x ?? Infinity) + width / 3);
  });

  test("leads from one broken law to the next", async () => {
    const { page } = await open(browser, address);
    await page.getByLabel("Story").selectOption({ index: 1 });
    expect(await page.locator("h1").innerText()).toContain("status-agrees");
  });
});

test.for(looks)("axe finds nothing wrong on a %s in %s colours, and it is no wider", async ([name, colorScheme]) => {
  const viewport = sizes[name];
  const { page } = await open(browser, address, { colorScheme, viewport });
  expect(await violationsIn(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
});
