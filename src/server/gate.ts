import { areEqualSecrets } from "../kit/base/runtime/equal-secrets.ts";
import { isLoopback } from "../kit/base/runtime/loopback.ts";
import { addressOfHost } from "../kit/base/runtime/host-list.ts";
import type { HostList } from "../kit/base/runtime/host-list.ts";
import { ControlProblem } from "./control/problem.ts";

/** Who may reach a server. */
export interface GateOptions {
  /** The hosts besides those of this machine under which clients may reach the server. */
  readonly allowedHosts: readonly HostList[];
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
    const address = addressOfHost(host);
    const { allowedHosts } = this.#options;
    if (address !== undefined && (isLoopback(address.hostname) || allowedHosts.some((hosts) => hosts.has(address))))
      return;
    throw new ControlProblem(
      421,
      "UNKNOWN_HOST",
      `This server does not answer under the host name ${JSON.stringify(host.slice(0, 100))}. Start it with --allow-host for that name, or the option allowedHosts.`,
    );
  }

  /**
   * Lets a call into the control API.
   * @throws {ControlProblem}
   */
  checkToken({ headers }: Request): void {
    const [, given = ""] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (areEqualSecrets(given, this.#options.token)) return;
    throw new ControlProblem(
      401,
      "UNAUTHORIZED",
      "The control API takes the header Authorization: Bearer and the control token, which the server printed when it started.",
      { "www-authenticate": 'Bearer realm="centavo"' },
    );
  }
}
