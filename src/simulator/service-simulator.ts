import type { Used } from "../kit/assumptions/assumptions.ts";
import type { ActTable } from "../kit/declaration/act.ts";
import { Clock } from "../kit/engine/clock.ts";
import type { Driver } from "../kit/engine/driver.ts";
import type { AnyFault } from "../kit/faults/declaration.ts";
import type { FaultsControl } from "../kit/faults/faults.ts";
import type { Problem } from "../kit/http/problem.ts";
import { unpaced } from "../kit/http/pace.ts";
import { requestOf } from "../kit/http/request-of.ts";
import { fetchBy } from "../kit/http/answers.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { Connections } from "../kit/receivers/connections.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { kitActs, testPerformerOf } from "./acts.ts";
import { CallsUnderWay } from "./calls-under-way.ts";
import type { Perform } from "./acts.ts";
import { ConnectedSimulator } from "./connected-simulator.ts";
import { driverOf } from "./drivers.ts";
import { faultsControlOf } from "./faults-control.ts";
import type { Settings } from "./simulator-options.ts";
import { goToStart, recordingOf } from "./recording.ts";
import type { AnyRecording, PlayableRecording } from "./recording.ts";
import { Player } from "./replay.ts";
import type { SimulatedService, SimulatedWorld } from "./simulated-service.ts";
import type { Snapshot } from "./snapshot.ts";
import { journalReaderOf } from "./timeline.ts";
import type { JournalReader } from "./timeline.ts";
import { unsettled } from "./unsettled.ts";
import { webhooksReaderOf } from "./webhooks-reader.ts";
import type { EventBody, WebhooksReader } from "./webhooks-reader.ts";
import { checkSwitch, Worlds } from "./worlds.ts";
import type { ForkOrigin } from "./worlds.ts";

/** What a simulator is made of. */
export interface Internals<Parts> {
  readonly parts: Parts;
  readonly connections: Connections;
  readonly settings: Settings;
  readonly service: SimulatedService;
}

/**
 * A simulator of any service: its calls, clock, faults, webhooks and worlds. Its type names what tests see of the service, and not the
 * parts of its world, which would otherwise stand in the declarations of the package.
 */
export class ServiceSimulator<
  Fault extends AnyFault = AnyFault,
  AssumptionId extends string = string,
  Recording extends AnyRecording = AnyRecording,
  Body extends { readonly type: string } = EventBody,
>
  extends ConnectedSimulator
  implements Service
{
  readonly #service: SimulatedService;
  readonly #settings: Settings;
  readonly #parts: SimulatedWorld;
  readonly #perform: Perform<typeof kitActs>;
  readonly #connections: Connections;
  readonly #driver: Driver | undefined;
  readonly #worlds: Worlds;
  readonly #callsUnderWay = new CallsUnderWay(nextMacrotask);

  /**
   * The virtual clock.
   *
   * @example
   * await sim.clock.advance("3 days");
   */
  readonly clock: Clock;

  /** @internal Use `createSimulator` or `fork`. */
  constructor(
    service: SimulatedService,
    settings: Settings,
    origin?: ForkOrigin<ServiceSimulator<Fault, AssumptionId, Recording, Body>>,
  ) {
    super();
    const connections =
      origin === undefined
        ? new Connections(settings.receiverTimeout, true)
        : origin.parent.#connections.forFork(origin.connect);
    this.#driver = driverOf(settings);
    const parts = service.open(settings, connections, this.#driver ?? unpaced);
    this.#service = service;
    this.#settings = settings;
    this.#connections = connections;
    this.#parts = parts;
    this.#perform = testPerformerOf(parts, kitActs);
    this.clock = new Clock(parts.engine, nextMacrotask, {
      isAppRunning: () => connections.isAppRunning,
      hangingCalls: () => parts.dispatcher.hangingCalls,
      unsettled: () => unsettled(parts),
      awaitWork: (timer, ring) => connections.callBack(timer, ring),
      untilCallsRest: () => this.#callsUnderWay.untilRest(() => parts.dispatcher.heldCalls),
    });
    this.#driver?.drive(parts.engine, this.clock, nextMacrotask);
    if (origin === undefined) service.begin(parts as never, settings);
    this.#worlds = new Worlds(parts, this.clock.waits, origin && origin.parent.#worlds);
    if (origin === undefined) return;
    this.#worlds.copyFrom(origin.parent.#parts, settings.baseUrl !== origin.parent.baseUrl);
    if (origin.connect)
      parts.engine.noteInput("warning", {
        message: "this fork shares its parent's connections: the merchant's app gets the events of both",
      });
  }

  /** @internal For the readers of a service and for `centavo/testing`. Under a clock that runs, the world is at its moment. */
  get internals(): Internals<SimulatedWorld> {
    this.#parts.engine.runningClock.catchUp();
    return { parts: this.#parts, connections: this.#connections, settings: this.#settings, service: this.#service };
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
   * Calls the service. A bound function with the signature of `fetch`: pass it to a client, or call it with a path below `baseUrl`. Any other
   * origin also reaches the service, such as a loopback port. A broken call rejects with a `TypeError`, as `fetch` does: its cause is Node's
   * error (`ECONNRESET`) after a fault, and `WORLD_ENDED` when `reset`, `restore` or `close` came before the answer.
   *
   * @example
   * const response = await sim.fetch("/api/payment-intent", {
   *   method: "POST",
   *   headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
   *   body: JSON.stringify({ amount: 10000 }),
   * });
   */
  readonly fetch: Service["fetch"] = async (input, init) =>
    fetchBy(this.beginCall(), requestOf(input, init, this.baseUrl));

  /** @internal For the ways in that send a request some time after its call began. */
  beginCall(): (request: Request) => Promise<RawAnswer> {
    const { breaks } = this.#worlds;
    const send = this.#parts.dispatcher.beginCall();
    return async (request) => {
      try {
        return await this.#callsUnderWay.count(send(request));
      } finally {
        if (breaks === this.#worlds.breaks) this.#driver?.callAnswered();
      }
    };
  }

  /** @internal For the HTTP server, when a message cannot become a `Request`. */
  refuse(problem: Problem): RawAnswer {
    return this.#parts.dispatcher.refuse(problem);
  }

  /**
   * Ends everything of this simulator: its interceptions, servers and faked `Date`, and the connections of its apps, whose ports it frees. It
   * stops the `auto` and `real` clocks. Only a call that hangs, or a sleep under the `real` clock, keeps the process alive before that.
   *
   * @example
   * await using sim = createSimulator(); // closes it with its block
   */
  async close(): Promise<void> {
    this.#driver?.stop();
    this.#worlds.close();
    await this.#connections.close();
    this.#parts.engine.unawaited.throwAfter("sim.close()");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * The webhook events and their delivery attempts, oldest first; `failures` says what was not delivered and why. `redeliver` sends an event
   * again when the clock next settles or moves, besides its retries. It throws `NOT_FOUND`, or `INVALID_STATE` without a receiver.
   *
   * @example
   * const [event] = sim.webhooks.events({ type: "payment_intent.succeeded" });
   * sim.webhooks.redeliver(event.id);
   * await sim.clock.settle();
   * console.log(sim.webhooks.attempts({ eventId: event.id }));
   */
  get webhooks(): WebhooksReader<Body> {
    const { outbox } = this.internals.parts;
    return webhooksReaderOf<Body>(outbox, this.#service.eventTypes, (event) => this.#perform("redeliver", { event }));
  }

  /**
   * The faults to inject. `add` plans a fault from now on, and throws `INVALID_FAULT` for a fault that could never fire, with the nearest valid
   * name. `unused` returns the planned faults that have not fired.
   *
   * @example
   * sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 1 });
   * sim.faults.add({ kind: "request.status", status: 503, from: "2026-01-01T02:00:00Z", until: "2026-01-01T04:00:00Z" });
   */
  get faults(): FaultsControl<Fault> {
    return faultsControlOf(this.internals.parts.faults, this.#perform);
  }

  /**
   * Everything that happened, in order; as a string, a timeline. Equal digests mean the same things at the same virtual times.
   *
   * @example
   * console.log(String(sim.journal));
   */
  get journal(): JournalReader {
    return journalReaderOf(this.internals.parts.engine.journal);
  }

  /**
   * The assumptions that this run relied on, where the service document leaves a question open. `values` says what each takes, or that it
   * is `fixed`.
   *
   * @example
   * console.table(sim.assumptions.used());
   */
  get assumptions(): { used(): Used<AssumptionId>[] } {
    return { used: () => this.internals.parts.assumptions.used() as Used<AssumptionId>[] };
  }

  /**
   * Returns the world as frozen plain JSON, to store, compare or restore anywhere. It sends a delivery in flight again, with the same id.
   *
   * @example
   * writeFileSync("world.json", JSON.stringify(sim.snapshot()));
   */
  snapshot(): Snapshot {
    return this.#worlds.snapshot();
  }

  /**
   * Replaces the world with the world of a snapshot. Connections stay. Answers that are still in flight are noted in the journal and
   * dropped.
   * @param options.edited true for a snapshot that you edited. Only its fields are checked: rows may contradict one another or lack their
   * timers, and then readers and calls may fail, or answer what no service would. `reset` leads back.
   * @throws {CentavoError} `INVALID_SNAPSHOT`, without changing anything, if it was edited, or is of another version of Centavo or seed
   *
   * @example
   * const authorised = sim.snapshot();
   * await sim.clock.advance("1 hour");
   * sim.restore(authorised);
   */
  restore(snapshot: Snapshot, options: { readonly edited?: boolean } = {}): void {
    this.#worlds.restore(snapshot, this.seed, options);
  }

  /**
   * Creates a simulator with a copy of this world. Neither affects the other. The fork has no connections, so its webhooks wait until
   * `fork.connect(…)`. Its `reset` goes back to the beginning of this simulator.
   * @param options.connect true to share this simulator's connections, so that the merchant's app gets the events of both
   *
   * @example
   * const [passed, failed] = [sim.fork(), sim.fork()];
   * await passed.customer.authenticate(redirectUrl);
   * await failed.customer.failAuthentication(redirectUrl);
   */
  fork(options: { readonly connect?: boolean } = {}): ServiceSimulator<Fault, AssumptionId, Recording, Body> {
    checkSwitch("sim.fork", "connect", options);
    const origin = { parent: this, connect: options.connect === true };
    return new ServiceSimulator<Fault, AssumptionId, Recording, Body>(this.#service, this.#settings, origin);
  }

  /**
   * Replaces the world by the one just after `createSimulator`. Connections stay.
   *
   * @example
   * afterEach(() => sim.reset());
   */
  reset(): void {
    this.#worlds.reset();
  }

  /**
   * Returns the run so far as plain JSON, for `replay`: the options of this simulator, and every input from outside with its virtual time. It
   * contains requests as they were sent, fake tokens and card numbers included. It starts from the restored world after `restore`, from the
   * beginning after `reset`, and in a fork where the parent's does. With `keep` it has only the newest inputs, starts from the world before
   * them, and says in `shortened` how many were dropped.
   * @throws {CentavoError} `INVALID_STATE` when nothing is recorded: with `recording: false`
   *
   * @example
   * writeFileSync("run.json", JSON.stringify(sim.recording()));
   */
  recording(): Recording {
    return recordingOf(this.internals.parts.engine, this.#settings, this.#worlds.beginning) as Recording;
  }

  /** @internal For what plays a recording in a new simulator. */
  async play(recording: PlayableRecording): Promise<void> {
    goToStart(this.#parts.engine, recording);
    await new Player(this.#parts, this.#service.acts as ActTable<SimulatedWorld>, this.#connections, recording).play();
  }
}
