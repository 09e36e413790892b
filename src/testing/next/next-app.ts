import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { messageOf, textOf } from "../../kit/base/errors/thrown-values.ts";
import { isResponse } from "../../kit/receivers/merchant-app.ts";
import type { FetchHandler } from "../../kit/receivers/merchant-app.ts";
import { absolutePath, filesBelow } from "../../kit/base/runtime/files.ts";
import { findRoute, nextRoutes } from "./routes.ts";
import type { NextParams } from "./routes.ts";
import { answerThrown, loaded, loadNextServer } from "./server.ts";
import type { Load, NextServer } from "./server.ts";

/** The options of `nextApp`. */
export interface NextAppOptions {
  /**
   * Loads a file by its absolute path. By default Centavo imports it, as Node does. Where the runner compiles your code, such as vitest,
   * give it `(file) => import(file)`, written in your own test.
   */
  readonly load?: Load;
}

type RouteHandler = (request: Request, context: { readonly params: Promise<NextParams> }) => unknown;
type RouteModule = Readonly<Record<string, unknown>>;

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"] as const;

/**
 * Makes an app for `sim.connect` of a Next app's route handlers (`app/**\/route.ts`), without a Next server. It finds the handler of a
 * request as Next does, and calls it with a `NextRequest`, or with a `Request` if `next` is not installed, and with its `params`.
 *
 * `cookies()` and `headers()` of `next/headers` work, and so do `redirect()`, `notFound()`, and `after()`, whose work begins once the handler
 * has answered. Next's cache keeps nothing, so `revalidateTag()` and `revalidatePath()` have nothing to do. Only route handlers run: no
 * pages, no proxy or middleware, and nothing of `next.config`. `nextPagesApi` runs the API routes of a `pages` folder.
 *
 * @param folder the folder of the App Router, relative to the working directory, or its `file:` URL
 * @returns an object with `fetch`
 * @throws {CentavoError} `INVALID_OPTION` when the folder cannot be read or holds no route handlers, or two of them answer the same path
 *
 * @example
 * sim.connect("https://shop.example", nextApp("app"));
 * const answer = await sim.visit("POST", "/api/orders", { id: "order-1" }); // app/api/orders/route.ts
 */
export function nextApp(
  folder: string | URL,
  { load = loadFile }: NextAppOptions = {},
): { readonly fetch: FetchHandler } {
  const root = absolutePath(folder);
  const routes = nextRoutes(filesOf("nextApp", root));
  if (routes.length === 0) {
    throw new CentavoError(
      "INVALID_OPTION",
      `nextApp(): there is no route handler in ${root}. Give the folder of the App Router, whose handlers stand in files such as app/api/orders/route.ts. For a pages folder, use nextPagesApi().`,
    );
  }
  const modules = new Map<string, Promise<RouteModule>>();
  const moduleOf = (file: string): Promise<RouteModule> => {
    const loading = modules.get(file) ?? routesIn(file, loaded("nextApp", `${root}/${file}`, load, file));
    modules.set(file, loading);
    return loading;
  };
  let next: Promise<NextServer> | undefined;

  return {
    fetch: async (request) => {
      const found = findRoute(routes, new URL(request.url));
      if ("status" in found) return new Response(found.text, found);
      const { file, params } = found;
      next ??= loadNextServer(root, load);
      const server = await next;
      const handler = handlerOf(await moduleOf(file), request.method);
      if (handler instanceof Response) return handler;
      const own = new server.Request(request);
      const response = await server.answer(own, file, () => answerOf(handler, own, params, file));
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** @throws {CentavoError} `INVALID_OPTION` if the folder cannot be read */
export function filesOf(caller: string, root: string): readonly string[] {
  try {
    return filesBelow(root) ?? [];
  } catch (cause) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${caller}(): the folder ${root} cannot be read: ${messageOf(cause)}. Give the folder of the router, relative to the working directory.`,
      { cause },
    );
  }
}

/** Imports a file. The CommonJS build turns the import into a `require()`, so that Jest compiles the file. */
export async function loadFile(file: string): Promise<unknown> {
  // An absolute Windows path is not a URL. A bundler that follows the import would take in every file of this package.
  const path = /^[a-z]:/i.test(file) && typeof module === "undefined" ? `file:///${file}` : file;
  return import(/* @vite-ignore */ /* webpackIgnore: true */ path);
}

async function routesIn(file: string, loading: Promise<unknown>): Promise<RouteModule> {
  const exported = ((await loading) ?? {}) as RouteModule;
  const { default: inner } = exported;
  // A file that was compiled to CommonJS may have its exports only in `default`.
  const routes =
    METHODS.some((method) => method in exported) || inner === undefined ? exported : (inner as RouteModule);
  if (METHODS.some((method) => typeof routes[method] === "function")) return routes;
  throw new CentavoError(
    "INVALID_OPTION",
    `nextApp(): ${file} exports no route handler. Export a function named after each HTTP method: export async function POST(request) { … }.`,
  );
}

/** Returns the handler of a method, or the answer that Next gives if there is none. */
function handlerOf(routes: RouteModule, method: string): RouteHandler | Response {
  const own = METHODS.filter((name) => typeof routes[name] === "function");
  const known = METHODS.find((name) => name === method);
  if (known === undefined) return new Response(null, { status: 400 });
  if (own.includes(known)) return routes[known] as RouteHandler;
  if (known === "HEAD" && own.includes("GET")) return routes["GET"] as RouteHandler;
  if (known !== "OPTIONS") return new Response(null, { status: 405 });
  const allowed = new Set<string>(["OPTIONS", ...own, ...(own.includes("GET") ? ["HEAD"] : [])]);
  return new Response(null, { status: 204, headers: { allow: [...allowed].toSorted().join(", ") } });
}

/** Calls a handler, and answers as Next does if it throws `redirect()`, `notFound()` or similar functions of `next/navigation`. */
async function answerOf(handler: RouteHandler, request: Request, params: NextParams, file: string): Promise<Response> {
  let response;
  try {
    response = await handler(request, { params: Promise.resolve(params) });
  } catch (error) {
    const answer = answerThrown(error);
    if (answer !== undefined) return answer;
    throw error;
  }
  if (isResponse(response)) return response;
  throw new TypeError(
    `${request.method} of ${file} returned ${textOf(response)}, and a route handler returns a Response`,
  );
}
