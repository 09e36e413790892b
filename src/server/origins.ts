import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { crossOriginHeaders } from "../kit/http/cors.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import { ControlProblem } from "./control/problem.ts";

/** The pages that may call a server. A browser names the origin of a page in `Origin`, and no page can change that. */
export class Origins {
  readonly #allowed: ReadonlySet<string>;
  readonly #own: string | undefined;

  /**
   * @param allowed the other origins whose pages may call the service
   * @param baseUrl the address that clients use, if it is not the server's own
   * @throws {CentavoError} `INVALID_OPTION`
   */
  constructor(allowed: unknown, baseUrl: string | undefined) {
    this.#allowed = new Set(originsIn(allowed));
    this.#own = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  }

  /** Whether a request comes from a page of another origin. */
  isForeign({ headers }: Pick<Request, "headers">): boolean {
    const origin = headers.get("origin");
    if (origin === null || origin === this.#own) return false;
    // A form of a page without a referrer has the origin "null".
    if (origin === "null") return headers.get("sec-fetch-site") !== "same-origin";
    const page = URL.parse(origin);
    if (page === null) return true;
    const here = URL.parse(`${page.protocol}//${headers.get("host") ?? ""}`);
    return here?.host !== page.host;
  }

  /**
   * Refuses a request from a page of another origin that is not allowed.
   * @returns the origin of a page that is allowed, if a page sends the request
   * @throws {ControlProblem}
   */
  check(request: Request): string | undefined {
    if (!this.isForeign(request)) return undefined;
    const origin = request.headers.get("origin") ?? "";
    if (this.#allowed.has(origin)) return origin;
    throw refusedPage(
      origin,
      "Start it with --allow-origin for that origin, or the option allowedOrigins, if the page may call the service.",
    );
  }

  /**
   * Refuses a request from any page of another origin.
   * @throws {ControlProblem}
   */
  checkOwn(request: Request): void {
    if (!this.isForeign(request)) return;
    throw refusedPage(
      request.headers.get("origin") ?? "",
      "No page of another origin reaches the control API: call it from a test or a script.",
    );
  }
}

/** Lets the page of an allowed origin read an answer, whatever the world says of other origins. */
export function readableBy(origin: string, request: Request, answer: RawAnswer | Response): RawAnswer | Response {
  const headers = new Headers(answer.headers);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "origin");
  if (request.method === "OPTIONS") {
    const asked = request.headers.get("access-control-request-headers");
    if (asked !== null) headers.set("access-control-allow-headers", asked);
    headers.set(
      "access-control-allow-methods",
      headers.get("access-control-allow-methods") ?? headers.get("allow") ?? "*",
    );
    headers.set("access-control-max-age", "600");
  } else headers.set("access-control-expose-headers", crossOriginHeaders["access-control-expose-headers"]);
  return answer instanceof Response
    ? new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers })
    : { ...answer, headers: Object.fromEntries(headers) };
}

function refusedPage(origin: string, wayOut: string): ControlProblem {
  return new ControlProblem(
    403,
    "FOREIGN_ORIGIN",
    `This server does not answer pages of the origin ${JSON.stringify(origin.slice(0, 100))}. ${wayOut}`,
  );
}

function originsIn(allowed: unknown): readonly string[] {
  const isOrigin = (origin: unknown): origin is string =>
    typeof origin === "string" && /^https?:/.test(origin) && URL.parse(origin)?.origin === origin;
  if (Array.isArray(allowed) && allowed.every(isOrigin)) return allowed;
  const what = Array.isArray(allowed)
    ? `has the entry ${inWords(allowed.find((origin) => !isOrigin(origin)))}`
    : `is ${inWords(allowed)}`;
  throw new CentavoError(
    "INVALID_OPTION",
    `The option allowedOrigins ${what}. It takes a list of origins of pages, such as ["http://localhost:3000"]: a scheme, a host and a port, without a path.`,
  );
}
