import type { Part } from "./addresses.ts";
import { Problem } from "./problem.ts";
import type { AnyRoute } from "./route.ts";

/** A route with the commands that it calls. */
export interface MountedRoute {
  readonly route: AnyRoute;
  readonly commands: unknown;
}

export interface Match {
  readonly mounted: MountedRoute;
  readonly params: Readonly<Record<string, string>>;
}

const VARIABLE = /\{(\w+)\}/g;
/** What means something else in a pattern, besides the braces of variables. */
const SPECIAL = /[.+*?^$|()[\]\\]/g;

/** The routes at one path, by method. */
type Methods = ReadonlyMap<string, MountedRoute>;

/**
 * Finds the route of a method and path. Paths without variables come first, the others in the order in which they are declared. A path with a
 * slash at its end is another path.
 */
export class Router {
  /** Paths without variables need no search. */
  readonly #fixed = new Map<string, Methods>();
  readonly #variable: { readonly pattern: RegExp; readonly methods: Methods }[] = [];

  constructor(mounted: readonly MountedRoute[]) {
    const paths = new Map<string, Map<string, MountedRoute>>();
    for (const entry of mounted) {
      const { method, path } = entry.route;
      const methods = paths.get(path) ?? new Map<string, MountedRoute>();
      paths.set(path, methods.set(method, entry));
    }
    for (const [path, methods] of paths) {
      const literal = path.replaceAll(SPECIAL, "\\$&");
      const pattern = literal.replaceAll(VARIABLE, "(?<$1>[^/]+)");
      if (pattern === literal) this.#fixed.set(path, methods);
      else this.#variable.push({ pattern: new RegExp(`^${pattern}$`), methods });
    }
  }

  /** Returns the routes at a path, with the values of its variables. */
  #find(path: string): readonly [methods?: Methods | undefined, found?: Readonly<Record<string, string>> | undefined] {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return [fixed];
    for (const { pattern, methods } of this.#variable) {
      const match = pattern.exec(path);
      if (match !== null) return [methods, match.groups];
    }
    return [];
  }

  documentAt(path: string): MountedRoute | undefined {
    const mounted = this.#fixed.get(path)?.get("GET");
    return mounted?.route.isDocument === true ? mounted : undefined;
  }

  /** @throws {Problem} `not-found` for an unknown path, `method-not-allowed` with `Allow` for a known one */
  match(method: string, path: string): Match {
    const [methods, found] = this.#find(path);
    if (methods === undefined) throw new Problem("not-found", { detail: `There is nothing at ${path}` });
    const mounted = methods.get(method === "HEAD" ? "GET" : method);
    if (mounted === undefined) {
      const allowed = [...methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
      throw new Problem("method-not-allowed", {
        detail: `${path} does not take ${method}; it takes ${allowed}`,
        headers: { allow: allowed },
      });
    }
    const params: Record<string, string> = {};
    for (const [name, value] of Object.entries(found ?? {})) params[name] = decode(value);
    return { mounted, params };
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem("not-found", { detail: "The path is not valid percent-encoding" });
  }
}

/** The routers of the parts of a service. */
export class Routers {
  readonly #routes: readonly MountedRoute[];
  readonly #routers = new Map<Part, Router>();

  constructor(routes: readonly MountedRoute[]) {
    this.#routes = routes;
  }

  /** Builds a router when it is first needed, because most simulators use one part alone. */
  of(part: Part): Router {
    const known = this.#routers.get(part);
    if (known !== undefined) return known;
    const router = new Router(this.#routes.filter(({ route }) => part === "both" || route.service === part));
    this.#routers.set(part, router);
    return router;
  }
}
