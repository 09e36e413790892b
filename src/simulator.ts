import { Assumptions } from "./assumptions.ts";
import type { UsedAssumption } from "./assumptions.ts";
import { Auth } from "./auth/commands.ts";
import { Merchants } from "./auth/merchants.ts";
import { authRoutes } from "./auth/routes.ts";
import { Checkout } from "./checkout/commands.ts";
import type { CheckoutRow } from "./checkout/commands.ts";
import { checkoutEventContent } from "./checkout/events.ts";
import { checkoutReactions } from "./checkout/reactions.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import { Connections } from "./connections.ts";
import { Customer } from "./customer.ts";
import { AutoDriver } from "./engine/auto-driver.ts";
import { Clock } from "./engine/clock.ts";
import { Engine } from "./engine/engine.ts";
import type { Fact, WorldSnapshot } from "./engine/engine.ts";
import type { JournalEntry } from "./engine/journal.ts";
import { CentavoError } from "./errors.ts";
import { nextMacrotask, wallClock } from "./host.ts";
import { Dispatcher } from "./http/dispatcher.ts";
import { ApiError } from "./http/errors.ts";
import type { Service } from "./http/service.ts";
import { toSettings } from "./options.ts";
import type { Settings, SimulatorOptions } from "./options.ts";
import { PaymentIntents } from "./payment-intents/commands.ts";
import type { IntentRow } from "./payment-intents/commands.ts";
import { intentEventContent } from "./payment-intents/events.ts";
import { paymentIntentRoutes } from "./payment-intents/routes.ts";
import { PaymentMethods } from "./payment-methods/commands.ts";
import { cardDetails } from "./payment-methods/schema.ts";
import type { CardDetails } from "./payment-methods/schema.ts";
import { attemptViews, checkoutView, eventViews, intentView, readerOf } from "./readers.ts";
import type { AttemptView, CheckoutView, EventView, IntentView, Reader } from "./readers.ts";
import { Subscriptions } from "./subscriptions/commands.ts";
import type { InvoiceRow } from "./subscriptions/billing.ts";
import type { SubscriptionRow } from "./subscriptions/commands.ts";
import { subscriptionEventContent } from "./subscriptions/events.ts";
import { subscriptionReactions } from "./subscriptions/reactions.ts";
import { subscriptionRoutes } from "./subscriptions/routes.ts";
import { toTimeline } from "./timeline.ts";
import { Transactions } from "./transactions/commands.ts";
import { ledgerOf } from "./transactions/ledger.ts";
import type { Ledger } from "./transactions/ledger.ts";
import { transactionRoutes } from "./transactions/routes.ts";
import type { Transaction } from "./transactions/schema.ts";
import type { FetchApp, ListenerApp, MerchantApp } from "./webhooks/merchant-app.ts";
import { Outbox } from "./webhooks/outbox.ts";

/** The first merchant's secrets and the administrator's key. All are fakes that open nothing but this simulator. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly adminKey: string;
  readonly webhookSecret: string;
}

/** A whole world as JSON, with what must be the same where it is restored. */
export interface Snapshot {
  readonly version: 1;
  readonly seed: string;
  readonly world: WorldSnapshot;
}

/** Every route of the service, in the order of the service document. */
export const routes = [...paymentIntentRoutes, ...checkoutRoutes, ...subscriptionRoutes, ...transactionRoutes, ...authRoutes];

/**
 * A payment service that runs inside a test: it answers the merchant's HTTP calls, moves payments through their lifecycles on a clock
 * that the test owns, and sends signed webhooks back.
 *
 * @example
 * const sim = createSimulator({ seed: 42 });
 * sim.connect("https://shop.example", app);
 * const response = await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret }) });
 * await sim.clock.settle();
 */
export class Simulator implements Service {
  readonly #settings: Settings;
  readonly #engine: Engine;
  readonly #assumptions: Assumptions;
  readonly #dispatcher: Dispatcher;
  readonly #merchants: Merchants;
  readonly #auth: Auth;
  readonly #intents: PaymentIntents;
  readonly #checkout: Checkout;
  readonly #subscriptions: Subscriptions;
  readonly #transactions: Transactions;
  readonly #paymentMethods: PaymentMethods;
  readonly #connections: Connections;
  readonly #outbox: Outbox;
  readonly #driver: AutoDriver | undefined;
  readonly #beginning: WorldSnapshot;

  /** The virtual clock. */
  readonly clock: Clock;
  /** The human at the hosted and challenge pages. */
  readonly customer: Customer;

  constructor(settings: Settings, parent?: Simulator) {
    this.#settings = settings;
    const { baseUrl, authUrl } = settings;
    const engine = new Engine(settings);
    const assumptions = new Assumptions(settings.assumptions);
    this.#engine = engine;
    this.#assumptions = assumptions;
    this.#connections = new Connections(settings.receiverTimeout, parent === undefined);
    this.#merchants = new Merchants(engine);
    this.#paymentMethods = new PaymentMethods(engine);
    this.#intents = new PaymentIntents({ engine, assumptions, paymentMethods: this.#paymentMethods });
    this.#checkout = new Checkout({ engine, assumptions, intents: this.#intents });
    this.#subscriptions = new Subscriptions({ engine, assumptions, intents: this.#intents });
    this.#transactions = new Transactions({ engine, intents: this.#intents, checkout: this.#checkout });
    this.#auth = new Auth({ engine, assumptions, merchants: this.#merchants, baseUrl, authUrl, intentOfClientKey: (key) => this.#intents.byClientKey(key) });
    this.#outbox = new Outbox({
      engine,
      assumptions,
      baseUrl,
      secretOf: (merchantId) => this.#merchants.get(merchantId)?.webhookSecret ?? "",
      receiverTime: wallClock,
      reaches: (url) => this.#connections.reaches(url),
      send: (request) => this.#connections.send(request),
    });
    engine.onFact(checkoutReactions(this.#checkout, this.#intents));
    engine.onFact(subscriptionReactions(this.#subscriptions));
    engine.onFact((fact) => this.#transactions.project(fact));
    engine.onFact((fact) => this.#announce(fact));
    this.#dispatcher = new Dispatcher({
      engine,
      assumptions,
      baseUrl,
      authUrl,
      authenticate: this.#auth.authenticate,
      routes: [
        ...paymentIntentRoutes.map((route) => ({ route, commands: this.#intents })),
        ...checkoutRoutes.map((route) => ({ route, commands: this.#checkout })),
        ...subscriptionRoutes.map((route) => ({ route, commands: this.#subscriptions })),
        ...transactionRoutes.map((route) => ({ route, commands: this.#transactions })),
        ...authRoutes.map((route) => ({ route, commands: this.#auth })),
      ],
    });
    this.clock = new Clock(engine, nextMacrotask);
    this.#driver = settings.horizon === undefined ? undefined : new AutoDriver(engine, this.clock, settings.horizon, nextMacrotask);
    this.customer = new Customer({ engine, service: this, checkout: this.#checkout, intents: this.#intents, connections: this.#connections });
    if (parent === undefined) {
      engine.unit(() => {
        const { webhookUrl } = settings;
        this.#auth.begin();
        this.#merchants.register({ name: "Test merchant", email: "merchant@shop.example", ...(webhookUrl === undefined ? {} : { webhookUrl }) });
      });
      this.#beginning = engine.snapshot();
    } else {
      engine.copyFrom(parent.#engine);
      this.#beginning = parent.#beginning;
    }
  }

  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  get authUrl(): string {
    return this.#settings.authUrl;
  }

  /** The seed, as text. */
  get seed(): string {
    return this.#settings.seed;
  }

  /**
   * The service itself: one function from Request to Response, with the signature of `fetch`, and bound. A path alone is taken
   * below `baseUrl`; an origin that is neither of ours is taken for another address of the service, such as a loopback port.
   */
  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const response = await this.#dispatcher.fetch(input, init);
    this.#driver?.requestAnswered();
    return response;
  };

  /** The first merchant's credentials and the admin key. */
  get credentials(): Credentials {
    const { clientId, clientSecret, webhookSecret } = this.#merchants.first();
    return { clientId, clientSecret, adminKey: this.#auth.adminKey, webhookSecret };
  }

  /**
   * Connects the merchant's app at an origin: webhooks and returning customers go to it instead of the network. A later app at the
   * same origin replaces the earlier one.
   * @param origin such as `https://shop.example`
   * @param app a fetch handler, an object with `fetch` (Hono), an Express or Koa app, a Fastify instance, or a `(req, res)` listener,
   *   which is served on a loopback port until `close()`
   * @throws {CentavoError} `INVALID_URL`, `INVALID_OPTION`
   */
  connect(origin: string, app: FetchApp): void;
  connect(origin: string, app: ListenerApp): void;
  connect(origin: string, app: MerchantApp): void {
    this.#outbox.receiverConnected(this.#connections.connect(origin, app));
  }

  /** Disconnects every app and frees their ports. */
  async close(): Promise<void> {
    await this.#connections.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Payment intents, those that checkout sessions embed included; `cancel` plays the service's back office (`intent.cancel`). */
  get intents(): Reader<IntentView> & { cancel(id: string): IntentView } {
    const view = (intent: IntentRow): IntentView => intentView(intent, this.#intents);
    return {
      ...readerOf(this.#intents, view),
      cancel: (id) => view(this.#engine.unit(() => this.#intents.cancel(id))),
    };
  }

  /** Checkout sessions, by their id or session token. */
  get checkouts(): Reader<CheckoutView> {
    const checkout = this.#checkout;
    return readerOf({ get: (id) => checkout.get(id) ?? checkout.byToken(id), all: () => checkout.all() }, (session) => checkoutView(session, checkout, this.baseUrl));
  }

  /** What was announced to merchants, and how its delivery went. */
  get webhooks(): {
    events(filter?: { readonly type?: string }): EventView[];
    attempts(filter?: { readonly eventId?: string }): AttemptView[];
    redeliver(eventId: string): void;
  } {
    return {
      events: ({ type } = {}) => eventViews(this.#outbox).filter((event) => type === undefined || event.type === type),
      attempts: ({ eventId } = {}) => attemptViews(this.#outbox).filter((attempt) => eventId === undefined || attempt.eventId === eventId),
      redeliver: (eventId) => this.#outbox.redeliver(eventId),
    };
  }

  /** Payment methods that a test mints. */
  get paymentMethods(): { create(card: CardDetails): string } {
    return {
      create: (card) => {
        const details = cardDetails.safeParse(card);
        if (!details.success) {
          const problems = details.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
          throw new CentavoError("INVALID_OPTION", `paymentMethods.create: ${problems}.`);
        }
        try {
          return this.#engine.unit(() => this.#paymentMethods.mint(details.data).id);
        } catch (error) {
          if (error instanceof ApiError) throw new CentavoError("INVALID_OPTION", "paymentMethods.create: cardNumber fails the Luhn check; testMethods lists the numbers to use.");
          throw error;
        }
      },
    };
  }

  /** What happened, in order; prints as a timeline. */
  get journal(): { readonly entries: readonly JournalEntry[]; toString(): string; digest(): string } {
    const { journal } = this.#engine;
    return { entries: journal.entries, toString: () => toTimeline(journal.entries), digest: () => journal.digest() };
  }

  /** Which answers to open questions of the service document this run relied on. */
  get assumptions(): { used(): UsedAssumption[] } {
    return { used: () => this.#assumptions.used() };
  }

  /** The whole world as plain JSON, to be kept, compared, or restored later, in another process too. */
  snapshot(): Snapshot {
    return structuredClone({ version: 1, seed: this.#settings.seed, world: this.#engine.snapshot() });
  }

  /**
   * Goes back (or forth) to a world that was kept. Connections stay; answers still under way are dropped.
   * @throws {CentavoError} `INVALID_SNAPSHOT` for a snapshot of another version or seed
   */
  restore(snapshot: Snapshot): void {
    if (snapshot?.version !== 1) throw new CentavoError("INVALID_SNAPSHOT", "sim.restore: this is no snapshot that sim.snapshot() of this version of Centavo made.");
    if (snapshot.seed !== this.#settings.seed) {
      throw new CentavoError("INVALID_SNAPSHOT", `sim.restore: the snapshot was made with the seed "${snapshot.seed}", and this simulator has "${this.#settings.seed}"; create it with the same seed.`);
    }
    this.#replaceWorld(structuredClone(snapshot.world));
  }

  /** A second world that starts as this one stands; neither sees what the other does. It starts without connections unless asked to share them. */
  fork(options: { readonly connect?: boolean } = {}): Simulator {
    const fork = new Simulator(this.#settings, this);
    if (options.connect === true) {
      this.#connections.shareWith(fork.#connections);
      fork.#engine.note("warning", { message: "this fork shares its parent's connections: the merchant's app gets the events of both" });
    }
    return fork;
  }

  /** Back to the beginning: the same world as just after `createSimulator`. Connections stay. */
  reset(): void {
    this.#replaceWorld(this.#beginning);
  }

  #replaceWorld(world: WorldSnapshot): void {
    if (this.#engine.inUnit) throw new CentavoError("CLOCK_BUSY", "A world cannot be replaced by code that runs inside one of its commands.");
    this.#engine.restore(world);
  }

  /** Every payment as the transactions API shows it. */
  get transactions(): Reader<Transaction> {
    return readerOf(this.#transactions, (transaction) => transaction);
  }

  /** A double-entry view of every payment: its balance is 0, always. */
  ledger(): Ledger {
    return ledgerOf(this.#transactions);
  }

  #announce({ type, resource, row }: Fact): void {
    if (type.endsWith(".created")) return;
    if (resource === "payment_intent") {
      const intent = row as IntentRow;
      if (intent.data.purpose === "checkout") return;
      this.#tell(type, intent.data, intentEventContent(intent, this.#intents));
    } else if (resource === "checkout") {
      const session = row as CheckoutRow;
      this.#tell(type, session.data, checkoutEventContent(session));
    } else if (resource === "subscription" && type !== "subscription.renewed") {
      const subscription = row as SubscriptionRow;
      this.#tell(type, subscription.data, subscriptionEventContent(subscription, undefined, this.#subscriptions));
    } else if (resource === "invoice" && type !== "subscription.invoice.retry_due") {
      const invoice = row as InvoiceRow;
      const subscription = this.#subscriptions.get(invoice.data.subscriptionId) as SubscriptionRow;
      this.#tell(type, subscription.data, subscriptionEventContent(subscription, invoice, this.#subscriptions));
    }
  }

  #tell(type: string, { merchantId, webhookUrl }: { readonly merchantId: string; readonly webhookUrl?: string }, content: object): void {
    this.#outbox.announce({ type, merchantId, url: webhookUrl ?? this.#merchants.get(merchantId)?.webhookUrl, content });
  }
}

/**
 * Creates a payment service that runs inside the test.
 * @throws {CentavoError} `INVALID_OPTION`, `INVALID_ASSUMPTION`
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  return new Simulator(toSettings(options));
}
