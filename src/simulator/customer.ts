import { statusOf as checkoutStatusOf } from "../service/checkout/schema.ts";
import type { Checkout } from "../service/checkout/commands.ts";
import type { Connections } from "../receivers/connections.ts";
import type { Engine } from "../engine/engine.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { redact, redactText } from "../redaction/redaction.ts";
import type { Service } from "../http/service.ts";
import type { PaymentIntents } from "../service/payment-intents/commands.ts";
import { statusOf as intentStatusOf } from "../service/payment-intents/schema.ts";
import type { CardDetails } from "../service/payment-methods/schema.ts";

/** What a customer met after acting on a page. */
export interface CustomerVisit {
  /** The status of the checkout session or payment intent at this moment. */
  readonly status: string;
  /** Where the browser was sent: a challenge page, or the merchant's `returnUrl` with its query. Absent where a page stayed open. */
  readonly redirectedTo?: string;
  /** What the page said is wrong, such as an invalid card number, or that there was no page, as a fault may have it. */
  readonly problem?: string;
}

/** A method as a customer gives it: a test method's id or kind, or a card in full. */
export type CustomerMethod = string | CardDetails;

/** What `Customer` acts on. */
export interface CustomerOptions {
  readonly engine: Engine;
  readonly service: Service;
  readonly checkout: Checkout;
  readonly intents: PaymentIntents;
  readonly connections: Connections;
}

type Place = { readonly kind: "hosted page" | "challenge"; readonly id: string; readonly path: string };

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
   * @throws {CentavoError} `INVALID_URL` for anything but a hosted page of this simulator, `INVALID_OPTION` for what is no method
   */
  async pay(checkoutUrl: string | undefined, method: CustomerMethod): Promise<CustomerVisit> {
    const place = this.#placeOf("pay", checkoutUrl, "hosted page");
    if (typeof method !== "string" && (typeof method !== "object" || method === null)) {
      throw new CentavoError(
        "INVALID_OPTION",
        `customer.pay(checkoutUrl, ${String(method)}): the customer needs a method: a test method's id such as "pm_card_approved" (testMethods lists all), a kind such as "gcash", or a card in full.`,
      );
    }
    this.#note("pay", place, { method: redact(method) });
    const form = typeof method === "string" ? { action: "pay", method } : { action: "pay", method: "card", ...method };
    return this.#visit(place, form);
  }

  /**
   * Passes a challenge: the bank's page of a card, the authorisation of a wallet, or the displayed details of an intent.
   * @param challenge the `redirectUrl`, or the id of an intent whose next action is `display_details`
   * @throws {CentavoError} `INVALID_URL` for anything else, and for undefined, which is what a payment without a challenge gives
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
    const place = this.#placeOf("cancel", checkoutUrl, "hosted page");
    this.#note("cancel", place, {});
    return this.#visit(place, { action: "cancel" });
  }

  /** Closes the browser on any page. Nothing happens, except that time will pass. */
  async abandon(url: string | undefined): Promise<CustomerVisit> {
    const place = this.#placeOf("abandon", url);
    this.#note("abandon", place, {});
    return { status: this.#statusAt(place) };
  }

  async #answer(act: string, challenge: string | undefined, result: string): Promise<CustomerVisit> {
    const place = this.#placeOf(act, challenge, "challenge");
    this.#note(act, place, {});
    return this.#visit(place, { result });
  }

  async #visit(place: Place, form: Record<string, string>): Promise<CustomerVisit> {
    const { service } = this.#options;
    const address = service.baseUrl + place.path;
    const opened = await service.fetch(address);
    const response =
      opened.status === 200
        ? await service.fetch(address, { method: "POST", body: new URLSearchParams(form) })
        : opened;
    const location = response.headers.get("location");
    const status = this.#statusAt(place);
    if (location === null) {
      const alert = /role="alert">([^<]+)</.exec(await response.text())?.[1];
      if (alert !== undefined) return { status, problem: unescaped(alert) };
      return response.ok ? { status } : { status, problem: `The page answered ${response.status}` };
    }
    if (!location.startsWith(`${service.baseUrl}/`)) await this.#comeBack(location);
    return { status, redirectedTo: location };
  }

  /** The browser opens the merchant's page, where somebody is there to answer. */
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

  #note(act: string, { path }: Place, details: Record<string, unknown>): void {
    this.#options.engine.noteInput("customer", { act, at: path, ...details });
  }

  #statusAt({ kind, id }: Place): string {
    const { checkout, intents } = this.#options;
    const intent = kind === "challenge" ? intents.byChallenge(id) : undefined;
    const session = checkout.byToken(
      kind === "challenge" && intent?.data.purpose === "checkout" ? intent.data.sessionToken : id,
    );
    if (session !== undefined) return checkoutStatusOf[session.state];
    return intent === undefined ? "unknown" : intentStatusOf[intent.state];
  }

  #placeOf(act: string, url: string | undefined, expected?: Place["kind"]): Place {
    const { engine, service, intents, checkout } = this.#options;
    engine.unawaited.throwBefore(`customer.${act}()`);
    if (typeof url !== "string") {
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${String(url)}): there is no address. A confirmation has a redirectUrl only where requiresAction is true, and a visit has redirectedTo only where the browser was sent on.`,
      );
    }
    const displayed = url.startsWith("pi_") ? intents.get(url)?.data.challenge?.id : undefined;
    const path = displayed === undefined ? pathBelow(service.baseUrl, url) : `/authenticate/${displayed}`;
    const [, page, id = ""] = /^\/(pay|authenticate)\/([^/?#]+)$/.exec(path ?? "") ?? [];
    const kind = page === "pay" ? "hosted page" : "challenge";
    const known = page === "pay" ? checkout.byToken(id) : intents.byChallenge(id);
    if (path === undefined || page === undefined || known === undefined) {
      throw new CentavoError(
        "INVALID_URL",
        `customer.${act}(${JSON.stringify(url)}): this is no ${expected ?? "page"} of this simulator. Take the checkoutUrl of a session or the redirectUrl of a confirmation; both start with ${service.baseUrl}.`,
      );
    }
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
    return { kind, id, path };
  }
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
