import type { Connections } from "../receivers/connections.ts";
import type { Engine } from "../engine/engine.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { redact, redactText } from "../redaction/redaction.ts";
import type { Service } from "../http/service.ts";
import type { CardDetails } from "./payment-service.ts";

/** What a customer met after acting on a page. */
export interface CustomerVisit {
  /** The status of the checkout session or payment intent at this moment. */
  readonly status: string;
  /** Where the browser was sent: a challenge page, or the merchant's `returnUrl` with its query. Absent when the page stayed open. */
  readonly redirectedTo?: string;
  /** What the page said was wrong, such as an invalid card number; or that a fault kept the page away. */
  readonly problem?: string;
}

/** A method as a customer gives it: a test method's id or kind, or a card in full. */
export type CustomerMethod = string | CardDetails;

/** A page at which a customer acts. */
export interface CustomerPage {
  readonly kind: "hosted page" | "challenge";
  /** Its path below the base URL. */
  readonly path: string;
  /** Returns the status, at this moment, of what the page is about; undefined when the world no longer has it. */
  readonly status: () => string | undefined;
}

/** Where a service has its pages. */
export interface CustomerPages {
  /** Returns the page at a path below the base URL. */
  readonly at: (path: string) => CustomerPage | undefined;
  /** Returns the path of the challenge whose details a resource displays, because nobody is sent to it. */
  readonly displayedBy: (id: string) => string | undefined;
}

/** What `Customer` acts on. */
export interface CustomerOptions {
  readonly engine: Engine;
  readonly service: Service;
  readonly pages: CustomerPages;
  readonly connections: Connections;
}

/**
 * The human at the hosted page. Every act goes through the pages that a browser would use: the same forms to the same routes;
 * afterwards the browser follows the way back into the merchant's app. A customer never moves the clock.
 *
 * @example
 * const { redirectedTo } = await sim.customer.pay(session.checkoutUrl, "pm_card_challenge");
 * await sim.customer.authenticate(redirectedTo);
 */
export class Customer {
  readonly #options: CustomerOptions;

  constructor(options: CustomerOptions) {
    this.#options = options;
  }

  /**
   * Opens the hosted page and pays.
   * @param checkoutUrl the session's `checkoutUrl`
   * @param method a test method's id (`pm_card_approved`), a kind (`gcash`), or a card in full
   * @throws {CentavoError} `INVALID_URL` for anything but a hosted page of this simulator, `INVALID_OPTION` for anything but a method
   */
  async pay(checkoutUrl: string | undefined, method: CustomerMethod): Promise<CustomerVisit> {
    const page = this.#pageOf("pay", checkoutUrl, "hosted page");
    if (typeof method !== "string" && (typeof method !== "object" || method === null)) {
      throw new CentavoError(
        "INVALID_OPTION",
        `customer.pay(checkoutUrl, ${String(method)}): the customer needs a method: a test method's id such as "pm_card_approved" (testMethods lists all), a kind such as "gcash", or a card in full.`,
      );
    }
    this.#note("pay", page, { method: redact(method) });
    const form = typeof method === "string" ? { action: "pay", method } : { action: "pay", method: "card", ...method };
    return this.#visit(page, form);
  }

  /**
   * Passes a challenge: the bank's page of a card, the authorisation of a wallet, or the displayed details of an intent.
   * @param challenge the `redirectUrl`, or the id of an intent whose next action is `display_details`
   * @throws {CentavoError} `INVALID_URL` for anything else, and for undefined, which a payment without a challenge gives
   */
  async authenticate(challenge: string | undefined): Promise<CustomerVisit> {
    return this.#answer("authenticate", challenge, "pass");
  }

  /** Fails a challenge. */
  async failAuthentication(challenge: string | undefined): Promise<CustomerVisit> {
    return this.#answer("failAuthentication", challenge, "fail");
  }

  /** Gives up on the hosted page, which cancels the session. */
  async cancel(checkoutUrl: string | undefined): Promise<CustomerVisit> {
    const page = this.#pageOf("cancel", checkoutUrl, "hosted page");
    this.#note("cancel", page, {});
    return this.#visit(page, { action: "cancel" });
  }

  /** Closes the browser on any page. Nothing happens until time passes. */
  async abandon(url: string | undefined): Promise<CustomerVisit> {
    const page = this.#pageOf("abandon", url);
    this.#note("abandon", page, {});
    return { status: statusOf(page) };
  }

  async #answer(act: string, challenge: string | undefined, result: string): Promise<CustomerVisit> {
    const page = this.#pageOf(act, challenge, "challenge");
    this.#note(act, page, {});
    return this.#visit(page, { result });
  }

  async #visit(page: CustomerPage, form: Record<string, string>): Promise<CustomerVisit> {
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
      const alert = /role="alert">([^<]+)</.exec(await response.text())?.[1];
      if (alert !== undefined) return { status, problem: unescaped(alert) };
      return response.ok ? { status } : { status, problem: `The page answered ${response.status}` };
    }
    if (!location.startsWith(`${service.baseUrl}/`)) await this.#comeBack(location);
    return { status, redirectedTo: location };
  }

  /** Opens the merchant's page, if an app is connected there. */
  async #comeBack(location: string): Promise<void> {
    const { engine, connections } = this.#options;
    const { world } = engine;
    const web = /^https?:/.test(location);
    const answer = web && connections.isConnected(location) ? await connections.send(new Request(location)) : undefined;
    const to = redactText(location.replace(/\?.*/s, ""));
    if (world !== engine.world) {
      engine.note("late-answer", {}, { type: "customer", event: "come back", url: to, answer: redact(answer) });
      return;
    }
    const answered = answer?.kind === "answered" ? { status: answer.status } : {};
    engine.noteInput(
      "customer",
      { act: "come back", to, ...answered },
      answer === undefined ? undefined : { answer: redact(answer) },
    );
  }

  #note(act: string, { path }: CustomerPage, details: Record<string, unknown>): void {
    this.#options.engine.noteInput("customer", { act, at: path, ...details });
  }

  #pageOf(act: string, url: string | undefined, expected?: CustomerPage["kind"]): CustomerPage {
    const { engine, service, pages } = this.#options;
    engine.unawaited.throwBefore(`customer.${act}()`);
    if (typeof url !== "string") {
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${String(url)}): there is no address. A confirmation has a redirectUrl only where requiresAction is true, and a visit has redirectedTo only where the browser was sent on.`,
      );
    }
    const path = pages.displayedBy(url) ?? pathBelow(service.baseUrl, url);
    const page = path === undefined ? undefined : pages.at(path);
    if (page === undefined) {
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${JSON.stringify(url)}): this is not a ${expected ?? "page"} of this simulator. Take the checkoutUrl of a session or the redirectUrl of a confirmation; both start with ${service.baseUrl}.`,
      );
    }
    const { kind } = page;
    if (expected !== undefined && expected !== kind) {
      const wayOut =
        kind === "challenge"
          ? "a challenge is answered with customer.authenticate or customer.failAuthentication, or left with customer.abandon"
          : "a hosted page is left with customer.pay, customer.cancel or customer.abandon";
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${JSON.stringify(url)}): this is a ${kind}, and ${wayOut}.`,
      );
    }
    return page;
  }
}

function statusOf(page: CustomerPage): string {
  return page.status() ?? "unknown";
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** A text as the browser shows it. */
function unescaped(markup: string): string {
  return markup.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
}

/** Any origin will do: the page may have been reached through a loopback port. */
function pathBelow(baseUrl: string, url: string): string | undefined {
  if (url.startsWith(`${baseUrl}/`)) return url.slice(baseUrl.length);
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}
