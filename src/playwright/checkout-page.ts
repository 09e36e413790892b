import type { Locator, Page } from "@playwright/test";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import type { RemoteSimulator } from "../remote/remote-simulator.ts";
import { shown } from "../simulator/shown.ts";
import type { CustomerMethod, CustomerPage, CustomerVisit } from "../simulator/customer.ts";
import type { CardDetails } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { act, byTestId, leave, shownPage, submit } from "./customer-page.ts";
import { localSimulator } from "./world.ts";

/** The input of each detail of a card. */
const CARD_INPUTS = {
  cardNumber: "card-number",
  expMonth: "expiry-month",
  expYear: "expiry-year",
  cvc: "cvc",
} as const satisfies Record<keyof CardDetails, string>;

/** The kinds that the page offers as a choice, with the test method that each stands for. */
const KINDS: Readonly<Record<string, string>> = { pm_gcash: "gcash", pm_grab_pay: "grab_pay" };

/**
 * The hosted page in a browser.
 *
 * @example
 * await page.getByRole("button", { name: "Pay" }).click();
 * const { status } = await checkoutPage.pay("pm_card_approved");
 */
export class CheckoutPage {
  /** The parts of the page that a customer reads. */
  readonly merchant: Locator;
  readonly order: Locator;
  readonly amount: Locator;
  readonly timeLeft: Locator;
  /** What is wrong with the card that was declined or mistyped. */
  readonly problem: Locator;
  /** What the page says when there is nothing to pay. */
  readonly outcome: Locator;
  readonly #page: Page;
  readonly #sim: Simulator;

  /**
   * The fixture `checkoutPage` is for the fixture `page`. For another page, such as a second tab, make one.
   * @param sim the fixture `sim`
   */
  constructor(page: Page, sim: RemoteSimulator) {
    this.#page = page;
    this.#sim = localSimulator("CheckoutPage", sim);
    this.merchant = byTestId(page, "merchant");
    this.order = byTestId(page, "order");
    this.amount = byTestId(page, "amount");
    this.timeLeft = byTestId(page, "time-left");
    this.problem = byTestId(page, "problem");
    this.outcome = byTestId(page, "outcome");
  }

  /**
   * Pays on the hosted page that the browser is on.
   * @param method the id of a test method that the page offers (`pm_card_approved`), a kind (`gcash`), or a card in full
   * @returns what `sim.customer.pay` returns, once the browser is where the page leads
   * @throws {CentavoError} `INVALID_URL` when the browser is on no hosted page, `INVALID_OPTION` for a method that the page does not offer,
   *   `INVALID_STATE` when there is nothing to pay
   */
  pay(method: CustomerMethod): Promise<CustomerVisit>;
  /**
   * Opens a hosted page and pays there.
   * @param checkoutUrl the session's `checkoutUrl`
   */
  pay(checkoutUrl: string | undefined, method: CustomerMethod): Promise<CustomerVisit>;
  pay(...given: readonly unknown[]): Promise<CustomerVisit> {
    const method = given.at(-1);
    const named = typeof method === "string" ? JSON.stringify(method) : "…";
    return act(`checkoutPage.pay(${named})`, () => this.#pay(given.slice(0, -1), method));
  }

  /**
   * Cancels on the hosted page, which cancels the session.
   * @param checkoutUrl the session's `checkoutUrl`; by default the page that the browser is on
   * @returns what `sim.customer.cancel` returns
   * @throws {CentavoError} `INVALID_URL`, `INVALID_STATE`
   */
  cancel(...checkoutUrl: readonly [checkoutUrl?: string | undefined]): Promise<CustomerVisit> {
    return act("checkoutPage.cancel()", async () => {
      const page = await this.#open("checkoutPage.cancel", checkoutUrl);
      return submit(this.#page, page, byTestId(this.#page, "cancel"));
    });
  }

  /**
   * Walks away from the hosted page. The session stays as it is until it expires.
   * @param checkoutUrl the session's `checkoutUrl`; by default the page that the browser is on
   * @returns the status of the session
   * @throws {CentavoError} `INVALID_URL`
   */
  abandon(...checkoutUrl: readonly [checkoutUrl?: string | undefined]): Promise<CustomerVisit> {
    return act("checkoutPage.abandon()", async () => {
      const expected = { kind: "hosted page", call: "checkoutPage.abandon" } as const;
      return leave(this.#page, await shownPage(this.#page, this.#sim, expected, checkoutUrl));
    });
  }

  async #open(call: string, checkoutUrl: readonly unknown[]): Promise<CustomerPage> {
    const page = await shownPage(this.#page, this.#sim, { kind: "hosted page", call }, checkoutUrl);
    if ((await this.outcome.count()) === 0) return page;
    throw new CentavoError(
      "INVALID_STATE",
      `${call}: there is nothing to pay, for the session is ${page.status()}. The page says: ${await this.outcome.innerText()}`,
    );
  }

  async #pay(checkoutUrl: readonly unknown[], method: unknown): Promise<CustomerVisit> {
    if (typeof method !== "string" && (typeof method !== "object" || method === null))
      throw new CentavoError(
        "INVALID_OPTION",
        `checkoutPage.pay(${String(method)}): give a payment method: the id of a test method such as "pm_card_approved", a kind such as "gcash", or a card in full.`,
      );
    const page = await this.#open("checkoutPage.pay", checkoutUrl);
    if (typeof method === "object") return this.#payByCard(page, method);
    const kind = KINDS[method] ?? method;
    const offered = await this.#offered();
    if (kind !== "card" && offered.kinds.includes(kind)) return this.#payByKind(page, kind);
    const id = kind === "card" ? "pm_card_approved" : kind;
    if (offered.cards.includes(id)) return submit(this.#page, page, byTestId(this.#page, `test-card-${id}`));
    throw new CentavoError(
      "INVALID_OPTION",
      `checkoutPage.pay(${shown(method)}): ${unknownName("the payment method", method, [...offered.kinds, ...offered.cards])}. These are on the page; a card in full can be entered, too.`,
    );
  }

  async #payByKind(page: CustomerPage, kind: string): Promise<CustomerVisit> {
    await byTestId(this.#page, `method-${kind}`).check();
    return submit(this.#page, page, byTestId(this.#page, "pay"));
  }

  async #payByCard(page: CustomerPage, card: Partial<CardDetails>): Promise<CustomerVisit> {
    await byTestId(this.#page, "method-card").check();
    for (const [detail, input] of Object.entries(CARD_INPUTS))
      await byTestId(this.#page, input).fill(card[detail as keyof CardDetails] ?? "");
    return submit(this.#page, page, byTestId(this.#page, "pay"));
  }

  /** Reads what the page offers from its test ids. */
  async #offered(): Promise<{ readonly kinds: readonly string[]; readonly cards: readonly string[] }> {
    const named = async (prefix: string): Promise<readonly string[]> => {
      const elements = await this.#page.locator(`[data-testid^="${prefix}"]`).all();
      const ids = await Promise.all(elements.map((element) => element.getAttribute("data-testid")));
      return ids.map((id) => (id ?? "").slice(prefix.length));
    };
    return { kinds: await named("method-"), cards: await named("test-card-") };
  }
}
