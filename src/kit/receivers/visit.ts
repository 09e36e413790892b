import { shownAddress } from "../base/redaction/address.ts";
import { inWords } from "../base/errors/in-words.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";

/** Calls a connected app as a browser or another client would. */
export interface Visit {
  /**
   * @param target a URL, a path at the origin of the only connected app, or a whole request
   * @param init as `fetch` takes it; `GET` without a body by default
   */
  (target: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * @param method the HTTP method, such as `"POST"`
   * @param target a URL, or a path at the origin of the only connected app
   * @param json is sent as JSON; without it there is no body
   */
  (method: string, target: string | URL, json?: unknown): Promise<Response>;
}

/**
 * Builds the request of a visit.
 * @param origins where apps are connected
 * @throws {CentavoError} `INVALID_OPTION` for arguments of neither form, `INVALID_URL` for a target that leads nowhere, `NOT_CONNECTED` for
 * a path while no app is connected
 */
export function requestOfVisit([first, second, third]: readonly unknown[], origins: readonly string[]): Request {
  if (first instanceof Request) return new Request(first, second as RequestInit | undefined);
  const named = typeof second === "string" || second instanceof URL;
  const url = urlOf(named ? second : first, origins);
  if (!named) return new Request(url, second as RequestInit | undefined);
  if (typeof first !== "string" || !/^[a-z]+$/i.test(first)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `sim.visit(${inWords(first)}, ${inWords(String(second))}): the first argument is not an HTTP method. Write visit("POST", "/orders", { id }) or visit("/orders", { method: "POST", body }).`,
    );
  }
  const method = first.toUpperCase();
  if (third === undefined) return new Request(url, { method });
  return new Request(url, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(third) });
}

function urlOf(target: unknown, origins: readonly string[]): URL {
  if (typeof target === "string" && target.startsWith("/") && !target.startsWith("//")) {
    const [origin] = origins;
    if (origin === undefined) {
      throw new CentavoError(
        "NOT_CONNECTED",
        `sim.visit(${JSON.stringify(shownAddress(target))}): no app is connected, so the path has no origin. Connect yours first: sim.connect("https://shop.example", app).`,
      );
    }
    if (origins.length === 1) return new URL(origin + target);
    throw new CentavoError(
      "INVALID_URL",
      `sim.visit(${JSON.stringify(shownAddress(target))}): apps are connected at ${origins.join(" and ")}. Give the whole URL of one, such as ${JSON.stringify(origin + shownAddress(target))}.`,
    );
  }
  const url = typeof target === "string" || target instanceof URL ? URL.parse(target) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new CentavoError(
    "INVALID_URL",
    `sim.visit(${inWords(target)}): visit takes a path such as "/orders/1", or an http(s) URL such as "https://shop.example/orders/1".`,
  );
}
