import { shownAddress } from "../kit/base/redaction/address.ts";
import type { VolatileOf } from "../kit/engine/journal-entries.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import type { TestOfWorld, WorldIdentity } from "../kit/http/callable-service.ts";
import type { ConnectOptions, Connections } from "../kit/receivers/connections.ts";
import type { FetchApp, ListenerApp, ListenerInPlace, MerchantApp } from "../kit/receivers/merchant-app.ts";
import { requestOfVisit } from "../kit/receivers/visit.ts";
import type { Visit } from "../kit/receivers/visit.ts";
import type { KitParts } from "./acts.ts";
import { visitApp } from "./visits.ts";

/** The part of a simulator that deals with the merchants' apps, and with what ends when it closes. */
export abstract class ConnectedSimulator {
  #identity: WorldIdentity | undefined;
  #wasIntercepted = false;

  abstract get seed(): string;

  /** @internal */
  abstract get internals(): { readonly parts: KitParts; readonly connections: Connections };

  /**
   * Connects the merchant's app at an origin. Webhooks and returning customers then go to the app instead of the network. A later app at the
   * same origin replaces an earlier one.
   * @param origin the origin of the app, such as `https://shop.example`
   * @param app a fetch handler, an object with `fetch` (Hono), an Express or Koa app, a Fastify instance, a Nest application
   *   (initialised with its first request, unless it is already), an `http.Server`, or a `(req, res)` listener, which is served on a loopback port until `close()`.
   *   A function of two or more parameters is taken for a listener, any other for a fetch handler; `{ fetch }` and `{ listener }` overrule that.
   * @param options.waitUntil returns the promises of work that goes on after the app's answers. The clock waits for them, as it does for
   *   the work that it sees, at most `receiverTimeout`.
   * @throws {CentavoError} `INVALID_URL` for an invalid origin, `INVALID_OPTION` for an invalid app or option
   *
   * @example
   * sim.connect("https://shop.example", async (request) => {
   *   console.log(await request.json());
   *   return new Response();
   * });
   */
  connect(origin: string, app: FetchApp | ListenerInPlace, options?: ConnectOptions): void;
  connect(origin: string, app: ListenerApp, options?: ConnectOptions): void;
  connect(origin: string, app: MerchantApp, options?: ConnectOptions): void {
    const { parts, connections } = this.internals;
    connections.connect(origin, app, options);
    parts.outbox.resume();
  }

  /**
   * Calls a connected app as its visitors do, and returns its whole answer. Redirects are not followed. The visitor is the customer, with the
   * cookies that the app has set so far, and keeps those of the answer; with a `cookie` header or `credentials: "omit"` it is another person.
   * It is a bound function, so it can be handed on.
   * @throws {CentavoError} `VISIT_FAILED` when the app throws, or does not answer within `receiverTimeout`, with what it threw as `cause`; `NOT_CONNECTED` when no
   *   app is connected there, `INVALID_URL` and `INVALID_OPTION` for arguments that name no page
   *
   * @example
   * const page = await sim.visit("/orders/1");
   * const created = await sim.visit("POST", "/orders", { id: "order-1", amount: 10000 });
   */
  readonly visit: Visit = async (...given: readonly unknown[]): Promise<Response> => {
    const { parts, connections } = this.internals;
    parts.engine.unawaited.throwBefore("sim.visit()");
    const request = requestOfVisit(given, connections.origins);
    const name = `visit("${request.method}", "${shownAddress(request.url)}")`;
    return parts.engine.testCalls.during(name, () => visitApp(parts, connections, request));
  };

  /** @internal The test that this world belongs to. */
  test: TestOfWorld | undefined;

  /** @internal For worlds that answer at one address. */
  get identity(): WorldIdentity {
    return (this.#identity ??= new SimulatorIdentity(this));
  }

  /** @internal For worlds that answer at one address. */
  documentAt(url: string): RawAnswer | undefined {
    return this.internals.parts.dispatcher.documentAt(url);
  }

  /** @internal For worlds that answer at one address. */
  isForPages(url: string): boolean {
    return this.internals.parts.dispatcher.pages.isForPages(url);
  }

  /** @internal For a server that decides by itself which pages may call. */
  takesPages(url: string): boolean {
    return this.internals.parts.dispatcher.pages.takesPages(url);
  }

  /** @internal For interception. */
  baseUrlFor(path: string): string | undefined {
    return this.internals.parts.dispatcher.baseUrlFor(path);
  }

  /** @internal For interception. */
  get origins(): readonly string[] {
    return this.internals.connections.origins;
  }

  /** @internal For interception. */
  onIntercepted(): void {
    this.#wasIntercepted = true;
  }

  /** @internal For the causes of a failed test: whether interception has ever been started. */
  get wasIntercepted(): boolean {
    return this.#wasIntercepted;
  }

  /** @internal For interception. */
  onRefused(request: VolatileOf<"refused">): void {
    const { engine } = this.internals.parts;
    engine.note("refused", {}, { ...request, url: engine.journal.redaction.text(request.url) });
  }

  /** @internal For interception. */
  onDropped(request: VolatileOf<"dropped">): void {
    const { engine } = this.internals.parts;
    engine.note("dropped", {}, { ...request, url: engine.journal.redaction.text(request.url) });
  }

  /** @internal For what ends with the simulator. */
  onClose(callback: () => void | Promise<void>): () => void {
    return this.internals.connections.onClose(callback);
  }
}

/** Tells the world of a simulator from others by the ids, tokens and keys that it issued. */
class SimulatorIdentity implements WorldIdentity {
  readonly #simulator: ConnectedSimulator;
  readonly headers: readonly string[];

  constructor(simulator: ConnectedSimulator) {
    this.#simulator = simulator;
    this.headers = simulator.internals.parts.dispatcher.ownHeaders;
  }

  get name(): string {
    const { test, seed } = this.#simulator;
    return test?.worldName ?? `the simulator with the seed ${JSON.stringify(seed)}`;
  }

  knows(text: string): boolean {
    return this.#engine.identity.isIdentifiedBy(text);
  }

  issued(most: number): string[] {
    return this.#engine.identity.identifiers(most);
  }

  warn(warning: VolatileOf<"warning">): void {
    this.#engine.note("warning", {}, this.#engine.journal.redaction.value(warning));
  }

  get #engine(): KitParts["engine"] {
    return this.#simulator.internals.parts.engine;
  }
}
