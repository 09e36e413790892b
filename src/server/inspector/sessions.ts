import { createHash, randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";

/** How many browsers are signed in. Another one takes the place of the one that came first. */
const MOST_SESSIONS = 64;

/** The browsers that are signed in to a server. They are as good as its control token, and end with the server. */
export class Sessions {
  /** Cookies are shared by all ports of a host, so the name has the port. */
  readonly cookie: string;
  readonly #attributes: string;
  /** By the hash of the secret, so that to look one up takes as long whatever is asked for. */
  readonly #open = new Map<string, AbortController>();

  /** @param url the address of the socket; @param isSecure whether browsers reach the server by TLS alone */
  constructor(url: string, isSecure: boolean) {
    this.cookie = `centavo-inspector-${new URL(url).port}`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  }

  /** Signs a browser in. Returns the value of `Set-Cookie`. */
  open(): string {
    const secret = randomBytes(24).toString("base64url");
    const session = new AbortController();
    // A browser has as many streams as it likes.
    setMaxListeners(0, session.signal);
    this.#open.set(hashOf(secret), session);
    for (const [oldest] of this.#open) if (this.#open.size > MOST_SESSIONS) this.#end(oldest);
    return `${this.cookie}=${secret}; ${this.#attributes}`;
  }

  /** Returns the signal that ends when the browser of a request signs out; undefined when it is not signed in. */
  of(request: Request): AbortSignal | undefined {
    return secretsIn(request, this.cookie)
      .map((secret) => this.#open.get(hashOf(secret))?.signal)
      .find((signal) => signal !== undefined);
  }

  /** Signs the browser of a request out. Returns the value of `Set-Cookie`. */
  end(request: Request): string {
    for (const secret of secretsIn(request, this.cookie)) this.#end(hashOf(secret));
    return `${this.cookie}=; ${this.#attributes}; Max-Age=0`;
  }

  #end(hash: string): void {
    this.#open.get(hash)?.abort();
    this.#open.delete(hash);
  }
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64");
}

function secretsIn(request: Request, cookie: string): string[] {
  return pairsIn(request).flatMap((pair) => (pair.startsWith(`${cookie}=`) ? [pair.slice(cookie.length + 1)] : []));
}

function pairsIn({ headers }: Request): string[] {
  const text = headers.get("cookie");
  return text === null ? [] : text.split(";").map((pair) => pair.trim());
}
