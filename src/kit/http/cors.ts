import type { Addresses } from "./addresses.ts";
import type { HttpPolicies } from "./policies.ts";
import { STANDARD_HEADERS } from "./request-headers.ts";
import type { RawAnswer } from "./route.ts";
import type { Routers } from "./router.ts";

const EXPOSED = "idempotent-replayed, retry-after, www-authenticate";

/** The headers without which a browser hides an answer from a page of another origin. */
export const crossOriginHeaders = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/**
 * Answers a preflight request for an address that every page may call: the page may send anything.
 * @param methods those that some address of the service takes
 * @param names the headers that the service reads
 */
export function preflight(headers: Headers, methods: string, names: readonly string[]): RawAnswer {
  const asked = headers.get("access-control-request-headers");
  return {
    status: 204,
    headers: {
      // A wildcard would not cover Authorization.
      "access-control-allow-headers": asked ?? names.join(", "),
      "access-control-allow-methods": methods,
      "access-control-allow-origin": "*",
      "access-control-max-age": "600",
    },
    body: "",
  };
}

/** What pages of other origins may do, by the service's policy and the routes at an address. */
export class CrossOrigin {
  readonly #policies: HttpPolicies;
  readonly #routers: Routers;
  readonly #addresses: Addresses;

  constructor(policies: HttpPolicies, routers: Routers, addresses: Addresses) {
    this.#policies = policies;
    this.#routers = routers;
    this.#addresses = addresses;
  }

  /** Whether a page of another origin may read what is answered at this address. */
  isForPages(url: string): boolean {
    return this.#policies.crossOrigin?.() !== "none" && this.takesPages(url);
  }

  /** Whether the routes at this address are for pages, whatever the policy. */
  takesPages(url: string): boolean {
    const { part, path } = this.#addresses.targetOf(url);
    return this.#routers.of(part).isForPages(path);
  }

  /** Returns the headers that let a page read an answer; none for an address that is not for pages, and for other callers. */
  headersFor({ url, headers }: Request): Readonly<Record<string, string>> {
    return headers.has("origin") && this.isForPages(url) ? crossOriginHeaders : {};
  }

  /** @param methods those that some address of the service takes */
  preflight({ url, headers }: Request, methods: string): RawAnswer {
    return this.isForPages(url)
      ? preflight(headers, methods, [...STANDARD_HEADERS, ...(this.#policies.headers ?? [])])
      : { status: 204, headers: { allow: methods }, body: "" };
  }
}
