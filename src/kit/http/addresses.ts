import type { Redaction } from "../base/redaction/redaction.ts";

/** Which part of the service an address belongs to. */
export type Part = "api" | "auth" | "both" | "neither";

/** What a request's URL means to the service. */
export interface Target {
  readonly part: Part;
  /** The path below the base URL, still percent-encoded. */
  readonly path: string;
  readonly query: string;
  /** The base URL under which the caller reached the service; addresses in answers start with it. */
  readonly publicUrl: string;
  /** The token service's base URL for this caller. */
  readonly publicAuthUrl: string;
}

const METADATA = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

/** Where the service lives: the base URL, the token service's, and any other origin, such as a loopback port, which leads to both. */
export class Addresses {
  readonly #redaction: Redaction;
  /** The addresses that the service was opened with. */
  readonly #own: Pick<Target, "publicUrl" | "publicAuthUrl">;
  readonly #origins: readonly string[];
  /** The longer base URL first, because one may lie below the other. */
  readonly #bases: readonly { readonly prefix: string; readonly part: Part }[];
  /** RFC 8414 §3.1 puts the well-known part in front of the issuer's own path. */
  readonly #metadata: ReadonlyMap<string, string>;

  constructor(baseUrl: string, authUrl: string, redaction: Redaction) {
    this.#redaction = redaction;
    const issuer = new URL(authUrl);
    const [api, auth] = [`${baseUrl}/`, `${authUrl}/`];
    this.#own = { publicUrl: baseUrl, publicAuthUrl: authUrl };
    this.#origins = [(authUrl === baseUrl ? issuer : new URL(baseUrl)).origin, issuer.origin];
    this.#bases = [
      { prefix: api, part: api === auth ? ("both" as const) : ("api" as const) },
      { prefix: auth, part: "auth" as const },
    ].toSorted((left, right) => right.prefix.length - left.prefix.length);
    this.#metadata = new Map(
      issuer.pathname === "/" ? [] : METADATA.map((path) => [issuer.origin + path + issuer.pathname, path]),
    );
  }

  /** @param url absolute and normalised, as `Request.url` has it */
  targetOf(url: string): Target {
    const whole = before(url, "#");
    const address = before(whole, "?");
    const query = whole.slice(address.length + 1);
    const metadata = this.#metadata.get(address);
    if (metadata !== undefined) return { part: "auth", path: metadata, query, ...this.#own };
    for (const { prefix, part } of this.#bases) {
      if (address.startsWith(prefix)) return { part, path: address.slice(prefix.length - 1), query, ...this.#own };
    }
    const { origin, pathname } = new URL(address);
    if (this.#origins.includes(origin)) return { part: "neither", path: pathname, query, ...this.#own };
    return { part: "both", path: pathname, query, publicUrl: origin, publicAuthUrl: origin };
  }

  /** Returns the name of a call in messages, such as `POST /v1/charges`. */
  nameOf({ method, url }: Request): string {
    return `${method} ${this.#redaction.text(this.targetOf(url).path)}`;
  }
}

function before(text: string, mark: string): string {
  const index = text.indexOf(mark);
  return index === -1 ? text : text.slice(0, index);
}

/** Returns false for an address with `@` in its authority. Backslashes count as slashes, as `URL` reads them. */
export function hasNoUserInfo(address: string): boolean {
  return !/^\s*[a-z][a-z\d+.-]*:[/\\]*[^/\\?#]*@/i.test(address);
}
