import type { Target } from "./addresses.ts";
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

  constructor(policies: HttpPolicies, routers: Routers) {
    this.#policies = policies;
    this.#routers = routers;
  }

  /** Returns the headers that let a page read an answer; none for an address that is not for pages, and for other callers. */
  headersFor(target: Pick<Target, "part" | "path">, asked: Headers): Readonly<Record<string, string>> {
    return asked.has("origin") && this.#isAllowed(target) ? crossOriginHeaders : {};
  }

  /** @param methods those that some address of the service takes */
  preflight(target: Pick<Target, "part" | "path">, asked: Headers, methods: string): RawAnswer {
    return this.#isAllowed(target)
      ? preflight(asked, methods, [...STANDARD_HEADERS, ...(this.#policies.headers ?? [])])
      : { status: 204, headers: { allow: methods }, body: "" };
  }

  #isAllowed({ part, path }: Pick<Target, "part" | "path">): boolean {
    return this.#policies.crossOrigin?.() !== "none" && this.#routers.of(part).isForPages(path);
  }
}
