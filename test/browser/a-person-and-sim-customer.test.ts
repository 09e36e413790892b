import type { Simulator } from "centavo";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardWith } from "../merchant/requests.ts";
import { launch } from "./browser.ts";
import type { Browser } from "./browser.ts";
import { customerBrowser, press, servedService } from "./customer.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The entries of a run but for what `sim.customer` notes of itself: the acts of a person are known by their requests alone. */
function journalOf(sim: Simulator): object[] {
  return sim.journal.entries
    .filter(({ kind }) => kind !== "customer")
    .map(({ kind, at, details }) => ({ kind, at, details }));
}

const CARD = cardWith("4343 4343 4343 4345");

async function typeCard(page: Page, card: typeof CARD): Promise<void> {
  await page.getByTestId("card-number").fill(card.cardNumber);
  await page.getByTestId("expiry-month").fill(card.expMonth);
  await page.getByTestId("expiry-year").fill(card.expYear);
  await page.getByTestId("cvc").fill(card.cvc);
}

interface Row {
  readonly title: string;
  readonly person: (page: Page) => Promise<void>;
  readonly customer: (sim: Simulator, checkoutUrl: string) => Promise<unknown>;
}

const pressing =
  (...testIds: readonly string[]) =>
  async (page: Page): Promise<void> =>
    press(page, ...testIds);

const rows: readonly Row[] = [
  {
    title: "pays with a card that is typed",
    async person(page) {
      await typeCard(page, CARD);
      await press(page, "pay");
    },
    customer: ({ customer }, url) => customer.pay(url, CARD),
  },
  {
    title: "corrects a card that is refused",
    async person(page) {
      await typeCard(page, { ...CARD, cvc: "" });
      await press(page, "pay");
      // sim.customer opens the page before each of its acts.
      await page.goto(page.url());
      await typeCard(page, CARD);
      await press(page, "pay");
    },
    async customer({ customer }, url) {
      await customer.pay(url, { ...CARD, cvc: "" });
      await customer.pay(url, CARD);
    },
  },
  {
    title: "pays with a test card in one click",
    person: pressing("test-card-pm_card_stolen"),
    customer: ({ customer }, url) => customer.pay(url, "pm_card_stolen"),
  },
  {
    title: "chooses GCash, logs in and confirms",
    async person(page) {
      await page.getByTestId("method-gcash").check();
      await press(page, "pay", "log-in", "pass");
    },
    async customer({ customer }, url) {
      await customer.authenticate((await customer.pay(url, "gcash")).redirectedTo);
    },
  },
  {
    title: "types a card, changes to GrabPay and refuses there",
    async person(page) {
      await typeCard(page, CARD);
      await page.getByTestId("method-grab_pay").check();
      await press(page, "pay", "log-in", "fail");
    },
    async customer({ customer }, url) {
      await customer.failAuthentication((await customer.pay(url, "grab_pay")).redirectedTo);
    },
  },
  {
    title: "passes 3-D Secure",
    person: pressing("test-card-pm_card_challenge", "pass"),
    async customer({ customer }, url) {
      await customer.authenticate((await customer.pay(url, "pm_card_challenge")).redirectedTo);
    },
  },
  {
    title: "leaves 3-D Secure",
    person: pressing("test-card-pm_card_challenge", "leave"),
    async customer(sim, url) {
      const { redirectedTo } = await sim.customer.pay(url, "pm_card_challenge");
      // A browser opens the page before it leaves it.
      await sim.fetch(redirectedTo ?? "");
      await sim.customer.abandon(redirectedTo);
    },
  },
  {
    title: "acts on displayed details",
    person: pressing("test-card-pm_display_details", "pass"),
    async customer({ customer }, url) {
      await customer.authenticate((await customer.pay(url, "pm_display_details")).redirectedTo);
    },
  },
  {
    title: "cancels with a half of a card typed",
    async person(page) {
      await page.getByTestId("card-number").fill("4343");
      await press(page, "cancel");
    },
    customer: ({ customer }, url) => customer.cancel(url),
  },
];

test.each(rows)("a person who $title leaves the journal that sim.customer leaves", async ({ person, customer }) => {
  const [byHand, byCode] = [await servedService(), await servedService()];
  const { page } = await customerBrowser(browser);
  await page.goto(await byHand.checkout());
  await person(page);
  await byHand.sim.clock.advance("2 hours");

  await byCode.checkout();
  await customer(byCode.sim, byCode.sim.checkouts.last()?.checkoutUrl ?? "");
  await byCode.sim.clock.advance("2 hours");

  expect(journalOf(byHand.sim)).toEqual(journalOf(byCode.sim));
  expect(byHand.sim.checkouts.list().map(({ status }) => status)).toEqual(
    byCode.sim.checkouts.list().map(({ status }) => status),
  );
});
