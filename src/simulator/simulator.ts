import type { Coverage, CoverageScope } from "./coverage-result.ts";
import { Customer } from "./customer.ts";
import type { Described } from "../kit/declaration/openapi-document.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import { toSettings } from "./simulator-options.ts";
import type { Settings } from "./simulator-options.ts";
import type { Recording } from "./payment-recording.ts";
import { testPerformerOf } from "./acts.ts";
import type { Perform } from "./acts.ts";
import {
  credentialsOf,
  currencies,
  customerPages,
  intentView,
  ledgerOf,
  paymentService,
  readersOf,
  unknownMethod,
} from "./payment-service.ts";
import type {
  AssumptionId,
  CardDetails,
  Credentials,
  Fault,
  IntentView,
  IssuedToken,
  Ledger,
  PaymentWorld,
  Readers,
  SimulatorOptions,
  WebhookEvent,
} from "./payment-service.ts";
import { tellOpened } from "./opened-simulators.ts";
import { ServiceSimulator } from "./service-simulator.ts";
import type { Internals } from "./service-simulator.ts";
import { rememberingOrigin } from "./view-origin.ts";
import { checkSwitch } from "./worlds.ts";
import type { ForkOrigin } from "./worlds.ts";

export type { Credentials } from "./payment-service.ts";
export type { Snapshot } from "./snapshot.ts";

type Acts = typeof paymentService.acts;

/** What a simulator loads when a test first asks for it. */
export interface Loaders {
  readonly report: () => Promise<{ htmlReport(sim: Simulator, path?: string): Promise<string> }>;
  readonly coverage: () => Promise<{ coverageOf(sim: Simulator, scope?: CoverageScope): Coverage }>;
}

/**
 * A payment service that runs inside a test. It answers the merchant's HTTP calls, moves payments through their lifecycles on a clock that the
 * test controls, and sends signed webhooks.
 *
 * @example
 * const sim = createSimulator({ seed: 42 });
 * sim.connect("https://shop.example", app);
 * const response = await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret }) });
 * await sim.clock.settle();
 */
export type Simulator = PaymentSimulator & Readers;

/** A simulator, whose readers its constructor opens. */
class PaymentSimulator extends ServiceSimulator<Fault, AssumptionId, Recording, WebhookEvent> {
  readonly #perform: Perform<Acts>;
  readonly #loaders: Loaders;
  #keepsTokens: boolean;

  /**
   * The customer on the hosted page and on challenge pages.
   *
   * @example
   * const { redirectedTo } = await sim.customer.pay(session.checkoutUrl, "pm_card_challenge");
   */
  readonly customer: Customer;

  /** @internal Use `createSimulator` or `fork`. */
  constructor(loaders: Loaders, settings: Settings, origin?: ForkOrigin<Simulator>) {
    super(paymentService, settings, origin);
    this.#loaders = loaders;
    this.#keepsTokens = origin !== undefined && origin.parent.#keepsTokens;
    const { parts, connections } = this.internals;
    const { baseUrl, authUrl } = this;
    tellOpened({ baseUrl, authUrl, world: parts.engine.identity });
    this.#perform = testPerformerOf(parts, paymentService.acts);
    for (const [name, reader] of Object.entries(readersOf(parts)))
      if (!(name in this)) Object.defineProperty(this, name, { value: rememberingOrigin(this, name, reader) });
    const pages = customerPages(parts.checkout, parts.intents);
    this.customer = new Customer({
      engine: parts.engine,
      service: this,
      pages,
      connections,
      cookies: parts.cookies,
      complaintAbout: (method) => unknownMethod("the payment method", method),
    });
  }

  /** @internal */
  override get internals(): Internals<PaymentWorld> {
    // The world that `paymentService` opened.
    return super.internals as Internals<PaymentWorld>;
  }

  get #whole(): Simulator {
    return this as this & Readers;
  }

  /** @internal Creates another simulator, for the report to play a recording in. */
  another(options: SimulatorOptions): Simulator {
    return openSimulator(this.#loaders, toSettings(options));
  }

  override fork(options: { readonly connect?: boolean } = {}): Simulator {
    return this.forkAt(this.baseUrl, options);
  }

  /** @internal For a server, on which each world has an address of its own. */
  forkAt(baseUrl: string, options: { readonly connect?: boolean }): Simulator {
    checkSwitch("sim.fork", "connect", options);
    const { settings } = this.internals;
    const authUrl = settings.authUrl === settings.baseUrl ? baseUrl : settings.authUrl;
    const origin = { parent: this.#whole, connect: options.connect === true };
    return openSimulator(this.#loaders, { ...settings, baseUrl, authUrl }, origin);
  }

  /**
   * The first merchant's id and credentials, and the admin key (`auth.secrets`). `POST /merchants` registers further merchants.
   *
   * @example
   * const { clientId, clientSecret, merchantId } = sim.credentials;
   */
  get credentials(): Credentials {
    return credentialsOf(this.internals.parts);
  }

  /**
   * Payment intents, including those of checkout sessions. `cancel` acts as the service's back office (`intent.cancel`). It throws `NOT_FOUND`,
   * or `INVALID_STATE` for an intent that is processing, final or of a checkout session.
   *
   * @example
   * console.log(sim.intents.last()?.status);
   */
  get intents(): Readers["intents"] & { cancel(id: string): IntentView } {
    const { parts } = this.internals;
    return {
      ...rememberingOrigin(this, "intents", readersOf(parts).intents),
      cancel: (id) => structuredClone(intentView(this.#perform("cancel", { intent: id }), parts.intents)),
    };
  }

  /**
   * Returns a double-entry ledger of every payment in one currency. A succeeded payment moves its amount from the customers to the merchant
   * and the fees.
   * @param currency the code of ISO 4217; only a plan can name another than PHP
   * @throws {CentavoError} `INVALID_OPTION` for an unknown code, `INVALID_STATE` when the payments come to more than `Number.MAX_SAFE_INTEGER` of the smallest unit, which no number counts exactly
   *
   * @example
   * expect(sim.ledger().balance).toBe(0);
   * expect(sim.ledger("USD").lines).toEqual([]);
   */
  ledger(currency = "PHP"): Ledger {
    const complaint = unknownName("the currency", currency, currencies);
    if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `sim.ledger: ${complaint}.`);
    return ledgerOf(this.internals.parts.transactions, currency);
  }

  /** @internal For `centavo/testing`: makes access tokens of earlier tests valid in this world, and its own after each `reset`. */
  keepTokens(tokens: readonly IssuedToken[]): void {
    this.#keepsTokens = true;
    this.#takeTokens(tokens);
  }

  #takeTokens(tokens: readonly IssuedToken[]): void {
    const { merchants } = this.internals.parts;
    const own = tokens.filter(({ merchantId }) => merchants.get(merchantId) !== undefined);
    if (own.length > 0) this.#perform("keep-tokens", { tokens: own });
  }

  /**
   * Replaces the world by the one just after `createSimulator`. Connections stay.
   * @param options `keepTokens: true` leaves the merchant's access tokens valid, for a shop that keeps its token. In a test of
   *   `withSimulator` or `simulated` with `keepTokens`, that is the default.
   * @throws {CentavoError} `INVALID_OPTION`
   *
   * @example
   * afterEach(() => sim.reset());
   */
  override reset(options: { readonly keepTokens?: boolean } = {}): void {
    checkSwitch("sim.reset", "keepTokens", options);
    const { auth } = this.internals.parts;
    const tokens = auth.issuedTokens();
    super.reset();
    if (options.keepTokens ?? this.#keepsTokens) this.#takeTokens(tokens);
    else auth.noteReset(tokens);
  }

  /**
   * Returns the report of the run so far: one HTML document for a browser, which loads nothing and holds no secret. It has the timeline,
   * the sequence of messages with their headers and bodies, the path of each resource through its states, what is pending, the coverage,
   * and the likely causes of a failure.
   * @param path the file to write it to, too; folders above it are created
   * @throws {CentavoError} `INVALID_OPTION` when the file cannot be written, `INVALID_STATE` where there is no file system
   *
   * @example
   * await sim.report("report.html");
   */
  async report(path?: string): Promise<string> {
    return (await this.#loaders.report()).htmlReport(this.#whole, path);
  }

  /**
   * Returns which states, moves, events, errors, faults, customers and time rules of the service this simulator went through, and which it
   * never saw. As a string, a table. Fixtures count.
   * @param scope what is counted, such as `{ only: ["subscription", "invoice"] }`; everything by default
   * @throws {CentavoError} `INVALID_OPTION` for an unknown option or kind of resource, with the nearest right one
   *
   * @example
   * console.log(String(await sim.coverage()));
   */
  async coverage(scope?: CoverageScope): Promise<Coverage> {
    return (await this.#loaders.coverage()).coverageOf(this.#whole, scope);
  }

  /**
   * Returns the OpenAPI 3.1 document of this simulator: its addresses, and the service under its assumptions. `openApiDocument` of
   * `centavo/openapi` makes one without a simulator.
   *
   * @example
   * writeFileSync("openapi.json", JSON.stringify(await sim.openapi()));
   */
  async openapi(): Promise<Described<AssumptionId>> {
    return (await import("./openapi-document.ts")).documentOf(this.internals.settings);
  }

  /**
   * Payment methods of the test. `create` stores a card and returns its reusable `pm_` id. It throws `INVALID_OPTION` for an invalid card.
   *
   * @example
   * const paymentMethodId = sim.paymentMethods.create({ cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" });
   */
  get paymentMethods(): { create(card: CardDetails): string } {
    return { create: (card) => this.#perform("mint", { card }) };
  }
}

/** Opens a simulator with the readers of its service. */
export function openSimulator(loaders: Loaders, settings: Settings, origin?: ForkOrigin<Simulator>): Simulator {
  return new PaymentSimulator(loaders, settings, origin) as Simulator;
}
