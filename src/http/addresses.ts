import type { AnyRoute } from "./route.ts";
import { Router } from "./router.ts";
import type { MountedRoute } from "./router.ts";

/** What a request's URL means to the service. */
export interface Target {
  readonly router: Router;
  /** The path below the base URL, still percent-encoded. */
  readonly path: string;
  readonly query: string;
  /** The base URL under which the caller reached the service; addresses in answers start with it. */
  readonly publicUrl: string;
}

const METADATA = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

/** Where the service lives: the base URL, the token service's, and any other origin that leads to both, such as a loopback port. */
export class Addresses {
  readonly #baseUrl: string;
  readonly #origins: readonly string[];
  /** The longer base URL first, because one may lie below the other. */
  readonly #bases: readonly { readonly prefix: string; readonly router: Router }[];
  /** RFC 8414 §3.1 puts the well-known part in front of the issuer's own path. */
  readonly #metadata: ReadonlyMap<string, string>;
  readonly #all: Router;
  readonly #auth: Router;
  readonly #nothing = new Router([]);

  constructor(baseUrl: string, authUrl: string, routes: readonly MountedRoute[]) {
    const of = (service: AnyRoute["service"]): Router =>
      new Router(routes.filter(({ route }) => route.service === service));
    const issuer = new URL(authUrl);
    this.#baseUrl = baseUrl;
    this.#origins = [new URL(baseUrl).origin, issuer.origin];
    this.#all = new Router(routes);
    this.#auth = of("auth");
    const bases =
      baseUrl === authUrl
        ? [{ prefix: `${baseUrl}/`, router: this.#all }]
        : [
            { prefix: `${baseUrl}/`, router: of("api") },
            { prefix: `${authUrl}/`, router: this.#auth },
          ];
    this.#bases = bases.toSorted((left, right) => right.prefix.length - left.prefix.length);
    this.#metadata = new Map(
      issuer.pathname === "/" ? [] : METADATA.map((path) => [issuer.origin + path + issuer.pathname, path]),
    );
  }

  targetOf(url: string): Target {
    const hash = url.indexOf("#");
    const whole = hash === -1 ? url : url.slice(0, hash);
    const mark = whole.indexOf("?");
    const address = mark === -1 ? whole : whole.slice(0, mark);
    const query = mark === -1 ? "" : whole.slice(mark + 1);
    const metadata = this.#metadata.get(address);
    if (metadata !== undefined) return { router: this.#auth, path: metadata, query, publicUrl: this.#baseUrl };
    for (const { prefix, router } of this.#bases) {
      if (address.startsWith(prefix))
        return { router, path: address.slice(prefix.length - 1), query, publicUrl: this.#baseUrl };
    }
    const { origin, pathname } = new URL(address);
    const outside = this.#origins.includes(origin);
    return {
      router: outside ? this.#nothing : this.#all,
      path: pathname,
      query,
      publicUrl: outside ? this.#baseUrl : origin,
    };
  }
}
