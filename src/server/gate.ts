import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../kit/base/runtime/loopback.ts";
import { ControlProblem } from "./control/problem.ts";

/** Who may reach a server. */
export interface GateOptions {
  /** The host names besides those of this machine under which clients may reach the server. */
  readonly allowedHosts: readonly string[];
  /** Opens the control API. */
  readonly token: string;
}

/** Decides who gets in. */
export class Gate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Refuses a request under a foreign host name: a page of another site may have its own name resolve to this machine.
   * @throws {ControlProblem}
   */
  checkHost({ headers }: Request): void {
    const host = headers.get("host") ?? "";
    const name = URL.parse(`http://${host}`)?.hostname ?? host;
    if (isLoopback(name) || this.#options.allowedHosts.includes(name)) return;
    throw new ControlProblem(
      421,
      "UNKNOWN_HOST",
      `This server does not answer under the host name ${JSON.stringify(name.slice(0, 100))}. Start it with --allow-host for that name, or the option allowedHosts.`,
    );
  }

  /**
   * Lets a call into the control API. A page of another origin never gets in, because it does not know the token.
   * @throws {ControlProblem}
   */
  checkToken({ headers }: Request): void {
    const [, given = ""] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (areEqual(given, this.#options.token)) return;
    throw new ControlProblem(
      401,
      "UNAUTHORIZED",
      "The control API takes the header Authorization: Bearer and the control token, which the server printed when it started.",
      { "www-authenticate": 'Bearer realm="centavo"' },
    );
  }
}

/** Compares two secrets in a time that tells nothing of them. */
function areEqual(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
