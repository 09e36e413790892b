import type { UsedAssumption } from "../service/assumption-table.ts";
import { cancelIntent } from "./back-office.ts";
import { Connections } from "../receivers/connections.ts";
import { Courier } from "../testing/courier.ts";
import { Customer } from "./customer.ts";
import { AutoDriver } from "../engine/auto-driver.ts";
import { Clock } from "../engine/clock.ts";
import type { WorldSnapshot } from "../engine/world-snapshot.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import type { FaultsControl, FaultState } from "../service/faults.ts";
import { nextMacrotask } from "../runtime/real-time.ts";
import { isNetworkError } from "../http/network-errors.ts";
import type { Problem } from "../http/problem.ts";
import type { RawAnswer } from "../http/route.ts";
import type { Service } from "../http/service.ts";
import { mintCard } from "./minted-cards.ts";
import { toSettings } from "./options.ts";
import type { Settings, SimulatorOptions } from "./options.ts";
import { checkout } from "../service/checkout/resource.ts";
import { paymentIntents } from "../service/payment-intents/resource.ts";
import type { CardDetails } from "../service/payment-methods/schema.ts";
import { readRecording, readStart, recordingOf } from "./recording.ts";
import type { Recording } from "./recording.ts";
import { Player } from "./replay.ts";
import type { Reader } from "../declaration/reader.ts";
import { webhooksReaderOf } from "./readers.ts";
import type { WebhooksReader } from "./readers.ts";
import type { CheckoutView } from "../service/checkout/views.ts";
import { intentView } from "../service/payment-intents/views.ts";
import type { IntentView } from "../service/payment-intents/views.ts";
import { openPaymentWorld, beginWorld, credentialsOf } from "./payment-service.ts";
import type { Credentials, PaymentWorld } from "./payment-service.ts";
import { readSnapshot } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";
import type { InvoiceView, PlanView, SubscriptionView } from "../service/subscriptions/schema.ts";
import { subscriptions } from "../service/subscriptions/resource.ts";
import { transactions } from "../service/transactions/resource.ts";
import { ledgerOf } from "../service/transactions/ledger.ts";
import type { Ledger } from "../service/transactions/ledger.ts";
import type { Transaction } from "../service/transactions/schema.ts";
import { journalReaderOf } from "./timeline.ts";
import type { JournalReader } from "./timeline.ts";
import type { FetchApp, ListenerApp, MerchantApp } from "../receivers/merchant-app.ts";

export type { Credentials } from "./payment-service.ts";
export type { Snapshot } from "./snapshot.ts";

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
  readonly #parts: PaymentWorld;
  readonly #connections: Connections;
  readonly #driver: AutoDriver | undefined;
  readonly #beginning: WorldSnapshot;
  /** Counts how often all calls were broken off: one from before concerns the clock no more. */
  #breaks = 0;

  /**
   * The virtual clock.
   *
   * @example
   * await sim.clock.settle();
   * await sim.clock.advance("3 days");
   */
  readonly clock: Clock;
  /**
   * The human at the hosted and challenge pages.
   *
   * @example
   * const { redirectedTo } = await sim.customer.pay(session.checkoutUrl, "pm_card_challenge");
   */
  readonly customer: Customer;

  /** @internal `createSimulator` and `fork` make simulators. */
  constructor(settings: Settings, origin?: { readonly parent: Simulator; readonly connections: Connections }) {
    const connections = origin?.connections ?? new Connections(settings.receiverTimeout, true);
    const parts = openPaymentWorld(settings, connections, (until) => this.#driver?.waitFor(until));
    const { engine, intents } = parts;
    this.#settings = settings;
    this.#connections = connections;
    this.#parts = parts;
    this.clock = new Clock(engine, nextMacrotask);
    this.#driver =
      settings.horizon === undefined ? undefined : new AutoDriver(engine, this.clock, settings.horizon, nextMacrotask);
    this.customer = new Customer({ engine, service: this, checkout: parts.checkout, intents, connections });
    if (origin === undefined) {
      beginWorld(parts, settings);
      this.#beginning = engine.snapshot();
    } else {
      const { engine: original, dispatcher } = origin.parent.#parts;
      engine.copyFrom(original);
      // What is under way in the parent's process is not under way in this world.
      if (original.inFlight !== undefined || dispatcher.holdsCalls) engine.inputs?.begin(engine.snapshot());
      this.#beginning = origin.parent.#beginning;
    }
  }

  /** @internal `centavo/testing` delivers by hand. */
  get courier(): Courier {
    return new Courier(this.#parts, this.#connections);
  }

  /** The base URL that the merchant's code calls, without a trailing slash. */
  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /** The token service's base URL, without a trailing slash. */
  get authUrl(): string {
    return this.#settings.authUrl;
  }

  /** The seed, as text. */
  get seed(): string {
    return this.#settings.seed;
  }

  /**
   * The service itself: one function from Request to Response, with the signature of `fetch`, and bound. A path alone is taken
   * below `baseUrl`; an origin that is neither of ours is taken for another address of the service, such as a loopback port. Where a
   * fault breaks the network it rejects as `fetch` does, with a `TypeError` whose cause is Node's own error (`ECONNRESET`).
   *
   * @example
   * const response = await sim.fetch("/api/payment-intent", {
   *   method: "POST",
   *   headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
   *   body: JSON.stringify({ amount: 10000 }),
   * });
   */
  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const breaks = this.#breaks;
    try {
      return await this.#parts.dispatcher.fetch(input, init);
    } catch (error) {
      throw isNetworkError(error) ? new TypeError("fetch failed", { cause: error }) : error;
    } finally {
      if (breaks === this.#breaks) this.#driver?.requestAnswered();
    }
  };

  /** @internal The HTTP server answers with it what arrives as no `Request`. */
  refuse(problem: Problem): RawAnswer {
    return this.#parts.dispatcher.refuse(problem);
  }

  /**
   * The first merchant's id and credentials, and the admin key (`auth.secrets`). Further merchants have theirs from `POST /merchants`.
   *
   * @example
   * const { clientId, clientSecret, merchantId } = sim.credentials;
   */
  get credentials(): Credentials {
    return credentialsOf(this.#parts);
  }

  /**
   * Connects the merchant's app at an origin: webhooks and returning customers go to it instead of the network. A later app at the
   * same origin replaces the earlier one.
   * @param origin such as `https://shop.example`
   * @param app a fetch handler, an object with `fetch` (Hono), an Express or Koa app, a Fastify instance, or a `(req, res)` listener,
   *   which is served on a loopback port until `close()`
   * @throws {CentavoError} `INVALID_URL`, `INVALID_OPTION`
   *
   * @example
   * sim.connect("https://shop.example", async (request) => {
   *   console.log(await request.json());
   *   return new Response();
   * });
   */
  connect(origin: string, app: FetchApp): void;
  connect(origin: string, app: ListenerApp): void;
  connect(origin: string, app: MerchantApp): void {
    this.#connections.connect(origin, app);
    this.#parts.outbox.resume();
  }

  /**
   * Disconnects every app, frees their ports and stops the `auto` clock until the next request. Nothing that is left open keeps a
   * process alive.
   *
   * @example
   * await using sim = createSimulator(); // closes it with its block
   */
  async close(): Promise<void> {
    const { dispatcher, engine } = this.#parts;
    this.#driver?.stop();
    if (dispatcher.holdsCalls) engine.inputs?.add("broke-off", {});
    this.#breakOff();
    await this.#connections.close();
    engine.unawaited.throwAfter("sim.close()");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Payment intents, those that checkout sessions embed included. `cancel` plays the service's back office (`intent.cancel`); it throws
   * `NOT_FOUND`, or `INVALID_STATE` from `processing` and final states.
   *
   * @example
   * console.log(sim.intents.last()?.status);
   */
  get intents(): Reader<IntentView> & { cancel(id: string): IntentView } {
    const { intents, viewOf } = this.#parts;
    return {
      ...viewOf(paymentIntents).intents,
      cancel: (id) => structuredClone(intentView(cancelIntent(this.#parts, id), intents)),
    };
  }

  /**
   * Checkout sessions, by their id or session token.
   *
   * @example
   * console.log(sim.checkouts.get(sessionToken)?.status);
   */
  get checkouts(): Reader<CheckoutView> {
    return this.#parts.viewOf(checkout).checkouts;
  }

  /** Plans, of every merchant. */
  get plans(): Reader<PlanView> {
    return this.#parts.viewOf(subscriptions).plans;
  }

  /** Subscriptions, of every merchant. */
  get subscriptions(): Reader<SubscriptionView> {
    return this.#parts.viewOf(subscriptions).subscriptions;
  }

  /** Invoices, of every merchant. */
  get invoices(): Reader<InvoiceView> {
    return this.#parts.viewOf(subscriptions).invoices;
  }

  /** Every payment as the transactions API shows it. */
  get transactions(): Reader<Transaction> {
    return this.#parts.viewOf(transactions).transactions;
  }

  /**
   * A double-entry view of every payment: each succeeded one moves its amount from the customers to the merchant and the fees.
   *
   * @example
   * expect(sim.ledger().balance).toBe(0);
   */
  ledger(): Ledger {
    return ledgerOf(this.#parts.transactions);
  }

  /**
   * What was announced to merchants, oldest first, and how its delivery went. `redeliver` sends an event once more when the clock next
   * settles or moves, outside the retries of `webhook.retries`; it throws `NOT_FOUND`, or `INVALID_STATE` for an event without a receiver.
   *
   * @example
   * const [event] = sim.webhooks.events({ type: "payment_intent.succeeded" });
   * sim.webhooks.redeliver(event.id);
   * await sim.clock.settle();
   * console.log(sim.webhooks.attempts({ eventId: event.id }));
   */
  get webhooks(): WebhooksReader {
    return webhooksReaderOf(this.#parts.outbox);
  }

  /**
   * Payment methods that a test mints. `create` answers a reusable `pm_` id, and throws `INVALID_OPTION` for what is no card.
   *
   * @example
   * const paymentMethodId = sim.paymentMethods.create({ cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" });
   */
  get paymentMethods(): { create(card: CardDetails): string } {
    return { create: (card) => mintCard(this.#parts, card) };
  }

  /**
   * What goes wrong on purpose. `add` plans a fault from now on; it throws `INVALID_FAULT` for one that could never bite, with the
   * nearest right name. `unused` tells which planned faults have not bitten.
   *
   * @example
   * sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 1 });
   * sim.faults.add({ kind: "request.status", status: 503, from: "2026-01-01T02:00:00Z", until: "2026-01-01T04:00:00Z" });
   */
  get faults(): FaultsControl {
    const { faults } = this.#parts;
    return {
      add: (fault) => faults.add(fault),
      remove: (id) => faults.remove(id),
      list: () => structuredClone(faults.list()) as FaultState[],
      unused: () => structuredClone(faults.unused()) as FaultState[],
      clear: () => faults.clear(),
    };
  }

  /**
   * What happened, in order; prints as a timeline. Two runs with the same digest did the same things at the same virtual times.
   *
   * @example
   * console.log(String(sim.journal));
   */
  get journal(): JournalReader {
    return journalReaderOf(this.#parts.engine.journal);
  }

  /**
   * Which answers to open questions of the service document this simulator's runs relied on.
   *
   * @example
   * console.table(sim.assumptions.used());
   */
  get assumptions(): { used(): UsedAssumption[] } {
    return { used: () => this.#parts.assumptions.used() };
  }

  /**
   * The whole world as plain JSON, to be kept, compared, or restored later, in another process too. A delivery under way is in it as
   * not yet made: a restored world sends it again, with the same event id.
   *
   * @example
   * writeFileSync("world.json", JSON.stringify(sim.snapshot()));
   */
  snapshot(): Snapshot {
    const { engine } = this.#parts;
    engine.unawaited.throwBefore("sim.snapshot()");
    return structuredClone({ version: 1, world: engine.snapshot() });
  }

  /**
   * Goes back (or forth) to a world that was kept. Connections stay; answers still under way are noted in the journal and dropped.
   * @throws {CentavoError} `INVALID_SNAPSHOT` for what `snapshot` of this version and a simulator of this seed did not make; nothing
   *   changes then
   *
   * @example
   * const authorised = sim.snapshot();
   * await sim.clock.advance("1 hour");
   * sim.restore(authorised);
   */
  restore(snapshot: Snapshot): void {
    this.#replaceWorld(readSnapshot(snapshot, this.#settings.seed));
    this.#parts.engine.unawaited.throwAfter("sim.restore()");
  }

  /**
   * A second world that starts as this one stands; neither sees what the other does. It starts without connections: what is due to a
   * merchant waits until `fork.connect(…)`. Its `reset` goes back to the same beginning as this simulator's.
   * @param options.connect shares this simulator's connections, so that the merchant's app gets the events of both
   *
   * @example
   * const [passed, failed] = [sim.fork(), sim.fork()];
   * await passed.customer.authenticate(redirectUrl);
   * await failed.customer.failAuthentication(redirectUrl);
   */
  fork(options: { readonly connect?: boolean } = {}): Simulator {
    this.#parts.engine.unawaited.throwBefore("sim.fork()");
    const shared = options.connect === true;
    const fork = new Simulator(this.#settings, { parent: this, connections: this.#connections.forFork(shared) });
    if (shared)
      fork.#parts.engine.noteInput("warning", {
        message: "this fork shares its parent's connections: the merchant's app gets the events of both",
      });
    return fork;
  }

  /**
   * Back to the beginning: the same world as just after `createSimulator`. Connections stay.
   *
   * @example
   * afterEach(() => sim.reset());
   */
  reset(): void {
    this.#replaceWorld(this.#beginning);
    this.#parts.engine.unawaited.throwAfter("sim.reset()");
  }

  /**
   * The run so far as plain JSON, for `replay`: how this simulator was made, and all that came to it from outside, at its virtual time.
   * Requests stand in it as they were sent, with their fake tokens and whatever card numbers the test used. After `restore` it begins
   * with the world that was restored, after `reset` anew; a fork's begins where its parent's does. With `recording: { keep }` it has the
   * newest inputs, starts from the world that they came to, and says in `shortened` how many came before.
   * @throws {CentavoError} `INVALID_STATE` where nothing is recorded: with `recording: false`, or a bounded journal
   *
   * @example
   * writeFileSync("run.json", JSON.stringify(sim.recording()));
   */
  recording(): Recording {
    const { inputs } = this.#parts.engine;
    if (inputs !== undefined) return recordingOf(this.#parts, inputs, this.#settings, this.#beginning);
    const why =
      this.#settings.journal.keep === Infinity
        ? "the option recording is false"
        : "its journal is bounded, and a recording grows as long as the run does. Where that is no matter, create it with recording: true";
    throw new CentavoError("INVALID_STATE", `sim.recording(): this simulator records nothing, because ${why}.`);
  }

  /** @internal `replay` goes through a recording in a simulator of its own. */
  async play(recording: Recording): Promise<void> {
    const start = readStart(recording);
    if (start !== undefined) this.#parts.engine.restore(start);
    await new Player(this.#parts, this.#connections, recording).play();
  }

  #replaceWorld(world: WorldSnapshot): void {
    const { engine, faults, outbox } = this.#parts;
    const before = engine.world;
    try {
      engine.restore(world);
    } finally {
      // Also where a listener of the clock throws when it is told of the new world.
      if (engine.world !== before) {
        this.#breakOff();
        faults.worldReplaced();
        outbox.resume();
      }
    }
  }

  #breakOff(): void {
    this.#breaks += 1;
    this.#parts.dispatcher.breakOff();
  }
}

/**
 * Creates a payment service that runs inside the test.
 * @throws {CentavoError} `INVALID_OPTION`, `INVALID_ASSUMPTION`
 *
 * @example
 * const sim = createSimulator({ seed: 42, webhookUrl: "https://shop.example/hooks" });
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  return new Simulator(toSettings(options));
}

/**
 * Runs a recording again: the same requests, answers of the merchant's app and acts of the test at the same virtual times, without
 * that app. Two processes that replay one recording come to the same journal, byte for byte.
 * @param recording what `sim.recording()` gave, in this process or another
 * @returns the simulator at the end of the run, with a manual clock and nobody connected; a delivery that was under way is still to come
 * @throws {CentavoError} `INVALID_RECORDING` for what is none, `REPLAY_DIVERGED` naming the first input at which the run went another way
 *
 * @example
 * const sim = await replay(JSON.parse(readFileSync("run.json", "utf8")));
 * console.log(String(sim.journal));
 */
export async function replay(recording: Recording): Promise<Simulator> {
  const read = readRecording(recording);
  const sim = createSimulator(read.options as SimulatorOptions);
  await sim.play(read);
  return sim;
}
