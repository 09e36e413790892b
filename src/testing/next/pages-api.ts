import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { absolutePath, resolveFrom } from "../../kit/base/runtime/files.ts";
import type { NodeListener } from "../../kit/base/runtime/http.ts";
import { filesOf, loadFile } from "./next-app.ts";
import type { NextAppOptions } from "./next-app.ts";
import { findRoute, pagesApiRoutes } from "./routes.ts";
import { loaded } from "./server.ts";

/** How Next calls an API route: with `res.status().json()`, `req.query`, and a parsed `req.body`. */
type ApiResolver = (
  ...call: [
    ...Parameters<NodeListener>,
    query: Record<string, string | string[]>,
    route: unknown,
    context: object,
    throwsErrors: boolean,
  ]
) => Promise<void>;

/** Only Next's own server calls this file. It was tried with Next 16.4. */
const API_RESOLVER = "next/dist/server/api-utils/node/api-resolver.js";

/**
 * Makes an app for `sim.connect` of a Next app's API routes (`pages/api/**`), without a Next server. Next's own code calls each route, so that
 * `req.query`, `req.body`, `req.cookies`, `res.status()`, `res.json()` and the route's `config` are what they are under Next. No pages and no
 * middleware run, and nothing of `next.config`.
 *
 * @param folder the `pages` folder, relative to the working directory, or its `file:` URL
 * @param options.load loads a file, as for `nextApp`
 * @returns an object with `listener`
 * @throws {CentavoError} `INVALID_OPTION` when the folder cannot be read or holds no API routes, or `next` is not installed beside it
 *
 * @example
 * sim.connect("https://shop.example", nextPagesApi("pages"));
 * const answer = await sim.visit("POST", "/api/orders", { id: "order-1" }); // pages/api/orders.ts
 */
export function nextPagesApi(
  folder: string | URL,
  { load = loadFile }: NextAppOptions = {},
): { readonly listener: NodeListener } {
  const root = absolutePath(folder);
  const routes = pagesApiRoutes(filesOf("nextPagesApi", root));
  if (routes.length === 0)
    throw refused(
      `there is no API route in ${root}. Give the pages folder, whose API routes stand in files such as pages/api/orders.ts.`,
    );
  const resolver = resolveFrom(root, API_RESOLVER);
  if (resolver === undefined)
    throw refused(
      `Next is not installed beside ${root}, or has no ${API_RESOLVER}, with which nextPagesApi was tried under Next 16.4. Install next, or connect its own server: { listener: app.getRequestHandler() }.`,
    );
  const modules = new Map<string, Promise<unknown>>();
  const moduleOf = (file: string, shown = file): Promise<unknown> => {
    const loading = modules.get(file) ?? loaded("nextPagesApi", file, load, shown).then(withoutInterop);
    modules.set(file, loading);
    return loading;
  };

  return {
    listener: async (request, response) => {
      const url = new URL(`http://localhost${request.url}`);
      const found = findRoute(routes, url);
      if ("status" in found) {
        response.writeHead(found.status, found.headers).end(found.text);
        return;
      }
      const { file, params } = found;
      const { apiResolver } = (await moduleOf(resolver)) as { readonly apiResolver: ApiResolver };
      const query = { ...queryOf(url.searchParams), ...params };
      await apiResolver(request, response, query, await moduleOf(`${root}/${file}`, file), {}, true);
    },
  };
}

/** Returns the parameters of a query, as a list if there are several of one name. */
function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = "", ...others] = parameters.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** A file that was compiled to CommonJS may have its exports only in `default`. */
function withoutInterop(loadedModule: unknown): unknown {
  const { default: inner } = (loadedModule ?? {}) as { readonly default?: unknown };
  return typeof inner === "object" && inner !== null ? inner : loadedModule;
}

function refused(reason: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `nextPagesApi(): ${reason}`);
}
