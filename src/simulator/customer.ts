import { shownAddress } from "../kit/base/redaction/address.ts";
import type { Connections } from "../kit/receivers/connections.ts";
import type { Engine } from "../kit/engine/engine.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { ReceiverAnswer } from "../kit/receivers/receiver-answer.ts";
import type { CustomerCookies } from "./customer-cookies.ts";
import type { Service } from "../kit/http/callable-service.ts";
import type { CardDetails, PaymentMethodName } from "./payment-service.ts";

/** The result of a customer's action on a page. */
export interface CustomerVisit {
  /** The status of the checkout session or payment intent after the action. */
  readonly status: string;
  /** The URL to which the page redirected: a challenge page, or the merchant's `returnUrl` with its query. Absent without a redirect. */
  readonly redirectedTo?: string;
  /** The problem that the page reported, such as an invalid card number, or its status if it could not be opened. */
  readonly problem?: string;
}

/** A payment method as a customer enters it: a test method, a kind, the id of a stored card, or a card in full. */
export type CustomerMethod = PaymentMethodName | CardDetails;

/** A page on which a customer acts. */
export interface CustomerPage {
  readonly kind: "hosted page" | "challenge";
  /** The path below the base URL. */
  readonly path: string;
  /** Returns the current status of the page's session or intent, or undefined if the world no longer has it. */
  readonly status: () => string | undefined;
}

/** The pages of a service. */
export interface CustomerPages {
  /** Returns the page at a path below the base URL, or undefined. */
  readonly at: (path: string) => CustomerPage | undefined;
  /** Returns the path of a resource's challenge by the resource's id, because a `display_details` challenge has no URL. */
  readonly displayedBy: (id: string) => string | undefined;
}

/** The parts that `Customer` uses. */
export interface CustomerOptions {
  readonly engine: Engine;
  readonly service: Service;
  readonly pages: CustomerPages;
  readonly connections: Connections;
  readonly cookies: CustomerCookies;
  /** Returns what is wrong with a payment method that no page can know. */
  readonly complaintAbout: (method: string) => string | undefined;
}

/**
 * The customer in a browser. Every action posts the same form to the same route as a browser would, and then follows the redirect into the
 * merchant's app, with the cookies that the app has set there or in a `sim.visit`. A customer never moves the clock.
 *
 * @example
 * const { redirectedTo } = await sim.customer.pay(session.checkoutUrl, "pm_card_challenge");
 * await sim.customer.authenticate(redirectedTo);
 */
export class Customer {
  readonly #options: CustomerOptions;

  /** @internal */
  constructor(options: CustomerOptions) {
    this.#options = options;
  }

  /**
   * Pays on the hosted page.
   * @param checkoutUrl the session's `checkoutUrl`
   * @param method the id of a test method (`pm_card_approved`), a kind (`gcash`), or a card in full
   * @throws {CentavoError} `INVALID_URL` if the URL is not a hosted page of this simulator, `INVALID_OPTION` without a method, and for one that
   *   does not exist, with the nearest right one
   */
  async pay(checkoutUrl: string | undefined, method: CustomerMethod): Promise<CustomerVisit> {
    const page = this.#pageOf("pay", checkoutUrl, "hosted page");
    if (typeof method !== "string" && (typeof method !== "object" || method === null)) {
      throw new CentavoError(
        "INVALID_OPTION",
        `customer.pay(checkoutUrl, ${String(method)}): give a payment method: the id of a test method such as "pm_card_approved" (testMethods lists all), a kind such as "gcash", or a card in full.`,
      );
    }
    const complaint = typeof method === "string" ? this.#options.complaintAbout(method) : undefined;
    if (complaint !== undefined)
      throw new CentavoError("INVALID_OPTION", `customer.pay(checkoutUrl, method): ${complaint}.`);
    this.#note("pay", page, { method: this.#options.engine.journal.redaction.value(method) });
    const form = typeof method === "string" ? { action: "pay", method } : { action: "pay", method: "card", ...method };
    return this.#visit("pay", page, form);
  }

  /**
   * Passes a challenge: the page of the customer's bank or wallet, or the displayed details of an intent.
   * @param challenge the `redirectUrl`, or the id of an intent whose next action is `display_details`
   * @throws {CentavoError} `INVALID_URL` for anything else, including the undefined `redirectUrl` of a payment without a challenge
   */
  async authenticate(challenge: string | undefined): Promise<CustomerVisit> {
    return this.#answer("authenticate", challenge, "pass");
  }

  /**
   * Fails a challenge.
   * @param challenge the `redirectUrl`, or the id of an intent whose next action is `display_details`
   * @throws {CentavoError} `INVALID_URL`
   */
  async failAuthentication(challenge: string | undefined): Promise<CustomerVisit> {
    return this.#answer("failAuthentication", challenge, "fail");
  }

  /**
   * Cancels on the hosted page, which cancels the session.
   * @param checkoutUrl the session's `checkoutUrl`
   * @throws {CentavoError} `INVALID_URL`
   */
  async cancel(checkoutUrl: string | undefined): Promise<CustomerVisit> {
    const page = this.#pageOf("cancel", checkoutUrl, "hosted page");
    this.#note("cancel", page, {});
    return this.#visit("cancel", page, { action: "cancel" });
  }

  /**
   * Closes the browser on any page. The session or intent stays as it is until it expires.
   * @param url the `checkoutUrl` or `redirectUrl`
   * @throws {CentavoError} `INVALID_URL`
   */
  async abandon(url: string | undefined): Promise<CustomerVisit> {
    const page = this.#pageOf("abandon", url);
    this.#note("abandon", page, {});
    return { status: statusOf(page) };
  }

  async #answer(act: string, challenge: string | undefined, result: string): Promise<CustomerVisit> {
    const page = this.#pageOf(act, challenge, "challenge");
    this.#note(act, page, {});
    return this.#visit(act, page, { result });
  }

  async #visit(act: string, page: CustomerPage, form: Record<string, string>): Promise<CustomerVisit> {
    return this.#options.engine.testCalls.during(`customer.${act}(…)`, () => this.#submit(page, form));
  }

  async #submit(page: CustomerPage, form: Record<string, string>): Promise<CustomerVisit> {
    const { service } = this.#options;
    const address = service.baseUrl + page.path;
    const opened = await service.fetch(address);
    const response =
      opened.status === 200
        ? await service.fetch(address, { method: "POST", body: new URLSearchParams(form) })
        : opened;
    const location = response.headers.get("location");
    const status = statusOf(page);
    if (location === null) {
      const alert = /role="alert">([^<]+)/.exec(await response.text())?.[1];
      if (alert !== undefined) return { status, problem: unescaped(alert) };
      return response.ok ? { status } : { status, problem: `The page answered ${response.status}` };
    }
    if (!location.startsWith(`${service.baseUrl}/`)) await this.#comeBack(location);
    return { status, redirectedTo: location };
  }

  /** Opens the merchant's page, if an app is connected at its origin. */
  async #comeBack(location: string): Promise<void> {
    const { engine, connections } = this.#options;
    const { world, journal } = engine;
    const web = /^https?:/.test(location);
    const answer = web && connections.isConnected(location) ? await this.#open(location) : undefined;
    const to = journal.redaction.text(location.replace(/\?.*/s, ""));
    if (world !== engine.world) {
      engine.note(
        "late-answer",
        {},
        { type: "customer", event: "come back", url: to, answer: journal.redaction.value(answer) },
      );
      return;
    }
    const answered = answer?.kind === "answered" ? { status: answer.status } : {};
    engine.noteInput(
      "customer",
      { act: "come back", to, ...answered },
      answer === undefined ? undefined : { answer: journal.redaction.value(answer) },
    );
  }

  /** Opens a page of the merchant, to which the service leads the customer. */
  async #open(location: string): Promise<ReceiverAnswer> {
    const { engine, connections, cookies } = this.#options;
    const { world } = engine;
    const request = new Request(location);
    await cookies.addTo(request, "lax");
    let headers: Headers | undefined;
    const answer = await connections.send(request, (its) => (headers = its));
    if (headers !== undefined) await cookies.keep(headers, location, world);
    return answer;
  }

  #note(act: string, { path }: CustomerPage, details: Record<string, unknown>): void {
    const { engine } = this.#options;
    engine.noteInput("customer", { act, at: engine.journal.redaction.text(path), ...details });
  }

  #pageOf(act: string, url: string | undefined, expected?: CustomerPage["kind"]): CustomerPage {
    const { engine, service, pages } = this.#options;
    engine.runningClock.catchUp();
    engine.unawaited.throwBefore(`customer.${act}()`);
    if (typeof url !== "string") {
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${String(url)}): the URL is missing. A confirmation has a redirectUrl only if requiresAction is true, and a visit has redirectedTo only if the page redirected.`,
      );
    }
    const path = pages.displayedBy(url) ?? pathBelow(service.baseUrl, url);
    const page = path === undefined ? undefined : pages.at(path);
    if (page === undefined) {
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${JSON.stringify(shownAddress(url))}): this is not a ${expected ?? "page"} of this simulator. Take the checkoutUrl of a session or the redirectUrl of a confirmation; both start with ${service.baseUrl}.`,
      );
    }
    const { kind } = page;
    if (expected !== undefined && expected !== kind) {
      const wayOut =
        kind === "challenge"
          ? "use customer.authenticate, customer.failAuthentication or customer.abandon"
          : "use customer.pay, customer.cancel or customer.abandon";
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${JSON.stringify(shownAddress(url))}): this is a ${kind}; ${wayOut}.`,
      );
    }
    return page;
  }
}

function statusOf(page: CustomerPage): string {
  return page.status() ?? "unknown";
}

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

/** Decodes the entities of a text, as a browser does. */
function unescaped(markup: string): string {
  return markup.replaceAll(/&([a-z]+|#39);/g, (entity, name: string) => CHARACTERS[name] ?? entity);
}

/** Returns the path of a URL below the base URL. Accepts any origin, because a loopback port may serve the page. */
function pathBelow(baseUrl: string, url: string): string | undefined {
  if (url.startsWith(`${baseUrl}/`)) return url.slice(baseUrl.length);
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}
