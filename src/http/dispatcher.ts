import type { Assumptions } from "../assumptions.ts";
import type { Engine } from "../engine/engine.ts";
import { parseBody, parseParameters, readBody } from "./body.ts";
import { ApiError } from "./errors.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { RateLimit } from "./rate-limit.ts";
import { redact, redactText } from "./redaction.ts";
import type { AnyRoute, Call, Caller, Credential, RawAnswer, Result } from "./route.ts";
import { Router } from "./router.ts";
import type { MountedRoute } from "./router.ts";
import type { Service } from "./service.ts";
import { unknownFieldError, unknownFields, validate } from "./validation.ts";

/** What the dispatcher is given by the simulator. */
export interface DispatcherOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly routes: readonly MountedRoute[];
  /** Tells who calls. @throws {ApiError} where the credential does not open the route */
  authenticate(credential: Credential, headers: Headers): Caller;
}

interface Target {
  readonly router: Router;
  readonly path: string;
  readonly query: string;
  readonly publicUrl: string;
}

/** A request whose body is read; all that follows is synchronous. */
interface Arrival {
  readonly method: string;
  readonly target: Target;
  readonly headers: Headers;
  readonly body: string;
}

const CORS_HEADERS = "authorization, content-type, idempotency-key, x-admin-key";
const VERSION_HEADERS = ["accept-version", "api-version", "stripe-version", "x-api-version"];
const METADATA_PATH = "/.well-known/oauth-authorization-server";

/** The whole service as one function from Request to Response: routing, credentials, validation, one unit, the answer. */
export class Dispatcher implements Service {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly #options: DispatcherOptions;
  readonly #idempotency: IdempotencyKeys;
  readonly #rateLimit: RateLimit;
  #routers: { api: Router; auth: Router; all: Router } | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.baseUrl = options.baseUrl;
    this.authUrl = options.authUrl;
    this.#idempotency = new IdempotencyKeys(options.engine, options.assumptions);
    this.#rateLimit = new RateLimit(options.engine, options.assumptions);
  }

  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined ? input : this.#requestOf(input, init);
    if (request.signal.aborted) throw request.signal.reason;
    const { method, headers } = request;
    const target = this.#targetOf(request.url);
    if (method === "OPTIONS") return preflight();
    let answer: RawAnswer;
    try {
      answer = this.#answer({ method, target, headers, body: await readBody(request) });
    } catch (error) {
      answer = this.#refuse({ method, target, headers, body: "" }, error, undefined, false);
    }
    const responseHeaders = headers.has("origin") ? { ...answer.headers, "access-control-allow-origin": "*" } : answer.headers;
    return new Response(method === "HEAD" || answer.body === "" ? null : answer.body, { status: answer.status, headers: responseHeaders });
  };

  #requestOf(input: Request | URL | string, init: RequestInit | undefined): Request {
    if (typeof input === "string" && input.startsWith("/")) return new Request(this.baseUrl + input, init);
    return new Request(input, init);
  }

  /** Where a request is meant to go. An origin that is neither of ours is another address of the whole service, such as a loopback port. */
  #targetOf(url: string): Target {
    const routers = (this.#routers ??= this.#buildRouters());
    const { baseUrl, authUrl } = this;
    const shared = baseUrl === authUrl;
    const [address, query = ""] = url.split("#", 1)[0]?.split(/\?(.*)/s, 2) ?? [url];
    const at = (base: string): string | undefined => (address?.startsWith(`${base}/`) ? address.slice(base.length) : undefined);
    const apiPath = at(baseUrl);
    if (apiPath !== undefined) return { router: shared ? routers.all : routers.api, path: apiPath, query, publicUrl: baseUrl };
    const authPath = at(authUrl);
    if (authPath !== undefined) return { router: routers.auth, path: authPath, query, publicUrl: baseUrl };
    const { origin, pathname } = new URL(url);
    const issuer = new URL(authUrl);
    // RFC 8414 §3 puts the well-known part before the issuer's own path.
    if (origin === issuer.origin && pathname === METADATA_PATH + issuer.pathname) return { router: routers.auth, path: METADATA_PATH, query, publicUrl: baseUrl };
    return { router: routers.all, path: pathname, query, publicUrl: origin };
  }

  #buildRouters(): { api: Router; auth: Router; all: Router } {
    const { routes } = this.#options;
    const of = (service: AnyRoute["service"]): Router => new Router(routes.filter(({ route }) => route.service === service));
    return { api: of("api"), auth: of("auth"), all: new Router(routes) };
  }

  #answer(arrival: Arrival): RawAnswer {
    const { engine, assumptions, authenticate } = this.#options;
    const { method, target, headers } = arrival;
    const ignored: string[] = [];
    let route: AnyRoute | undefined;
    let noted = false;
    try {
      const { mounted, params } = target.router.match(method, target.path);
      route = mounted.route;
      assumptions.rely(route.assumes);
      const caller = authenticate(route.credential, headers);
      const merchantId = "merchantId" in caller ? caller.merchantId : "";
      if (merchantId !== "") this.#rateLimit.count(merchantId);
      const call: Call<unknown, unknown, unknown> = {
        params: route.params === undefined ? undefined : validate(route.params, params),
        query: route.query === undefined ? undefined : this.#check(route.query, parseParameters(new URLSearchParams(target.query)), ignored),
        body: route.body === undefined ? undefined : this.#check(route.body, parseBody(arrival.body, headers.get("content-type"), route.accepts ?? ["json"]), ignored),
        caller,
        merchantId,
        publicUrl: target.publicUrl,
        authorization: headers.get("authorization") ?? undefined,
      };
      this.#noteArrival(arrival, route.name, call);
      noted = true;
      if (ignored.length > 0) engine.note("warning", { route: route.name, message: `unknown fields were ignored: ${redactText(ignored.join(", "))}` });
      const answer = engine.unit(() => this.#run(mounted, call, arrival));
      engine.note("answer", { route: route.name, status: answer.status, ...codeOf(answer) });
      return answer;
    } catch (error) {
      return this.#refuse(arrival, error, route, noted);
    }
  }

  #run({ route, commands }: MountedRoute, call: Call<unknown, unknown, unknown>, { method, target, headers }: Arrival): RawAnswer {
    const work = (): RawAnswer => this.#rendered(route, route.handle(call as never, commands as never));
    const key = method === "GET" || method === "HEAD" || route.idempotent === false ? null : headers.get("idempotency-key");
    return this.#idempotency.run(key, `${call.merchantId} ${method} ${target.path}`, [call.query, call.body], work);
  }

  #rendered(route: AnyRoute, result: Result<unknown>): RawAnswer {
    if ("raw" in result) return result.raw;
    if ("declined" in result) return errorAnswer(result.declined, route);
    const status = route.creates === true ? this.#options.assumptions.value("http.success-status") : 200;
    return json(status, { success: true, data: result.data });
  }

  #check(schema: NonNullable<AnyRoute["body"]>, value: unknown, ignored: string[]): unknown {
    const unknown = unknownFields(schema, value);
    const checked = validate(schema, value);
    if (unknown.length > 0 && this.#options.assumptions.value("http.unknown-fields") === "refuse") throw unknownFieldError(unknown);
    ignored.push(...unknown);
    return checked;
  }

  #noteArrival({ method, target, headers }: Arrival, route: string | undefined, call?: Call<unknown, unknown, unknown>): void {
    const { engine } = this.#options;
    const key = headers.get("idempotency-key");
    engine.note("request", {
      method,
      path: redactText(target.path),
      ...(route === undefined ? {} : { route }),
      ...(call === undefined ? {} : { caller: callerName(call.caller) }),
      ...(call?.query === undefined ? {} : { query: redact(call.query) }),
      ...(call?.body === undefined ? {} : { body: redact(call.body) }),
      ...(key === null ? {} : { idempotencyKey: redactText(key) }),
    });
    const versions = VERSION_HEADERS.filter((name) => headers.has(name));
    if (versions.length > 0) {
      this.#options.assumptions.rely(["http.versioning"]);
      engine.note("warning", { message: `the service has no versions; ignored: ${versions.join(", ")}` });
    }
  }

  #refuse(arrival: Arrival, error: unknown, route: AnyRoute | undefined, noted: boolean): RawAnswer {
    const { engine } = this.#options;
    const refusal = error instanceof ApiError ? error : new ApiError("INTERNAL_ERROR");
    if (!noted) this.#noteArrival(arrival, route?.name);
    if (!(error instanceof ApiError)) {
      engine.note("failure", { route: route?.name, message: `Centavo failed to answer; this is a defect, please report it: ${redactText(String(error))}` });
    }
    const answer = errorAnswer(refusal, route);
    engine.note("answer", { ...(route === undefined ? {} : { route: route.name }), status: answer.status, ...codeOf(answer) });
    return answer;
  }
}

function errorAnswer(error: ApiError, route: AnyRoute | undefined): RawAnswer {
  const answer = json(error.status, { ...error.body(), ...route?.errorFields?.(error) });
  return { ...answer, headers: { ...answer.headers, ...error.headers }, code: error.code };
}

function json(status: number, body: object): RawAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function codeOf({ code }: RawAnswer): { code?: string } {
  return code === undefined ? {} : { code };
}

function callerName(caller: Caller): string {
  return caller.kind === "merchant" ? caller.merchantId : caller.kind === "client-key" ? `client key of ${caller.intentId}` : caller.kind;
}

/** A browser asks before it sends; the service lets every page ask. */
function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": CORS_HEADERS,
      "access-control-max-age": "600",
    },
  });
}
