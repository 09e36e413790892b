import type { Part } from "./addresses.ts";
import { METHOD_NAME_ALL } from "hono/router";
import { PatternRouter } from "hono/router/pattern-router";
import { Problem } from "./problem.ts";
import type { AnyRoute } from "./route.ts";
import { VARIABLE, variablesOf } from "./route-path.ts";

/** A route, and the resource that has its commands. */
export interface MountedRoute {
  readonly route: AnyRoute;
  readonly resource: object;
}

export interface Match<Mounted> {
  readonly mounted: Mounted;
  readonly params: Readonly<Record<string, string>>;
}

/** What makes two paths one. */
export interface PathRules {
  /** A slash at the end. */
  readonly slash: "exact" | "ignored";
  /** Upper and lower case, but for the values of variables. */
  readonly case: "exact" | "ignored";
}

/** Returns a path in the form that all paths have which are one with it. */
export function sameUnder(rules: PathRules | undefined, path: string): string {
  const bare = rules?.slash === "ignored" && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return rules?.case === "ignored" ? bare.toLowerCase() : bare;
}

/** The routes at one path. */
interface Place<Mounted> {
  readonly methods: ReadonlyMap<string, Mounted>;
  readonly endsInSlash: boolean;
}

/**
 * Finds the route of a method and path. Paths without variables come first, the others in the order in which they are declared.
 */
export class Router<Mounted extends Pick<MountedRoute, "route">> {
  /** Paths without variables need no search. */
  readonly #fixed = new Map<string, Place<Mounted>>();
  readonly #variable = new PatternRouter<Place<Mounted>>();

  readonly #rules: PathRules | undefined;

  /** @param rules what makes two paths one; by default nothing does */
  constructor(mounted: readonly Mounted[], rules?: PathRules) {
    this.#rules = rules;
    const paths = new Map<string, Map<string, Mounted>>();
    for (const entry of mounted) {
      const { method, path } = entry.route;
      const pattern = sameUnder(rules, patternOf(path));
      const methods = paths.get(pattern) ?? new Map<string, Mounted>();
      paths.set(pattern, methods.set(method, entry));
    }
    for (const [pattern, methods] of paths) {
      const place = { methods, endsInSlash: pattern.endsWith("/") };
      if (pattern.includes(":")) this.#variable.add(METHOD_NAME_ALL, pattern, place);
      else this.#fixed.set(pattern, place);
    }
  }

  /** Returns the routes at a path, with the values of its variables. */
  #find(
    asked: string,
  ): readonly [place?: Place<Mounted> | undefined, found?: Readonly<Record<string, string | number>>] {
    const path = sameUnder(this.#rules, asked);
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return [fixed];
    const [found] = this.#variable.match(METHOD_NAME_ALL, path);
    return found.find(([{ endsInSlash }]) => endsInSlash === path.endsWith("/")) ?? [];
  }

  /** Whether there is something else than a document at a path, below any prefix. */
  endsIn(path: string): boolean {
    const starts = Array.from(path.matchAll(/\//g), ({ index }) => index);
    return starts.some((start) => {
      const [place] = this.#find(path.slice(start));
      return place !== undefined && ![...place.methods.values()].every(({ route }) => route.isDocument === true);
    });
  }

  /** Whether a page of another origin may read what is answered at a path. */
  isForPages(path: string): boolean {
    const [place] = this.#find(path);
    return place === undefined || [...place.methods.values()].every(({ route }) => route.crossOrigin !== false);
  }

  documentAt(path: string): Mounted | undefined {
    const mounted = this.#fixed.get(sameUnder(this.#rules, path))?.methods.get("GET");
    return mounted?.route.isDocument === true ? mounted : undefined;
  }

  /** Returns the name of the route of a method and path; undefined where there is none. */
  nameOf(method: string, path: string): string | undefined {
    const [place] = this.#find(path);
    return place?.methods.get(method)?.route.name;
  }

  /** Returns the credential that the routes at a path ask for; undefined where there is none. */
  credentialAt(path: string): string | undefined {
    const [place] = this.#find(path);
    return place?.methods.values().next().value?.route.credential;
  }

  /** @throws {Problem} `not-found` for an unknown path, `method-not-allowed` with `Allow` for a known one */
  match(method: string, path: string): Match<Mounted> {
    const [place, found = {}] = this.#find(path);
    if (place === undefined) throw new Problem("not-found", { detail: `There is nothing at ${path}` });
    const { methods } = place;
    const mounted = methods.get(method === "HEAD" ? "GET" : method);
    if (mounted === undefined) {
      const allowed = [...methods.keys()].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
      throw new Problem("method-not-allowed", {
        detail: `${path} does not take ${method}; it takes ${allowed}`,
        headers: { allow: allowed },
      });
    }
    const params: Record<string, string> = {};
    const asIs = this.#rules?.case === "ignored" ? valuesIn(mounted.route.path, path) : {};
    for (const [index, name] of variablesOf(mounted.route.path).entries())
      params[name] = decode(asIs[name] ?? String(found[variableName(index)] ?? ""));
    return { mounted, params };
  }
}

/** Returns a path with its variables numbered: routes at one path may name them otherwise. */
export function patternOf(path: string): string {
  let count = 0;
  return path.replaceAll(VARIABLE, () => `:${variableName(count++)}`);
}

/** Returns the segments of a path that stand for variables. */
function valuesIn(declared: string, path: string): Readonly<Record<string, string>> {
  const segments = path.split("/");
  return Object.fromEntries(
    declared.split("/").flatMap((segment, index) => variablesOf(segment).map((name) => [name, segments[index] ?? ""])),
  );
}

function variableName(index: number): string {
  return `variable${index}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem("not-found", { detail: "The path is not valid percent-encoding" });
  }
}

/** The routers of the parts of a service, which all its worlds share. */
export class Routers {
  readonly routes: readonly MountedRoute[];
  readonly #routers = new Map<Part, Router<MountedRoute>>();
  readonly #rules: PathRules | undefined;

  /** @param rules what makes two paths one; by default nothing does */
  constructor(routes: readonly MountedRoute[], rules?: PathRules) {
    this.routes = routes;
    this.#rules = rules;
  }

  /** Builds a router when it is first needed, because most tests use one part alone. */
  of(part: Part): Router<MountedRoute> {
    const known = this.#routers.get(part);
    if (known !== undefined) return known;
    const router = new Router(
      this.routes.filter(({ route }) => part === "both" || route.service === part),
      this.#rules,
    );
    this.#routers.set(part, router);
    return router;
  }
}
