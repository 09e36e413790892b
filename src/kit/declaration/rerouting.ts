import { CentavoError } from "../base/errors/centavo-error.ts";
import { keepNewest } from "../engine/newest.ts";
import { patternOf, Routers, sameUnder } from "../http/router.ts";
import type { MountedRoute, PathRules } from "../http/router.ts";
import type { AnyRoute, ServiceWords } from "../http/route.ts";
import type { Redaction } from "../base/redaction/redaction.ts";
import type { KnownFaults } from "../faults/reading.ts";

/** How assumptions change the routes of a service. */
export interface Rerouting<Words extends ServiceWords, Overrides> {
  /** The ids of the assumptions that change routes. */
  readonly by: readonly (keyof Overrides & string)[];
  /** Returns what a declared route is under these values: itself, another, or several at paths of their own. */
  readonly routesOf: (route: AnyRoute<Words>, overrides: Overrides) => readonly AnyRoute<Words>[];
  /** Returns what makes two paths one under these values; by default nothing does. */
  readonly pathsUnder?: (overrides: Overrides) => PathRules | undefined;
  /** Returns the further fields in which callers send secrets under these values; by default there are none. */
  readonly secretFields?: (overrides: Overrides) => readonly string[];
}

/** The parts of a service that its routes decide. */
export interface Routing {
  readonly routers: Routers;
  readonly knownFaults: KnownFaults;
  readonly redaction: Redaction;
}

/** Makes the parts of a routing. */
interface RoutingParts {
  /** Returns the faults that may name these routes. */
  readonly knownFaultsOf: (routes: readonly AnyRoute[]) => KnownFaults;
  /** Returns what the journal must not hold, with these further fields of secrets. */
  readonly redactionOf: (fields: readonly string[]) => Redaction;
}

/** Most suites have one set of values, and forks share it. */
const MOST_KEPT = 20;

/**
 * Returns the function that finds the routing of a world by its assumptions.
 * @param usual the routing when no assumption changes it
 */
export function routingUnder<Words extends ServiceWords, Overrides extends object>(
  rerouting: Rerouting<Words, Overrides> | undefined,
  usual: Routing,
  { knownFaultsOf, redactionOf }: RoutingParts,
): (overrides: Overrides, from: string) => Routing {
  const known = new Map<string, Routing>();
  return (overrides, from) => {
    const changed = rerouting?.by.filter((id) => overrides[id] !== undefined) ?? [];
    if (rerouting === undefined || changed.length === 0) return usual;
    const key = JSON.stringify(changed.map((id) => [id, overrides[id]]));
    const found = known.get(key);
    if (found !== undefined) return found;
    const mounted = usual.routers.routes.flatMap(({ route, resource }): MountedRoute[] =>
      rerouting.routesOf(route as AnyRoute<Words>, overrides).map((each) => ({ route: each, resource })),
    );
    const rules = rerouting.pathsUnder?.(overrides);
    refuseSharedPaths(mounted, { changed, from, rules });
    const routing = {
      routers: new Routers(mounted, rules),
      knownFaults: knownFaultsOf(mounted.map(({ route }) => route)),
      redaction: redactionOf(rerouting.secretFields?.(overrides) ?? []),
    };
    keepNewest(known.set(key, routing), MOST_KEPT);
    return routing;
  };
}

/** @throws {CentavoError} `INVALID_ASSUMPTION` for two routes with one method and path, which no request could tell apart */
function refuseSharedPaths(
  mounted: readonly MountedRoute[],
  {
    changed,
    from,
    rules,
  }: { readonly changed: readonly string[]; readonly from: string; readonly rules: PathRules | undefined },
): void {
  const taken = new Map<string, AnyRoute>();
  for (const { route } of mounted) {
    const at = `${route.method} ${sameUnder(rules, patternOf(route.path))}`;
    const other = taken.get(at);
    if (other !== undefined)
      throw new CentavoError(
        "INVALID_ASSUMPTION",
        `${from}: under the assumptions ${changed.map((id) => `"${id}"`).join(", ")}, ${other.name} and ${route.name} are both ${route.method} ${route.path}. Give one of them another path.`,
      );
    taken.set(at, route);
  }
}
