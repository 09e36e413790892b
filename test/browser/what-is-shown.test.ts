import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { byNight } from "../by-night.ts";
import { reportOf } from "../../src/report/causes/cause-report.ts";
import { htmlReportOf } from "../../src/report/html-report.ts";
import { tabs } from "../../src/report/page/store.ts";
import { Merchant } from "../merchant.ts";
import { runIn } from "../report/read-report.ts";
import { launch, open, sizes } from "./browser.ts";
import { clubInTrouble } from "./club-in-trouble.ts";
import { fileOf } from "./documents.ts";
import { unreadableWords } from "./unreadable-words.ts";
import { violationsIn } from "./violations.ts";

let browser: Browser;
let html: string;
let report: string;

beforeAll(async () => {
  browser = await launch();
  html = await htmlReportOf(await clubInTrouble(), {
    title: "members > `ana` pays",
    outcome: "failed",
    explanation: {
      causes: [
        { name: "one", sentence: "the test calls `pay` without `await`", wayOut: "write `await pay()`" },
        { name: "two", sentence: "a second `cause`", wayOut: "none" },
      ],
    },
  });
  report = fileOf("club.html", html);
});
afterAll(async () => browser.close());

interface ShownRow {
  readonly text: string;
  /** The moment that stands above it. */
  readonly moment: string | undefined;
  readonly own: string | undefined;
  /** The texts in it that are not whole. */
  readonly cut: readonly string[];
}

/** Scrolls through the rows, and returns each as it is shown. */
async function shownRows(page: Page): Promise<readonly ShownRow[]> {
  return page.evaluate(async () => {
    const list = document.querySelector(".rows") as HTMLElement;
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const found = new Map<number, ShownRow>();
    list.scrollTop = 0;
    await painted();
    for (let end = -1; end !== list.scrollTop;) {
      end = list.scrollTop;
      for (const row of list.querySelectorAll(".row")) {
        const textOf = (selector: string) => row.querySelector(selector)?.textContent ?? undefined;
        const cut = [...row.querySelectorAll<HTMLElement>("*")].filter(
          (part) =>
            !part.classList.contains("visually-hidden") &&
            getComputedStyle(part).overflow !== "visible" &&
            (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1),
        );
        found.set(Number(row.ariaPosInSet), {
          text: textOf(".what") ?? textOf(".label") ?? "",
          moment: textOf(".moment time"),
          own: textOf(".own"),
          cut: cut.map((part) => part.textContent ?? ""),
        });
      }
      list.scrollTop += list.clientHeight / 2;
      await painted();
    }
    return [...found].toSorted(([one], [other]) => one - other).map(([, row]) => row);
  });
}

const listed = (isSequence: boolean) =>
  runIn(html).rows.filter(({ kind, isMinor }) => isMinor !== true && (isSequence || kind !== "answer"));

describe.for([1280, ...byNight([1680])])("at %i px", (width) => {
  test.for(["timeline", "sequence"] as const)("the messages of the %s are whole", async (view) => {
    const { page } = await open(browser, report, { viewport: { width, height: 900 } });
    await page.getByRole("tab", { name: view }).click();
    const shown = await shownRows(page);
    expect(shown.flatMap(({ cut }) => cut)).toEqual([]);
    expect(shown.map(({ text }) => text)).toEqual(
      listed(view === "sequence").map(({ text, label }) =>
        view === "sequence" ? (expect.stringContaining(label) as string) : text,
      ),
    );
  });

  test("no diagram in the details is cut", async () => {
    const { page } = await open(browser, report, { viewport: { width, height: 900 } });
    await page.getByLabel("Resource").selectOption({ index: 4 });
    await page.locator(".row").filter({ hasText: "past_due" }).first().click();
    const diagram = page.locator("#details .diagram");
    const [box, svg] = [await diagram.boundingBox(), await diagram.locator("svg").boundingBox()];
    expect([box?.width, box?.height]).toEqual([
      expect.toSatisfy((number: number) => number >= (svg?.width ?? Infinity)),
      expect.toSatisfy((number: number) => number >= (svg?.height ?? Infinity)),
    ]);
  });
});

test("a body of usual length stands whole in its line", () => {
  const [line = ""] = listed(false).flatMap(({ text }) => (text.includes("Left Hand of Darkness") ? [text] : []));
  expect(line).toMatch(
    /^POST \/api\/payment-intent \{ amount: 49900, .* note: "Leave it with the neighbour .* home" \} \}$/,
  );
});

test.for(["timeline", "sequence"] as const)("a moment stands once above its rows in the %s", async (view) => {
  const { page } = await open(browser, report);
  await page.getByRole("tab", { name: view }).click();
  const moments = listed(view === "sequence").map(({ at }) => at.replace("T", " ").replace(".000Z", ""));
  expect((await shownRows(page)).map(({ moment }) => moment)).toEqual(
    moments.map((moment, index) => (moment === moments[index - 1] ? undefined : moment)),
  );
});

test("the moves of a resource say a moment once", async () => {
  const { page } = await open(browser, report);
  await page.getByRole("tab", { name: "resources" }).click();
  const moments = await page.locator(".path tbody td:first-child").allInnerTexts();
  expect(moments.filter((moment) => moment !== "")).toEqual(["2026-01-01 00:00:00", "2026-01-01 01:00:00"]);
});

describe("the merchant's own names", () => {
  test.for(["timeline", "sequence"] as const)("stand in the rows of the %s", async (view) => {
    const { page } = await open(browser, report);
    await page.getByRole("tab", { name: view }).click();
    const { resources } = runIn(html);
    const names = listed(view === "sequence").map(({ about }) => {
      const own = new Set(about.map((index) => resources[index]?.name));
      return own.size === 0 ? undefined : [...own].join(", ");
    });
    expect(new Set(names)).toEqual(new Set([undefined, "order-1", "order-2", "ana"]));
    expect((await shownRows(page)).map(({ own }) => own)).toEqual(names);
  });

  test("stand on the cards, in the filter, in the details and in what is pending", async () => {
    const { page } = await open(browser, report);
    expect(await page.getByLabel("Resource").innerText()).toMatch(/payment intent order-1 pi_\w+…, failed/);
    expect(await page.locator("#details .about").innerText()).toMatch(/^only ana pi_/);
    await page.getByRole("tab", { name: /pending/ }).click();
    expect(await page.locator("#view").innerText()).toMatch(/subscription sub_\w+: it renews ana/);
    await page.getByRole("tab", { name: "resources" }).click();
    const cards = await page.locator(".card").allInnerTexts();
    expect(cards.filter((card) => !/order-1|order-2|ana\b/.test(card))).toEqual([]);
  });

  test("stand at each event and each page of the service", async () => {
    const { rows, resources } = runIn(html);
    const told = rows.filter(({ kind, text }) => kind === "delivery" || kind === "webhook" || text.includes("/pay/"));
    expect(told.some(({ text }) => text.startsWith("checkout.expired"))).toBe(true);
    expect(told.some(({ text }) => text.startsWith("GET /pay/"))).toBe(true);
    expect(told.filter(({ about }) => about.every((index) => resources[index]?.name === undefined))).toEqual([]);
  });

  test("are found by the search", async () => {
    const { page } = await open(browser, report);
    const all = (await shownRows(page)).filter(({ own }) => own === "order-2");
    await page.getByRole("searchbox").fill("order-2");
    expect(all.length).toBeGreaterThan(3);
    expect((await shownRows(page)).map(({ text }) => text)).toEqual(all.map(({ text }) => text));
  });

  test("are the customers' where the merchant gave none", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createPlan();
    await merchant.initiate(id, { contact: { name: "Ben Cruz", email: "ben@example.com" } });
    const { page } = await open(browser, fileOf("ben.html", await merchant.sim.report()));
    expect(await page.locator(".own").allInnerTexts()).toContain("Ben Cruz");
  });
});

test("the card of a subscription says its plan, its price and its customer", async () => {
  const { page } = await open(browser, report);
  await page.getByRole("tab", { name: "resources" }).click();
  expect(await page.locator(".card").filter({ hasText: "subscription" }).innerText()).toMatch(
    /^subscription\s+past_due\s+₱499\.00 every month\s+Coffee club\s+ana · Ana Reyes · sub_/,
  );
});

test.for([sizes.phone.width, 1280])(
  "every view has readable words, whole and within a page of %i px",
  async (width) => {
    const { page } = await open(browser, report, { viewport: { width, height: 900 } });
    for (const view of tabs) {
      await page.getByRole("tab", { name: view }).click();
      expect(await unreadableWords(page), view).toEqual([]);
    }
  },
);

test("a failure without a cause says what to look at, as the terminal does", async () => {
  const merchant = await Merchant.open();
  await merchant.createIntent();
  const error = new Error("the shelf is empty");
  const [found = "", lookAt = ""] = reportOf(merchant.sim, error).split("\n");
  const document = await htmlReportOf(merchant.sim, { outcome: "failed", error });
  const { page } = await open(browser, fileOf("no-cause.html", document));
  const shown = (await page.locator(".verdict").innerText()).replaceAll(/\s+/g, " ").toLowerCase();
  expect(lookAt).toMatch(/^ {2}Look at: the error itself, /);
  for (const line of [found.replace(":", ""), lookAt.trim()]) expect(shown).toContain(line.toLowerCase());
});

describe("text between backticks is code", () => {
  test("in titles, causes, ways out and assumptions", async () => {
    const { page } = await open(browser, report);
    expect(await page.locator("h1 code").innerText()).toBe("ana");
    expect(await page.locator(".sentence code").allInnerTexts()).toEqual(["pay", "await"]);
    expect(await page.locator(".way-out code").allInnerTexts()).toEqual(["await pay()"]);
    expect(await page.locator(".also code").allInnerTexts()).toEqual(["cause"]);
    expect(await page.locator(".summary").innerText()).not.toContain("`");
    await page.getByRole("tab", { name: "assumptions" }).click();
    expect(await page.locator("#view").innerText()).not.toContain("`");
    const codes = page.locator("#view td:nth-child(2) code");
    const displays = await codes.evaluateAll((each) => each.map((code) => getComputedStyle(code).display));
    expect(displays.length).toBeGreaterThan(5);
    expect(new Set(displays)).toEqual(new Set(["inline"]));
  });

  test("but what a call carries keeps its backticks", async () => {
    const merchant = await Merchant.open();
    await merchant.createIntent({ description: "1 × `Emma`" });
    const { page } = await open(browser, fileOf("backticks.html", await merchant.sim.report()));
    expect(await page.locator(".rows").innerText()).toContain('description: "1 × `Emma`"');
  });
});

// Light colours are in report.test.ts by day, too.
test.for(["dark", ...byNight(["light"] as const)] as const)(
  "axe finds nothing wrong with names, moments and cards in %s",
  async (colorScheme) => {
    const { page } = await open(browser, report, { colorScheme });
    for (const view of tabs) {
      await page.getByRole("tab", { name: view }).click();
      expect(await violationsIn(page), view).toEqual([]);
    }
  },
);
