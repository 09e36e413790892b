import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Engine } from "../engine/engine.ts";
import type { Faults } from "../faults/faults.ts";
import { diagnosticsChannel } from "../runtime/diagnostics.ts";
import { Addresses } from "./addresses.ts";
import type { Part, Target } from "./addresses.ts";
import { parseBody, parseParameters, readBody } from "./body.ts";
import { crossOriginHeaders, preflight } from "./cors.ts";
import { CallFaults } from "./fault-injection.ts";
import type { FaultyCall } from "./fault-injection.ts";
import { ApiError } from "./errors.ts";
import type { FieldError } from "./errors.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { RateLimit } from "./rate-limit.ts";
import { redactPath } from "../redaction/redaction.ts";
import { readHeaders } from "./request-headers.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { RequestInputs } from "./request-inputs.ts";
import type { RequestInput } from "./request-inputs.ts";
import { RequestJournal } from "./request-journal.ts";
import type { AnyRoute, Call, Caller, Credential, RawAnswer, Result } from "./route.ts";
import { Router } from "./router.ts";
import type { MountedRoute } from "./router.ts";
import type { Service } from "./service.ts";
import { check, unknownFieldErrors, validationError } from "./validation.ts";

/** What the dispatcher is given by the simulator. */
export interface DispatcherOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly routes: readonly MountedRoute[];
  /** Tells who calls. @throws {ApiError} where the credential does not open the route */
  readonly authenticate: (credential: Credential, headers: RequestHeaders) => Caller;
  /** Told the moment for which a held call waits, in milliseconds since 1970. */
  readonly onHeld: (until: number) => void;
  readonly yieldToEventLoop: () => Promise<void>;
}

/** A request whose body is read; all that follows is synchronous. */
interface Arrival extends Target {
  readonly method: string;
  readonly headers: RequestHeaders;
  /** The body, or what is wrong with it. */
  readonly body: string | ApiError;
  /** Its place in the recording, where there is one. */
  readonly recorded: RequestInput | undefined;
}

/** What the channel `centavo:answer` says of each call that was answered. */
export interface AnsweredCall {
  readonly method: string;
  /** The path below the base URL, still percent-encoded. */
  readonly path: string;
  /** Whether the address leads to the API, to the token service, or to both, as a loopback port does. */
  readonly part: Part;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Whether a fault has put this in the place of the service's own answer. */
  readonly faulty: boolean;
}

const answered = diagnosticsChannel<AnsweredCall>("centavo:answer");

const utf8 = new TextEncoder();

type AnyCall = Call<unknown, unknown, unknown>;

/** The whole service as one function from Request to Response: routing, credentials, validation, one unit, the answer. */
export class Dispatcher implements Service {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly #options: DispatcherOptions;
  readonly #idempotency: IdempotencyKeys;
  readonly #rateLimit: RateLimit;
  readonly #journal: RequestJournal;
  readonly #inputs: RequestInputs | undefined;
  readonly #callFaults: CallFaults;
  readonly #addresses: Addresses;
  readonly #routers = new Map<Part, Router>();
  #lastHeaders: RequestHeaders = {};

  constructor(options: DispatcherOptions) {
    const { engine, assumptions, baseUrl, authUrl } = options;
    this.#options = options;
    this.baseUrl = baseUrl;
    this.authUrl = authUrl;
    this.#addresses = new Addresses(baseUrl, authUrl);
    this.#idempotency = new IdempotencyKeys(engine, assumptions);
    this.#rateLimit = new RateLimit(engine, assumptions);
    this.#journal = new RequestJournal(engine, assumptions);
    this.#inputs = engine.inputs === undefined ? undefined : new RequestInputs(engine.inputs, baseUrl);
    this.#callFaults = new CallFaults(options);
    engine.inputs?.waitWhile(() => this.holdsCalls);
  }

  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined ? input : this.#requestOf(input, init);
    const { method } = request;
    request.signal.throwIfAborted();
    if (method === "OPTIONS") {
      const { path, part } = this.#addresses.targetOf(request.url);
      const allowed = preflight(request.headers);
      publish({ method, path, part }, allowed, { body: "", faulty: false });
      return allowed;
    }
    const body = await readBody(request, this.#options.yieldToEventLoop);
    const headers = readHeaders(request.headers, this.#lastHeaders);
    this.#lastHeaders = headers;
    this.#options.engine.shortenInputs();
    const recorded = this.#inputs?.add(request, headers, body);
    const arrival = { ...this.#addresses.targetOf(request.url), method, headers, body, recorded };
    let faulty = false;
    let answer: RawAnswer;
    if (this.#options.faults.none) answer = this.#answer(arrival);
    else {
      const call = this.#faultyCall(arrival, request);
      answer = await this.#callFaults.exchange(call);
      faulty = answer !== call.own;
    }
    if (recorded !== undefined) recorded.status = answer.status;
    const bytes = utf8.encode(answer.body);
    const response = new Response(method === "HEAD" || answer.body === "" ? null : bytes, {
      status: answer.status,
      headers: {
        ...answer.headers,
        "content-length": String(bytes.byteLength),
        ...(request.headers.has("origin") ? crossOriginHeaders : {}),
      },
    });
    publish(arrival, response, { body: method === "HEAD" ? "" : answer.body, faulty });
    return response;
  };

  /** Whether calls have no answer yet because faults hold them back. */
  get holdsCalls(): boolean {
    return this.#callFaults.holdsCalls;
  }

  /** Breaks the connection of every call that has no answer yet. */
  breakOff(): void {
    this.#callFaults.breakOff();
  }

  #requestOf(input: Request | URL | string, init: RequestInit | undefined): Request {
    return new Request(typeof input === "string" && input.startsWith("/") ? this.baseUrl + input : input, init);
  }

  /** Built when first asked for, because most simulators meet one part alone. */
  #routerOf(part: Part): Router {
    const known = this.#routers.get(part);
    if (known !== undefined) return known;
    const router = new Router(this.#options.routes.filter(({ route }) => part === "both" || route.service === part));
    this.#routers.set(part, router);
    return router;
  }

  #answer(arrival: Arrival): RawAnswer {
    const { engine, assumptions, faults } = this.#options;
    const ignored: string[] = [];
    let route: AnyRoute | undefined;
    let noted = false;
    try {
      const { mounted, params } = this.#routerOf(arrival.part).match(arrival.method, arrival.path);
      route = mounted.route;
      assumptions.use(route.assumes);
      const call = this.#callOf(arrival, route, params, ignored);
      this.#journal.request(arrival, route, call);
      noted = true;
      if (ignored.length > 0) this.#journal.ignored(route, ignored);
      const answer = engine.unit(() => this.#run(mounted, call, arrival));
      this.#journal.answer(route, answer);
      return answer;
    } catch (error) {
      const apiError = error instanceof ApiError ? error : new ApiError("INTERNAL_ERROR");
      if (!noted) {
        this.#journal.request(arrival, route);
        // Faults read bodies of their own accord, also those that the service refuses.
        if (arrival.recorded !== undefined && faults.none) this.#inputs?.refused(arrival.recorded, apiError.code);
      }
      if (apiError !== error) this.#journal.defect(route, error);
      const answer = this.#errorAnswer(apiError, route);
      this.#journal.answer(route, answer);
      return answer;
    }
  }

  #faultyCall(arrival: Arrival, { url, signal }: Request): FaultyCall & { readonly own: RawAnswer | undefined } {
    const { method, path, headers, body } = arrival;
    const { route, params } = this.#known(arrival);
    const merchant = this.#merchantOf(route, headers);
    const fields = fieldsOf(body);
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

  /** The route of a call, where it has one: a fault may hit what the service itself would not find. */
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
      const caller = route === undefined ? undefined : this.#options.authenticate(route.credential, headers);
      return caller !== undefined && "merchantId" in caller ? caller.merchantId : undefined;
    } catch {
      return undefined;
    }
  }

  /** Who calls, and with what: everything checked, every offending field of query and body listed at once. */
  #callOf(arrival: Arrival, route: AnyRoute, params: Readonly<Record<string, string>>, ignored: string[]): AnyCall {
    const { headers, query, body, publicUrl } = arrival;
    const caller = this.#options.authenticate(route.credential, headers);
    const merchantId = "merchantId" in caller ? caller.merchantId : "";
    if (merchantId !== "") this.#rateLimit.count(merchantId);
    if (body instanceof ApiError) throw body;
    const errors: FieldError[] = [];
    const call = {
      params: this.#check(route.params, () => params, errors, ignored),
      query: this.#check(route.query, () => parseParameters(query), errors, ignored),
      body: this.#check(
        route.body,
        () => parseBody(body, headers["content-type"], route.accepts ?? ["json"]),
        errors,
        ignored,
      ),
      caller,
      merchantId,
      publicUrl,
      authorization: headers.authorization,
    };
    if (errors.length > 0) throw validationError(errors);
    return call;
  }

  #check(schema: AnyRoute["body"], given: () => unknown, errors: FieldError[], ignored: string[]): unknown {
    if (schema === undefined) return undefined;
    const checked = check(schema, given());
    errors.push(...checked.errors);
    if (checked.unknown.length > 0) {
      if (this.#options.assumptions.value("http.unknown-fields") === "refuse")
        errors.push(...unknownFieldErrors(checked.unknown));
      else ignored.push(...checked.unknown);
    }
    return checked.value;
  }

  #run({ route, commands }: MountedRoute, call: AnyCall, arrival: Arrival): RawAnswer {
    const { method, headers } = arrival;
    const work = (): RawAnswer => this.#rendered(route, route.handle(call as never, commands as never));
    const ignoresKey = method === "GET" || method === "HEAD" || route.idempotent === false;
    const key = ignoresKey ? undefined : headers["idempotency-key"];
    if (key === undefined) return work();
    return this.#idempotency.run(key, scopeOf(call.merchantId, arrival), [call.query, call.body], work);
  }

  #rendered(route: AnyRoute, result: Result<unknown>): RawAnswer {
    if ("raw" in result) return result.raw;
    if ("declined" in result) return this.#errorAnswer(result.declined, route);
    const created = this.#options.assumptions.value("http.success-status");
    return json(route.creates === true ? created : 200, { success: true, data: result.data });
  }

  #errorAnswer(error: ApiError, route: AnyRoute | undefined): RawAnswer {
    this.#options.assumptions.use(["http.error-body", "http.error-codes", "http.error-status", "http.refusals"]);
    const { status, headers, body } = json(error.status, { ...error.body(), ...route?.errorFields?.(error) });
    return { status, headers: { ...headers, ...error.headers }, body, code: error.code };
  }
}

function publish(
  { method, path, part }: Pick<Arrival, "method" | "path" | "part">,
  { status, headers }: Response,
  { body, faulty }: Pick<AnsweredCall, "body" | "faulty">,
): void {
  if (answered.hasSubscribers) answered.publish({ method, path, part, status, headers, body, faulty });
}

/** Within which an idempotency key means one and the same call. */
function scopeOf(merchantId: string, { method, path }: Arrival): string {
  return `${merchantId} ${method} ${path}`;
}

/** The texts at the top of a JSON body, by which a fault may mean a call. */
function fieldsOf(body: Arrival["body"]): Readonly<Record<string, string>> {
  try {
    const parsed: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}

function json(status: number, body: object): RawAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
