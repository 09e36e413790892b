import type { Locator, Page } from "@playwright/test";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { RemoteSimulator } from "../remote/remote-simulator.ts";
import type { CustomerVisit } from "../simulator/customer.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { act, byTestId, leave, shownPage, submit } from "./customer-page.ts";
import { localSimulator } from "./world.ts";

/**
 * The page of the customer's bank or wallet in a browser.
 *
 * @example
 * await checkoutPage.pay("gcash");
 * const { status } = await challengePage.authenticate();
 */
export class ChallengePage {
  /** The name of the order, the amount, and what the page says when there is nothing to do. */
  readonly order: Locator;
  readonly amount: Locator;
  readonly outcome: Locator;
  readonly #page: Page;
  readonly #sim: Simulator;

  /**
   * The fixture `challengePage` is for the fixture `page`. For another page, such as a second tab, make one.
   * @param sim the fixture `sim`
   */
  constructor(page: Page, sim: RemoteSimulator) {
    this.#page = page;
    this.#sim = localSimulator("ChallengePage", sim);
    this.order = byTestId(page, "order");
    this.amount = byTestId(page, "amount");
    this.outcome = byTestId(page, "outcome");
  }

  /**
   * Passes the challenge: confirms the payment to the bank, or logs in to the wallet and confirms it there.
   * @param challenge the `redirectUrl`, or the id of an intent whose next action is `display_details`; by default the page that the browser
   *   is on
   * @returns what `sim.customer.authenticate` returns
   * @throws {CentavoError} `INVALID_URL` when the browser is on no challenge, `INVALID_STATE` when the challenge is over
   */
  authenticate(...challenge: readonly [challenge?: string | undefined]): Promise<CustomerVisit> {
    return act("challengePage.authenticate()", () => this.#answer("authenticate", "pass", challenge));
  }

  /**
   * Fails the challenge: refuses the payment.
   * @param challenge as for `authenticate`
   * @returns what `sim.customer.failAuthentication` returns
   * @throws {CentavoError} `INVALID_URL`, `INVALID_STATE`
   */
  failAuthentication(...challenge: readonly [challenge?: string | undefined]): Promise<CustomerVisit> {
    return act("challengePage.failAuthentication()", () => this.#answer("failAuthentication", "fail", challenge));
  }

  /**
   * Walks away from the page without an answer. The payment stays as it is until its time is over.
   * @param challenge as for `authenticate`
   * @returns the status of the payment
   * @throws {CentavoError} `INVALID_URL`
   */
  abandon(...challenge: readonly [challenge?: string | undefined]): Promise<CustomerVisit> {
    return act("challengePage.abandon()", async () => {
      const expected = { kind: "challenge", call: "challengePage.abandon" } as const;
      return leave(this.#page, await shownPage(this.#page, this.#sim, expected, challenge));
    });
  }

  async #answer(verb: string, answer: "pass" | "fail", challenge: readonly unknown[]): Promise<CustomerVisit> {
    const call = `challengePage.${verb}`;
    const shown = await shownPage(this.#page, this.#sim, { kind: "challenge", call }, challenge);
    const logIn = byTestId(this.#page, "log-in");
    if ((await logIn.count()) > 0) await logIn.click();
    const button = byTestId(this.#page, answer);
    if ((await this.outcome.count()) > 0)
      throw new CentavoError(
        "INVALID_STATE",
        `${call}: there is nothing to answer any more, for the payment is ${shown.status()}. The page says: ${await this.outcome.innerText()}`,
      );
    return submit(this.#page, shown, button);
  }
}
