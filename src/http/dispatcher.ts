import type { Engine } from "../engine/engine.ts";
import type { Faults } from "../faults/faults.ts";
import { Addresses } from "./addresses.ts";
import type { Part } from "./addresses.ts";
import { publishAnswer } from "./answer-channel.ts";
import { Answers } from "./answers.ts";
import { bodyOfText, parseJson, parseParameters, readBody } from "./body.ts";
import { CallQueue } from "./call-queue.ts";
import { CallReader, problemsWith } from "./call-reader.ts";
import type { AnyCall, Arrival } from "./call-reader.ts";
import { crossOriginHeaders, preflight } from "./cors.ts";
import { CallFaults } from "./fault-injection.ts";
import type { FaultyCall } from "./fault-injection.ts";
import { HttpError } from "./http-error.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import type { Pace } from "./pace.ts";
import { RateLimit } from "./rate-limit.ts";
import type { HttpPolicies } from "./policies.ts";
import { Problem } from "./problem.ts";
import { redactPath } from "../redaction/redaction.ts";
import { readHeaders, STANDARD_HEADERS } from "./request-headers.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { RequestInputs } from "./request-inputs.ts";
import { RequestJournal } from "./request-journal.ts";
import { requestOf } from "./request-of.ts";
import type { AnyRoute, RawAnswer } from "./route.ts";
import { Router } from "./router.ts";
import type { MountedRoute } from "./router.ts";
import type { Service } from "./service.ts";

/** What `Dispatcher` needs. */
export interface DispatcherOptions {
  /** The name of the service, for those who watch the process. */
  readonly service: string;
  readonly engine: Engine;
  readonly faults: Faults;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly routes: readonly MountedRoute[];
  readonly policies: HttpPolicies;
  readonly pace: Pace;
  /** Called as a call arrives. Returns the function to call when it gets its turn, or never will. */
  readonly callArrives: () => () => void;
  /** Whether the clock may be waiting for whoever makes the call that arrives now: such a call does not wait for the clock. */
  readonly isCalledBack: () => boolean;
  readonly yieldToEventLoop: () => Promise<void>;
}

/** A call and its answer, which is `faulty` when a fault changed it. */
type Answered = Readonly<{ arrival: Arrival; answer: RawAnswer; faulty: boolean }>;

const utf8 = new TextEncoder();

/** The whole service as one function from Request to Response: routing, credentials, validation, one unit, the answer. */
export class Dispatcher implements Service {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly #options: DispatcherOptions;
  readonly #idempotency: IdempotencyKeys;
  readonly #calls: CallReader;
  readonly #answers: Answers;
  readonly #journal: RequestJournal;
  readonly #inputs: RequestInputs | undefined;
  readonly #callFaults: CallFaults;
  readonly #addresses: Addresses;
  /** The headers that the service reads. */
  readonly #headers: readonly string[];
  readonly #routers = new Map<Part, Router>();
  readonly #queue: CallQueue;
  /** The calls of those for whom the clock may wait. */
  readonly #awaited: CallQueue;
  #lastHeaders: RequestHeaders = {};

  constructor(options: DispatcherOptions) {
    const { engine, policies, baseUrl, authUrl, pace, yieldToEventLoop } = options;
    this.#options = options;
    this.baseUrl = baseUrl;
    this.authUrl = authUrl;
    this.#addresses = new Addresses(baseUrl, authUrl);
    this.#headers = [...STANDARD_HEADERS, ...(policies.headers ?? []), ...(policies.versionHeaders ?? [])];
    this.#idempotency = new IdempotencyKeys(engine, policies);
    this.#calls = new CallReader(policies, new RateLimit(engine, policies));
    this.#answers = new Answers(policies);
    this.#journal = new RequestJournal(engine, policies);
    this.#inputs = engine.inputs === undefined ? undefined : new RequestInputs(engine.inputs, baseUrl);
    this.#callFaults = new CallFaults({ ...options, onHeld: (until) => pace.waitFor(until) });
    this.#queue = new CallQueue(yieldToEventLoop, () => pace.untilRest());
    this.#awaited = new CallQueue(yieldToEventLoop, () => undefined);
    engine.inputs?.waitWhile(() => this.holdsCalls);
  }

  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const { request, text } = requestOf(input, init, this.baseUrl);
    const { method } = request;
    const { service, policies } = this.#options;
    request.signal.throwIfAborted();
    if (method === "OPTIONS") {
      const { path, part } = this.#addresses.targetOf(request.url);
      const allowed = preflight(request.headers, this.#methods, [...STANDARD_HEADERS, ...(policies.headers ?? [])]);
      publishAnswer({ method, path, part }, allowed, { service, body: "", faulty: false });
      return allowed;
    }
    const { arrival, answer, faulty } = await this.#inTurn(request, text);
    const response = new Response(method === "HEAD" || answer.body === "" ? null : answer.body, {
      status: answer.status,
      headers: {
        ...answer.headers,
        "content-length": String(utf8.encode(answer.body).byteLength),
        ...(request.headers.has("origin") ? crossOriginHeaders : {}),
      },
    });
    publishAnswer(arrival, response, { service, body: method === "HEAD" ? "" : answer.body, faulty });
    return response;
  };

  /** Reads a call's body, and answers the call when its turn comes. */
  async #inTurn(request: Request, text: string | undefined): Promise<Answered> {
    const { pace, callArrives, isCalledBack, yieldToEventLoop } = this.#options;
    const queue = isCalledBack() ? this.#awaited : this.#queue;
    const place = queue.enter();
    const getsTurn = callArrives();
    try {
      const body = await (text === undefined ? readBody(request, yieldToEventLoop) : bodyOfText(text));
      return await queue.inTurn(place, request.signal, () => {
        getsTurn();
        pace.callAnswered();
        return this.#exchange(request, body);
      });
    } finally {
      getsTurn();
      queue.leave(place);
    }
  }

  #exchange(request: Request, body: string | Problem): Answered | Promise<Answered> {
    const { engine, faults } = this.#options;
    const headers = readHeaders(request.headers, this.#headers, this.#lastHeaders);
    this.#lastHeaders = headers;
    engine.shortenInputs();
    const recorded = this.#inputs?.add(request, headers, body);
    const underFaults = !faults.none;
    const { method } = request;
    const arrival = { ...this.#addresses.targetOf(request.url), method, headers, body, recorded, underFaults };
    if (underFaults) return this.#exchangeUnderFaults(arrival, request);
    const answer = this.#answer(arrival);
    if (recorded !== undefined) recorded.status = answer.status;
    return { arrival, answer, faulty: false };
  }

  async #exchangeUnderFaults(arrival: Arrival, request: Request): Promise<Answered> {
    const call = this.#faultyCall(arrival, request);
    const answer = await this.#callFaults.exchange(call);
    if (arrival.recorded !== undefined) arrival.recorded.status = answer.status;
    return { arrival, answer, faulty: answer !== call.own };
  }

  /** Returns the answer to something that cannot become a `Request`, such as a call that Node's parser gives up on. It is not journaled. */
  refuse(problem: Problem): RawAnswer {
    const allow = problem.kind === "method-not-allowed" ? { allow: this.#methods } : {};
    return this.#answers.ofRefusal(this.#options.policies.errorOf(problem), allow);
  }

  /** True while faults hold calls without an answer. */
  get holdsCalls(): boolean {
    return this.#callFaults.holdsCalls;
  }

  /** Breaks the connection of every call that has no answer yet. */
  breakOff(): void {
    this.#callFaults.breakOff();
  }

  /** Every method that some address of the service takes. */
  get #methods(): string {
    const taken = new Set<string>(this.#options.routes.map(({ route }) => route.method));
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => taken.has(method));
    return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
  }

  /** Builds a router when it is first needed, because most simulators use one part alone. */
  #routerOf(part: Part): Router {
    const known = this.#routers.get(part);
    if (known !== undefined) return known;
    const router = new Router(this.#options.routes.filter(({ route }) => part === "both" || route.service === part));
    this.#routers.set(part, router);
    return router;
  }

  #answer(arrival: Arrival): RawAnswer {
    const { engine, policies } = this.#options;
    const ignored: string[] = [];
    let route: AnyRoute | undefined;
    let noted = false;
    try {
      const { mounted, params } = this.#routerOf(arrival.part).match(arrival.method, arrival.path);
      route = mounted.route;
      policies.onCall?.(route);
      const call = this.#calls.read(arrival, mounted, params, ignored);
      this.#journal.request(arrival, route, call);
      noted = true;
      if (ignored.length > 0) this.#journal.ignored(route, ignored);
      const answer = engine.unit(() => this.#run(mounted, call, arrival));
      this.#journal.answer(route, answer);
      return answer;
    } catch (error) {
      if (!noted) {
        this.#journal.request(arrival, route);
        if (arrival.recorded !== undefined && !arrival.underFaults) this.#inputs?.refused(arrival.recorded, error);
      }
      const answer = this.#answers.ofError(this.#errorOf(error, route), route);
      this.#journal.answer(route, answer);
      return answer;
    }
  }

  /** Returns the service's own error for something thrown. Anything but a `Problem` or an `HttpError` is a defect. */
  #errorOf(thrown: unknown, route: AnyRoute | undefined): HttpError {
    if (thrown instanceof HttpError) return thrown;
    if (!(thrown instanceof Problem)) this.#journal.defect(route, thrown);
    return this.#options.policies.errorOf(thrown instanceof Problem ? thrown : new Problem("internal"));
  }

  #faultyCall(arrival: Arrival, { url, signal }: Request): FaultyCall & { readonly own: RawAnswer | undefined } {
    const { method, path, headers, body } = arrival;
    const { route, params } = this.#known(arrival);
    const merchant = this.#merchantOf(route, headers);
    const fields = fieldsOf(body, headers["content-type"]);
    const key = headers["idempotency-key"];
    const id = key === undefined ? undefined : this.#idempotency.idOf(key, scopeOf(merchant ?? "", arrival));
    let own: RawAnswer | undefined;
    return {
      get own() {
        return own;
      },
      occasion: {
        route: route?.name,
        method,
        path,
        resources: [...Object.values(params ?? {}), ...Object.values(fields)],
        merchant,
        fields,
        note: route === undefined ? { method, path: redactPath(path) } : { route: route.name },
      },
      url,
      signal,
      answer: () => (own = this.#answer(arrival)),
      reject: (answer) => {
        this.#journal.request(arrival, route);
        if (answer !== undefined) this.#journal.answer(route, answer);
      },
      onWaiting: () => (id === undefined ? () => undefined : this.#idempotency.hold(id)),
    };
  }

  /** Returns the route of a call, if it has one. A fault may fire on a call for which there is none. */
  #known({ part, method, path }: Arrival): Partial<{ route: AnyRoute; params: Readonly<Record<string, string>> }> {
    try {
      const { mounted, params } = this.#routerOf(part).match(method, path);
      return { route: mounted.route, params };
    } catch {
      return {};
    }
  }

  #merchantOf(route: AnyRoute | undefined, headers: RequestHeaders): string | undefined {
    try {
      return route && this.#options.policies.authenticate(route.credential, headers).merchantId;
    } catch {
      return undefined;
    }
  }

  #run(mounted: MountedRoute, call: AnyCall, arrival: Arrival): RawAnswer {
    const { route, commands } = mounted;
    const { method, headers } = arrival;
    const work = (): RawAnswer => {
      const problems = problemsWith(call, mounted);
      if (problems.length > 0) throw new Problem("invalid", { errors: problems });
      return this.#answers.of(route.handle(call as never, commands as never), route);
    };
    const ignoresKey = method === "GET" || method === "HEAD" || route.idempotent === false;
    const key = ignoresKey ? undefined : headers["idempotency-key"];
    if (key === undefined) return work();
    return this.#idempotency.run(key, scopeOf(call.merchantId, arrival), [call.query, call.body], work);
  }
}

/** Returns the scope in which an idempotency key means one and the same call. */
function scopeOf(merchantId: string, { method, path }: Arrival): string {
  return `${merchantId} ${method} ${path}`;
}

/** Returns the strings at the top level of a body, by which a fault may select a call. */
function fieldsOf(body: Arrival["body"], contentType: string | undefined): Readonly<Record<string, string>> {
  try {
    if (typeof body !== "string") return {};
    if (contentType?.startsWith("application/x-www-form-urlencoded") === true) return parseParameters(body).value;
    const parsed = parseJson(body);
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}
