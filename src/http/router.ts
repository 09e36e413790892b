import { METHOD_NAME_ALL } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { ApiError } from "./errors.ts";
import type { AnyRoute } from "./route.ts";

/** A route and the commands that it calls, brought together by the simulator. */
export interface MountedRoute {
  readonly route: AnyRoute;
  readonly commands: unknown;
}

export interface Match {
  readonly mounted: MountedRoute;
  readonly params: Readonly<Record<string, string>>;
}

type Methods = ReadonlyMap<string, MountedRoute>;

/** Finds the route of a method and path; fixed segments win over variable ones (`http.routing`). */
export class Router {
  readonly #router = new SmartRouter<Methods>({ routers: [new RegExpRouter<Methods>(), new TrieRouter<Methods>()] });

  constructor(mounted: readonly MountedRoute[]) {
    const paths = new Map<string, Map<string, MountedRoute>>();
    for (const entry of mounted) {
      const { method, path } = entry.route;
      const methods = paths.get(path) ?? new Map<string, MountedRoute>();
      paths.set(path, methods.set(method, entry));
    }
    const fixedFirst = [...paths].toSorted(([left], [right]) => variables(left) - variables(right));
    for (const [path, methods] of fixedFirst)
      this.#router.add(METHOD_NAME_ALL, path.replaceAll(/\{(\w+)\}/g, ":$1"), methods);
  }

  /** @throws {ApiError} `NOT_FOUND` for an unknown path, `METHOD_NOT_ALLOWED` with `Allow` for a known one */
  match(method: string, path: string): Match {
    const [handlers, captured] = this.#router.match(METHOD_NAME_ALL, path);
    const [methods, names] = handlers[0] ?? [];
    if (methods === undefined) throw new ApiError("NOT_FOUND", { message: `There is nothing at ${path}` });
    const mounted = methods.get(method === "HEAD" ? "GET" : method);
    if (mounted === undefined) {
      const allowed = [...methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
      throw new ApiError("METHOD_NOT_ALLOWED", {
        message: `${path} does not take ${method}; it takes ${allowed}`,
        headers: { allow: allowed },
      });
    }
    const params: Record<string, string> = {};
    for (const [name, value] of Object.entries(names ?? {}))
      params[name] = decode(captured === undefined ? String(value) : (captured[value as number] ?? ""));
    return { mounted, params };
  }
}

function variables(path: string): number {
  return path.split("{").length;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError("NOT_FOUND", { message: "The path is not valid percent-encoding" });
  }
}
