import { ControlProblem } from "../control/problem.ts";
import type { Gate } from "../gate.ts";
import type { Origins } from "../origins.ts";
import type { Sessions } from "./sessions.ts";

/** The methods that change nothing. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Lets in who has the control token, and the inspector's own page in a browser that is signed in. */
export class Access {
  readonly #gate: Gate;
  readonly #origins: Origins;
  readonly #sessions: Sessions;

  constructor(gate: Gate, origins: Origins, sessions: Sessions) {
    this.#gate = gate;
    this.#origins = origins;
    this.#sessions = sessions;
  }

  /**
   * Lets a call into the control API.
   * @returns the signal that ends when the browser signs out; undefined for a call with the token
   * @throws {ControlProblem}
   */
  check(request: Request): AbortSignal | undefined {
    this.#origins.checkOwn(request);
    const session = request.headers.has("authorization") ? undefined : this.#sessions.of(request);
    if (session === undefined) this.#gate.checkToken(request);
    else this.checkPage(request);
    return session;
  }

  /**
   * Refuses what the inspector's own page cannot have sent. Browsers send its cookie also with requests of pages at other ports of the same
   * host.
   * @throws {ControlProblem}
   */
  checkPage(request: Request): void {
    const { headers, method } = request;
    this.#origins.checkOwn(request);
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    // A page that hides its origin may be any.
    const isNamed = origin !== null && origin !== "null";
    const isOwn = site === null ? isNamed || this.#isReferredByOwn(request) : site === "same-origin";
    if (isOwn && (isNamed || READING.has(method))) return;
    throw new ControlProblem(
      403,
      "FOREIGN_ORIGIN",
      "The cookie of the inspector is for its own page alone. Another program takes the control token: Authorization: Bearer.",
    );
  }

  /** For browsers that say nothing of the site, as over plain HTTP from another machine. */
  #isReferredByOwn(request: Request): boolean {
    const referrer = URL.parse(request.headers.get("referer") ?? "");
    if (referrer === null) return false;
    const headers = new Headers(request.headers);
    headers.set("origin", referrer.origin);
    return !this.#origins.isForeign({ headers });
  }
}
