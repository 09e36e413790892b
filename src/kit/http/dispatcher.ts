import type { Engine } from "../engine/engine.ts";
import type { CentavoError } from "../base/errors/centavo-error.ts";
import type { Faults } from "../faults/faults.ts";
import { Addresses } from "./addresses.ts";
import { publishAnswer } from "./answer-channel.ts";
import { Answers } from "./answers.ts";
import { LARGEST_BODY, readBody } from "./body.ts";
import { CallQueue } from "./call-queue.ts";
import type { Arrival } from "./call-reader.ts";
import { CrossOrigin } from "./cors.ts";
import { CallFaults } from "./fault-injection.ts";
import { FaultyCalls } from "./faulty-calls.ts";
import { worldEnded } from "./network-errors.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { OwnAnswers } from "./own-answers.ts";
import type { Pace } from "./pace.ts";
import type { HttpPolicies } from "./policies.ts";
import type { Problem } from "./problem.ts";
import { readHeaders, STANDARD_HEADERS } from "./request-headers.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { RequestInputs } from "./request-inputs.ts";
import { RequestJournal } from "./request-journal.ts";
import type { RawAnswer } from "./route.ts";
import type { Routers } from "./router.ts";

/** What `Dispatcher` needs. */
export interface DispatcherOptions {
  /** The service's name on the diagnostics channels. */
  readonly service: string;
  /** The values that the test set for the service's assumptions. */
  readonly assumptions: object;
  readonly engine: Engine;
  readonly faults: Faults;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly routers: Routers;
  /** Returns the commands of a resource. */
  readonly commandsOf: (resource: object) => unknown;
  readonly policies: HttpPolicies;
  readonly pace: Pace;
  /** Called as a call arrives. Returns the function to call when it gets its turn, or never will. */
  readonly callArrives: () => () => void;
  /** Returns the promise that a call awaits before its turn when its app makes calls in the order of real time. */
  readonly holdsBack: (request: Request, body: string) => Promise<void> | undefined;
  /** Whether the clock may be waiting for this caller. Such a call does not wait for the clock. */
  readonly isCalledBack: () => boolean;
  readonly yieldToEventLoop: () => Promise<void>;
}

/** A call and its answer, which is `faulty` when a fault changed it. */
type Answered = Readonly<{ arrival: Arrival; answer: RawAnswer; faulty: boolean }>;

/** The time between two ends of a world. A call belongs to the period in which it began. */
interface Era {
  /** What ended it, such as `sim.reset()`; undefined until then. */
  endedBy?: string;
}

const utf8 = new TextEncoder();

/** The whole service as one function from request to answer: routing, credentials, validation, one unit, the answer. */
export class Dispatcher {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly pages: CrossOrigin;
  readonly #options: DispatcherOptions;
  readonly #answers: Answers;
  readonly #own: OwnAnswers;
  readonly #inputs: RequestInputs | undefined;
  readonly #callFaults: CallFaults;
  readonly #addresses: Addresses;
  /** The headers that the service reads. */
  readonly #headers: readonly string[];
  readonly #faultyCalls: FaultyCalls;
  readonly #queue: CallQueue;
  /** The calls of callers for whom the clock may be waiting. */
  readonly #awaited: CallQueue;
  #era: Era = {};

  constructor(options: DispatcherOptions) {
    const { engine, policies, baseUrl, authUrl, pace, yieldToEventLoop } = options;
    const { redaction } = engine.journal;
    this.#options = options;
    this.baseUrl = baseUrl;
    this.authUrl = authUrl;
    this.#addresses = new Addresses(baseUrl, authUrl, redaction);
    this.#headers = [...STANDARD_HEADERS, ...(policies.headers ?? []), ...(policies.versionHeaders ?? [])];
    this.#answers = new Answers(policies);
    this.#inputs = engine.inputs === undefined ? undefined : new RequestInputs(engine.inputs, baseUrl);
    const idempotency = new IdempotencyKeys(engine, policies);
    const journal = new RequestJournal(engine, policies);
    this.#own = new OwnAnswers({ ...options, idempotency, answers: this.#answers, journal, inputs: this.#inputs });
    this.pages = new CrossOrigin(policies, options.routers, this.#addresses);
    this.#faultyCalls = new FaultyCalls({
      routers: options.routers,
      idempotency,
      journal,
      addresses: this.#addresses,
      policies,
      redaction,
    });
    this.#callFaults = new CallFaults({ ...options, onHeld: pace.waitFor.bind(pace) });
    this.#queue = new CallQueue(yieldToEventLoop, () => pace.untilRest());
    this.#awaited = new CallQueue(yieldToEventLoop, () => undefined);
    engine.inputs?.waitWhile(() => this.heldCalls > 0);
  }

  /** Begins a call now, and returns the function that answers its request once it is sent. */
  beginCall(): (request: Request) => Promise<RawAnswer> {
    const era = this.#era;
    return (request) => this.#send(era, request);
  }

  async #send(era: Era, request: Request): Promise<RawAnswer> {
    const { method } = request;
    const { engine, service, assumptions, policies } = this.#options;
    request.signal.throwIfAborted();
    policies.onRequest?.(method);
    if (method === "OPTIONS") {
      const { path, part } = this.#addresses.targetOf(request.url);
      const allowed = this.pages.preflight(request, this.#methods);
      publishAnswer({ method, path, part }, allowed, { service, assumptions, faulty: false });
      return allowed;
    }
    const { arrival, answer: own, faulty } = await this.#inTurn(request, era);
    const { keeper } = engine.inputs ?? {};
    const answer = keeper === undefined ? own : await this.#answers.onceKept(own, keeper);
    const sent = {
      ...answer,
      headers: {
        ...answer.headers,
        "content-length": String(utf8.encode(answer.body).byteLength),
        ...this.pages.headersFor(request),
      },
      body: method === "HEAD" ? "" : answer.body,
    };
    publishAnswer(arrival, sent, { service, assumptions, faulty: faulty || answer !== own });
    return sent;
  }

  /** Reads a call's body, and answers the call in its turn. */
  async #inTurn(request: Request, era: Era): Promise<Answered> {
    const { pace, callArrives, holdsBack, isCalledBack, yieldToEventLoop } = this.#options;
    const queue = isCalledBack() ? this.#awaited : this.#queue;
    let place = queue.enter();
    const getsTurn = callArrives();
    try {
      // First, because a request of Bun forgets the type of its body once that is read.
      const headers = readHeaders(request.headers, this.#headers);
      const largest = this.#options.policies.largestBody?.() ?? LARGEST_BODY;
      const body = await readBody(request, yieldToEventLoop, largest);
      const held = holdsBack(request, String(body));
      if (held !== undefined) place = await queue.stepAside(place, held);
      return await queue.inTurn(place, request.signal, () => {
        getsTurn();
        if (era.endedBy !== undefined) throw this.#outlived(this.#addresses.nameOf(request), era.endedBy);
        pace.callAnswered();
        return this.#exchange(request, headers, body);
      });
    } finally {
      getsTurn();
      queue.leave(place);
    }
  }

  #exchange(request: Request, headers: RequestHeaders, body: string | Problem): Answered | Promise<Answered> {
    const { engine, faults } = this.#options;
    engine.runningClock.catchUp();
    engine.shortenInputs();
    const target = this.#addresses.targetOf(request.url);
    const recorded = this.#inputs?.add(request, headers, body);
    const underFaults = !faults.none;
    const arrival = { ...target, method: request.method, headers, body, recorded, underFaults };
    if (underFaults) return this.#exchangeUnderFaults(arrival, request);
    const answer = this.#own.to(arrival);
    if (recorded !== undefined) recorded.status = answer.status;
    return { arrival, answer, faulty: false };
  }

  async #exchangeUnderFaults(arrival: Arrival, request: Request): Promise<Answered> {
    const call = this.#faultyCalls.of(arrival, request, () => this.#own.to(arrival));
    const answer = await this.#callFaults.exchange(call);
    if (arrival.recorded !== undefined) arrival.recorded.status = answer.status;
    return { arrival, answer, faulty: answer !== call.own };
  }

  /** Returns the answer to something that cannot become a `Request`, such as a call that Node's parser gives up on. It is not journaled. */
  refuse(problem: Problem): RawAnswer {
    const allow = problem.kind === "method-not-allowed" ? { allow: this.#methods } : {};
    return this.#answers.ofRefusal(this.#options.policies.errorOf(problem), allow);
  }

  /** Returns the document at an address without a query, for worlds that answer it together. */
  documentAt(url: string): RawAnswer | undefined {
    const { part, path, query, ...addresses } = this.#addresses.targetOf(url);
    if (query !== "") return undefined;
    const found = this.#options.routers.of(part).documentAt(path);
    if (found === undefined) return undefined;
    const { route, resource } = found;
    return this.#answers.of(route.handle(addresses as never, this.#options.commandsOf(resource) as never), route);
  }

  /** Returns the name of the route that a request calls; undefined where there is none. */
  routeOf(method: string, url: string): string | undefined {
    const { part, path } = this.#addresses.targetOf(url);
    return this.#options.routers.of(part).nameOf(method, path);
  }

  /** Returns the base URL with an endpoint at this path, behind any prefix. */
  baseUrlFor(path: string): string | undefined {
    const { routers, baseUrl, authUrl } = this.#options;
    if (routers.of("api").endsIn(path)) return baseUrl;
    return routers.of("auth").endsIn(path) ? authUrl : undefined;
  }

  /** The headers that this service reads, beside those of every service. */
  get ownHeaders(): readonly string[] {
    return this.#options.policies.headers ?? [];
  }

  /** How many calls faults hold without an answer. */
  get heldCalls(): number {
    return this.#callFaults.heldCalls;
  }

  /** The names of the calls that hang, in the order in which they came. */
  get hangingCalls(): string[] {
    return this.#callFaults.hanging;
  }

  /** Breaks the connection of every call that hangs, as a network does in the end. */
  breakSilence(): void {
    this.#callFaults.breakSilence();
  }

  /**
   * Ends the calls of a world that has ended: breaks off those without an answer, and refuses those that arrive later.
   * @param endedBy what ended the world, such as `sim.reset()`
   */
  endCalls(endedBy: string): void {
    this.#era.endedBy = endedBy;
    this.#era = {};
    this.#callFaults.breakOff((call) => this.#outlived(call, endedBy));
  }

  /** Makes the error of a call to a world that has ended, and journals a warning, outside the digest because its moment varies between runs. */
  #outlived(call: string, endedBy: string): CentavoError {
    const error = worldEnded(call, endedBy);
    this.#options.engine.note("warning", {}, { message: error.message });
    return error;
  }

  /** Every method that some address of the service takes. */
  get #methods(): string {
    const taken = new Set<string>(this.#options.routers.routes.map(({ route }) => route.method));
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => taken.has(method));
    return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
  }
}
