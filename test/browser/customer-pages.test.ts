import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byNight } from "../by-night.ts";
import { cardWith } from "../merchant/requests.ts";
import { hostileTexts } from "../report/hostile-shop.ts";
import { launch } from "./browser.ts";
import type { Browser } from "./browser.ts";
import { customerBrowser, press, servedService, SHOP } from "./customer.ts";
import type { ServedService } from "./customer.ts";
import { folder } from "./documents.ts";
import { picture } from "./pictures.ts";
import { unreadableWords } from "./unreadable-words.ts";
import { violationsIn } from "./violations.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
  mkdirSync(folder, { recursive: true });
});
afterAll(() => browser.close());

/** Every page, and every state of one that looks different: what leads there, and a text that stands on it. */
const pages: Readonly<
  Record<string, { readonly says: string; readonly go: (page: Page, service: ServedService) => Promise<unknown> }>
> = {
  "hosted page": { says: "How do you want to pay?", go: async (page, { checkout }) => page.goto(await checkout()) },
  "hosted page for a wallet": {
    says: "You go on to the wallet",
    async go(page, { checkout }) {
      await page.goto(await checkout());
      await page.getByTestId("method-grab_pay").check();
    },
  },
  "hosted page with wrong fields": {
    says: "Enter a month from 1 to 12",
    async go(page, { checkout }) {
      await page.goto(await checkout());
      await page.getByTestId("expiry-month").fill("13");
      await press(page, "pay");
    },
  },
  "hosted page after a decline": {
    says: "Your payment was declined: stolen card",
    async go(page, { sim, checkout }) {
      const url = await checkout();
      await page.goto(url);
      await press(page, "test-card-pm_card_stolen");
      await sim.clock.settle();
      await page.goto(url);
    },
  },
  bank: { says: "3-D Secure", go: async (page, { challenge }) => page.goto(await challenge("pm_card_challenge")) },
  "wallet before the log-in": {
    says: "Log in to GCash",
    go: async (page, { challenge }) => page.goto(await challenge("gcash")),
  },
  "wallet after the log-in": {
    says: "Do you confirm this payment?",
    async go(page, { challenge }) {
      await page.goto(await challenge("grab_pay"));
      await press(page, "log-in");
    },
  },
  "wallet that was left": {
    says: "You have left this page",
    async go(page, { challenge }) {
      await page.goto(await challenge("gcash"));
      await press(page, "leave");
    },
  },
  "displayed details": {
    says: "Quote the reference",
    async go(page, { checkout }) {
      await page.goto(await checkout());
      await press(page, "test-card-pm_display_details");
    },
  },
  "end of a paid session": {
    says: "It was charged once.",
    async go(page, { sim, checkout }) {
      const url = await checkout();
      await page.goto(url);
      await press(page, "test-card-pm_card_approved");
      await sim.clock.settle();
      await page.goto(url);
    },
  },
  "end of an expired session": {
    says: "This payment has expired",
    async go(page, { sim, checkout }) {
      const url = await checkout();
      await sim.clock.advance("2 days");
      await page.goto(url);
    },
  },
  "address without a payment": {
    says: "There is no such payment",
    go: async (page, { url }) => page.goto(`${url}/pay/nothing`),
  },
};

const looks = [
  [320, "light"],
  [1440, "dark"],
  ...byNight([
    [320, "dark"],
    [768, "light"],
    [768, "dark"],
    [1440, "light"],
  ] as const),
] as const;

describe.each(Object.entries(pages))("the %s", (name, { says, go }) => {
  test.each(looks)("is readable and accessible at %i px, %s, and loads nothing", async (width, colorScheme) => {
    const service = await servedService({ assumptions: { "checkout.retry": 2 } });
    const { page, complaints, requests } = await customerBrowser(browser, {
      viewport: { width, height: 900 },
      colorScheme,
      // axe is a script.
      javaScriptEnabled: true,
    });
    await go(page, service);
    expect(await page.locator("main").innerText()).toContain(says);
    await page.screenshot({
      path: join(folder, `${name.replaceAll(" ", "-")}-${width}-${colorScheme}.png`),
      fullPage: true,
    });
    expect(await violationsIn(page)).toEqual([]);
    expect(await unreadableWords(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
    expect(await unreadableWords(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(complaints).toEqual([]);
    expect(
      requests.filter((address) => !address.startsWith(`${service.url}/`) && !address.startsWith(`${SHOP}/`)),
    ).toEqual([]);
  });
});

test.each([
  ["hosted page", "hosted-page", { viewport: { width: 1240, height: 820 } }],
  ["hosted page with wrong fields", "hosted-page-wrong-fields", { viewport: { width: 420, height: 760 } }],
  ["bank", "challenge-page", { viewport: { width: 420, height: 760 }, colorScheme: "dark" }],
  ["end of a paid session", "end-of-a-payment", { viewport: { width: 420, height: 760 }, colorScheme: "dark" }],
] as const)("the %s is pictured for the guide", async (name, file, look) => {
  const { page } = await customerBrowser(browser, look);
  await pages[name]?.go(page, await servedService());
  await picture(page, file);
});

test("texts of a merchant and of a customer are shown as text on every page, whatever they are", async () => {
  for (const text of Object.values(hostileTexts).filter((each) => each !== hostileTexts.torn)) {
    const service = await servedService({}, text);
    const { page, complaints, requests } = await customerBrowser(browser, { javaScriptEnabled: true });
    const order = { description: text, externalId: text.slice(0, 200), contact: { name: text, email: "a@b.example" } };
    for (const url of [await service.checkout(order), await service.challenge("gcash", order)]) {
      await page.goto(url);
      expect(await page.locator("script, img, iframe, [onload], [onerror]").count()).toBe(0);
      const shown = await page.getByTestId("order").textContent();
      expect(shown?.replaceAll(/\s+/g, " ")).toContain(visible(text));
      expect((await page.getByTestId("merchant").textContent())?.replaceAll(/\s+/g, " ")).toContain(visible(text));
      expect(await page.title()).not.toBe("owned");
    }
    await press(page, "log-in");
    await press(page, "pass");
    expect(new URL(page.url()).origin).toBe(SHOP);
    expect(complaints).toEqual([]);
    expect(requests.every((address) => address.startsWith(service.url) || address.startsWith(SHOP))).toBe(true);
  }
});

/** A text as a parser of HTML keeps it: it drops NUL. */
function visible(text: string): string {
  return text.replaceAll("\u0000", "").replaceAll(/\s+/g, " ").trim();
}

describe("the hosted page", () => {
  test("is paid by keyboard alone, with the focus in sight and in the order of the page", async () => {
    const { sim, checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    const focused = async (): Promise<string> => {
      await page.keyboard.press("Tab");
      const { testId, outline } = await page.evaluate(() => {
        const at = document.activeElement;
        const seen = at?.closest(".tile") ?? at;
        return {
          testId: at?.getAttribute("data-testid") ?? "",
          outline: seen === null ? "" : getComputedStyle(seen).outlineStyle,
        };
      });
      expect(outline).toBe("solid");
      return testId;
    };
    expect(await focused()).toBe("method-card");
    for (const [testId, typed] of [
      ["card-number", "4343434343434345"],
      ["expiry-month", "12"],
      ["expiry-year", "30"],
      ["cvc", "123"],
    ]) {
      expect(await focused()).toBe(testId);
      await page.keyboard.type(typed ?? "");
    }
    expect([await focused(), await focused()]).toEqual(["pay", "cancel"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${SHOP}/**`);
    await sim.clock.settle();
    expect(sim.checkouts.last()?.status).toBe("completed");
  });

  test("and the wallet after it is, too", async () => {
    const { sim, challenge } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await challenge("gcash"));
    for (const next of ["log-in", "pass"]) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("data-testid"))).toBe(next);
      const led = page.waitForEvent("framenavigated");
      await page.keyboard.press("Enter");
      await led;
    }
    expect(new URL(page.url()).origin).toBe(SHOP);
    await sim.clock.settle();
    expect(sim.intents.last()?.status).toBe("succeeded");
  });

  test("Enter in a field pays, and does not cancel", async () => {
    const { sim, checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    const card = cardWith("4343434343434345");
    await page.getByTestId("card-number").fill(card.cardNumber);
    await page.getByTestId("expiry-month").fill(card.expMonth);
    await page.getByTestId("expiry-year").fill(card.expYear);
    await page.getByTestId("cvc").fill(card.cvc);
    await page.getByTestId("cvc").press("Enter");
    await page.waitForURL(`${SHOP}/**`);
    await sim.clock.settle();
    expect(sim.checkouts.last()?.status).toBe("completed");
  });

  test("tells what is wrong at the top, where the focus goes, and beside each field, and keeps what is no secret", async () => {
    const { checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    await page.getByTestId("card-number").fill("4343434343434345");
    await page.getByTestId("expiry-month").fill("13");
    await page.getByTestId("expiry-year").fill("2031");
    await page.getByTestId("cvc").fill("987");
    await press(page, "pay");
    expect(await page.title()).toMatch(/^Problem: /);
    expect(await page.getByRole("alert").innerText()).toBe(await page.getByTestId("problem").innerText());
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Check the card's number");
    const month = page.getByTestId("expiry-month");
    expect(await month.getAttribute("aria-invalid")).toBe("true");
    const description = `#${await month.getAttribute("aria-describedby")}`;
    expect(await page.locator(description).innerText()).toBe("Enter a month from 1 to 12");
    expect(await page.locator("[aria-invalid]").count()).toBe(1);
    const values = ["expiry-month", "expiry-year", "card-number", "cvc"].map((id) => page.getByTestId(id).inputValue());
    expect(await Promise.all(values)).toEqual(["13", "2031", "", ""]);
    await page.getByRole("link", { name: "Enter a month from 1 to 12" }).click();
    expect(await month.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
