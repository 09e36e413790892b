import { CentavoError } from "../errors/centavo-error.ts";
import type { NodeListener } from "../runtime/http.ts";

/** A fetch handler: what Hono, Bun, Deno and edge platforms call an app. It is called with the request alone. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** An app that answers a `Request` with a `Response`. */
export type FetchApp = FetchHandler | { readonly fetch: FetchHandler };

/** An app for Node's http server: an Express app, a Koa app or its `callback()`, a Fastify instance, a bare `(req, res)` function. */
export type ListenerApp =
  | NodeListener
  | { readonly listener: NodeListener }
  | { readonly routing: NodeListener; ready(): PromiseLike<unknown> }
  | { callback(): NodeListener };

/** What `sim.connect(origin, app)` takes. */
export type MerchantApp = FetchApp | ListenerApp;

/** How to call an app: with a request in the process, or through an http server that serves the listener it prepares. */
export type WayIn =
  | { readonly kind: "fetch"; readonly handler: FetchHandler }
  | { readonly kind: "listener"; readonly prepare: () => Promise<NodeListener> };

/**
 * Tells what was connected. An object says it by its shape. A function says it by its number of declared parameters: none or
 * one is a fetch handler `(request)`, two or more is a listener `(req, res)`; `{ fetch }` and `{ listener }` overrule that.
 *
 * @throws CentavoError `INVALID_OPTION` for anything else, and for an object that is both.
 */
export function readMerchantApp(origin: string, app: MerchantApp): WayIn {
  if (typeof app === "object" && app !== null) {
    const ways = [
      "fetch" in app && typeof app.fetch === "function" && fetchWay((request) => app.fetch(request)),
      "listener" in app && typeof app.listener === "function" && listenerWay(() => app.listener),
      "routing" in app && typeof app.ready === "function" && listenerWay(() => app.ready().then(() => app.routing)),
      "callback" in app && typeof app.callback === "function" && listenerWay(() => app.callback()),
    ].filter((way) => way !== false);
    const [way] = ways;
    if (way !== undefined && ways.length === 1) return way;
  }
  if (typeof app === "function")
    return app.length < 2 ? fetchWay(app as FetchHandler) : listenerWay(() => app as NodeListener);
  throw new CentavoError(
    "INVALID_OPTION",
    `sim.connect(${JSON.stringify(origin)}, app) was given ${describe(app)}. An app is a fetch handler (request) => Response, an ` +
      "object with fetch (Hono), an Express or Koa app, a Fastify instance, or a (req, res) listener; { fetch } or { listener } " +
      "says which of the two a function is.",
  );
}

function fetchWay(handler: FetchHandler): WayIn {
  return { kind: "fetch", handler };
}

function listenerWay(prepare: () => NodeListener | PromiseLike<NodeListener>): WayIn {
  return { kind: "listener", prepare: async () => prepare() };
}

function describe(app: unknown): string {
  if (typeof app === "string") return `the string ${JSON.stringify(app)}`;
  if (typeof app !== "object" || app === null) return String(app);
  if ("then" in app) return "a promise of something: await it first";
  const keys = Object.keys(app);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 8).join(", ")}`;
}

/** By shape, since a test runner or a polyfill may bring its own `Response`. */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    typeof value.status === "number" &&
    "headers" in value
  );
}
