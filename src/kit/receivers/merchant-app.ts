import { CentavoError } from "../base/errors/centavo-error.ts";
import type { NodeListener } from "../base/runtime/http.ts";
import { guessAbout, guessAboutFetch } from "./handler-shapes.ts";

/** A fetch handler: what Hono, Bun, Deno and edge platforms call an app. It gets the request alone. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** An app that answers a `Request` with a `Response`. */
export type FetchApp = FetchHandler | { readonly fetch: FetchHandler };

/**
 * An app for Node's http server: an Express app, a Koa app or its `callback()`, a Fastify instance, a Nest application, an `http.Server`,
 * a bare `(req, res)` function.
 */
export type ListenerApp =
  | NodeListener
  | ServerLike
  | NestApp
  | { readonly listener: NodeListener }
  | { readonly routing: NodeListener; ready(): PromiseLike<unknown> }
  | { callback(): NodeListener };

/**
 * Lets TypeScript infer the parameters of a listener that is written in place. A function of two parameters fits only the second signature.
 * A function of one parameter fits both, but because the first is generic, TypeScript treats the function as a fetch handler.
 */
export interface ListenerInPlace {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature only needs to be generic
  <_>(request: never): unknown;
  (request: Parameters<NodeListener>[0], response: Parameters<NodeListener>[1]): unknown;
}

/** An `http.Server`, listening or not. */
interface ServerLike {
  emit(event: "request", ...exchange: Parameters<NodeListener>): boolean;
  address(): unknown;
}

/** A Nest application on Express or Fastify. Its first request initialises it, unless that was done before. */
interface NestApp {
  init(): PromiseLike<unknown>;
  getHttpServer(): ServerLike;
  getHttpAdapter(): { getInstance(): unknown };
}

/** What `sim.connect(origin, app)` takes. */
export type MerchantApp = FetchApp | ListenerApp;

/** How to call an app: in the process, or behind an http server that serves the listener it prepares. */
export type AppHandling = (
  | { readonly kind: "fetch"; readonly handler: FetchHandler }
  | { readonly kind: "listener"; readonly prepare: () => Promise<NodeListener> }
) & {
  /** What to say if the parameters of a function were misleading. */
  readonly guess?: string | undefined;
};

/**
 * Finds out how to call an app. An object is recognised by its shape, a function by its number of declared parameters: none or one for a
 * fetch handler `(request)`, two or more for a listener `(req, res)`. `{ fetch }` and `{ listener }` overrule that.
 * @throws {CentavoError} `INVALID_OPTION` for anything else, and for an object that could be called in two ways
 */
export function readMerchantApp(origin: string, app: MerchantApp): AppHandling {
  if (typeof app === "object" && app !== null) {
    const handlings = [
      "fetch" in app &&
        typeof app.fetch === "function" && {
          ...handledByFetch((request) => app.fetch(request)),
          guess: guessAboutFetch(app.fetch),
        },
      "listener" in app && typeof app.listener === "function" && handledByListener(() => app.listener),
      "routing" in app &&
        typeof app.ready === "function" &&
        handledByListener(() => app.ready().then(() => app.routing)),
      "getHttpAdapter" in app && typeof app.init === "function" && handledByListener(() => listenerOfNest(app)),
      "emit" in app && "address" in app && typeof app.address === "function" && handledByListener(() => emitting(app)),
      "callback" in app && typeof app.callback === "function" && handledByListener(() => app.callback()),
    ].filter((handling) => handling !== false);
    const [handling] = handlings;
    if (handling !== undefined && handlings.length === 1) return handling;
  }
  if (typeof app === "function") {
    const handling =
      app.length < 2 ? handledByFetch(app as FetchHandler) : handledByListener(() => app as NodeListener);
    return { ...handling, guess: guessAbout(app) };
  }
  throw new CentavoError(
    "INVALID_OPTION",
    `sim.connect(${JSON.stringify(origin)}, app) was given ${describe(app)}. An app is a fetch handler (request) => Response, an ` +
      "object with fetch (Hono), an Express or Koa app, a Fastify instance, a Nest application, an http.Server, or a (req, res) " +
      "listener; { fetch } or { listener } " +
      "says which of the two a function is.",
  );
}

function handledByFetch(handler: FetchHandler): AppHandling {
  return { kind: "fetch", handler };
}

function handledByListener(prepare: () => NodeListener | PromiseLike<NodeListener>): AppHandling {
  return { kind: "listener", prepare: async () => prepare() };
}

/** The Nest applications whose initialisation has begun, because Nest does not guard against concurrent calls of `init`. */
const initialised = new WeakMap<NestApp, PromiseLike<unknown>>();

/** A Nest application has its routes only after `init`. On Fastify, it must also wait until Fastify is ready. */
async function listenerOfNest(app: NestApp): Promise<NodeListener> {
  const initialising = initialised.get(app) ?? app.init();
  initialised.set(app, initialising);
  await initialising;
  const framework = app.getHttpAdapter().getInstance() as { ready?(): PromiseLike<unknown> };
  await framework.ready?.();
  return emitting(app.getHttpServer());
}

function emitting(server: ServerLike): NodeListener {
  return (request, response) => server.emit("request", request, response);
}

function describe(app: unknown): string {
  if (typeof app === "string") return `the string ${JSON.stringify(app)}`;
  if (typeof app !== "object" || app === null) return String(app);
  if ("then" in app) return "a promise of something: await it first";
  if ("default" in app) return "a module: connect its default export";
  const keys = Object.keys(app);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 8).join(", ")}`;
}

/** Judges by shape, because a test runner or polyfill may bring its own `Response`. */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    typeof value.status === "number" &&
    "headers" in value
  );
}
