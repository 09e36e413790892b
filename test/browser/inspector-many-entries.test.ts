import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { launch } from "./browser.ts";
import { inspect, view } from "./inspector.ts";

/** What a page may hold, however long a run is. */
const MOST_ELEMENTS = 3000;
const MOST_ROWS = 80;

let browser: Browser;
let sim: Simulator;
let page: Page;
let merchant: Merchant;

beforeAll(async () => {
  browser = await launch();
  sim = createSimulator();
  const filling = await Merchant.of(sim);
  for (let number = 1; sim.journal.length < 10_000; number += 1) {
    const { id } = await filling.createIntent({ description: `order ${number}`, externalId: `order-${number}` });
    await filling.confirm(id, number % 50 === 0 ? "pm_card_insufficient_funds" : "pm_card_approved");
    await sim.clock.advance("10 seconds");
  }
});
afterAll(async () => browser.close());

const elements = (): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
const drawn = (): Promise<number> => page.locator(".row").count();
const count = (): Promise<string> => page.locator(".filters output").innerText();

describe("a run of 10 000 entries", () => {
  test("draws only the rows in view, in every view no more than a page holds, and follows the newest", async () => {
    ({ page, merchant } = await inspect(browser, sim));
    await expect.poll(count).toMatch(/of 10,\d{3} entries/);
    for (const name of ["timeline", "sequence", "resources", "clock", "faults", "customer", "assumptions"]) {
      await view(page, name);
      expect(await elements(), name).toBeLessThan(MOST_ELEMENTS + (name === "resources" ? 3000 : 0));
      expect(await drawn(), name).toBeLessThan(MOST_ROWS);
    }
    await view(page, "timeline");
    await merchant.createIntent({ description: "the newest of all" });
    await page.locator(".row").filter({ hasText: "the newest of all" }).waitFor();
    expect(await drawn()).toBeLessThan(MOST_ROWS);
  });

  test("is scrolled from its beginning to its end with never more rows than are in view", async () => {
    ({ page } = await inspect(browser, sim));
    await expect.poll(count).toMatch(/of 10,\d{3} entries/);
    const list = page.locator(".rows");
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const reached = await list.evaluate(async (element, share) => {
        element.scrollTop = element.scrollHeight * share;
        await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        const { top, bottom } = element.getBoundingClientRect();
        const inView = [...element.querySelectorAll(".row")].filter((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > top && box.top < bottom;
        });
        return { inView: inView.length, first: Number(inView[0]?.ariaPosInSet) };
      }, part);
      expect(reached.inView).toBeGreaterThan(5);
      expect(await drawn()).toBeLessThan(MOST_ROWS);
      if (part === 0) expect(reached.first).toBe(1);
      if (part === 1) expect(reached.first).toBeGreaterThan(4000);
    }
  });

  test("is searched and filtered, and what is found is found again after more has happened", async () => {
    ({ page, merchant } = await inspect(browser, sim));
    await expect.poll(count).toMatch(/of 10,\d{3} entries/);
    const search = page.getByRole("searchbox", { name: "Search", exact: true });
    await search.fill("order-123");
    await expect.poll(count).toMatch(/^\d{1,2} of/);
    await search.fill("");
    await page.getByLabel("problems only").check();
    await expect.poll(count).toMatch(/^\d{2} of/);
    await page.getByLabel("problems only").uncheck();
    await search.fill("a needle");
    await page.getByText("Nothing matches.").waitFor();
    await merchant.createIntent({ description: "a needle" });
    await page.locator(".row").filter({ hasText: "a needle" }).waitFor();
  });
});
