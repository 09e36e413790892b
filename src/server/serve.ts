import { randomBytes } from "node:crypto";
import { answeringFor } from "../adapters/server.ts";
import { listen } from "../adapters/listen.ts";
import type { ListenOptions } from "../adapters/listen.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { isSimulator } from "../simulator/shown.ts";
import { CONTROL_PATH } from "./control/control.ts";
import { Front } from "./front.ts";
import { Gate } from "./gate.ts";
import { HostedWorlds } from "./hosted-worlds.ts";

export interface ServeOptions extends ListenOptions {
  /** The base URL by which clients reach the server, such as that of a proxy; the server's own address by default. */
  readonly baseUrl?: string;
  /** Opens the control API; random by default. */
  readonly token?: string;
  /** The host names besides those of this machine under which clients reach the server, such as `["centavo"]` between containers. */
  readonly allowedHosts?: readonly string[];
}

/** A listening server. `await using server = await serve(sim)` closes it at the end of the block. */
export interface SimulatorServer extends AsyncDisposable {
  /** The base URL for the merchant, without a trailing slash, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The address of the control API of the default world. */
  readonly controlUrl: string;
  /** Opens the control API. */
  readonly token: string;
  /** Closes every connection and frees the port. Does nothing when called again. */
  close(): Promise<void>;
}

/**
 * Serves a simulator over HTTP. It answers all paths under the server's own address, whatever its `baseUrl` is.
 *
 * A network failure that a fault injects resets the connection. So does an error inside the simulator, which is also reported by
 * `process.emitWarning`.
 *
 * @param service the simulator, which is the server's default world
 * @throws {CentavoError} `INVALID_OPTION` for an unknown option; Node's own error when the port is taken (`EADDRINUSE`)
 *
 * @example
 * await using server = await serve(sim, { port: 4010 });
 * await fetch(`${server.url}/api/transactions`);
 */
export async function serve(service: Service, options: ServeOptions = {}): Promise<SimulatorServer> {
  return host(() => service, options);
}

/**
 * Serves a simulator that is opened once its address is known.
 * @param openMain opens the default world
 */
export async function host(openMain: (url: string) => Service, options: ServeOptions): Promise<SimulatorServer> {
  refuseUnknownOptions("serve", options, ["port", "hostname", "baseUrl", "token", "allowedHosts"]);
  const { token = randomBytes(24).toString("base64url"), allowedHosts = [], hostname } = options;
  // Nothing arrives before the default world is open, because both happen in one turn.
  const behind = {} as { front: Front };
  const listening = await listen(
    {
      answer: async (request) => behind.front.answer(request),
      refuse: (problem) => behind.front.refuse(problem),
    },
    options,
  );
  const { url } = listening;
  const baseUrl = options.baseUrl?.replace(/\/$/, "");
  const service = openMain(url);
  const worlds = new HostedWorlds(baseUrl ?? url);
  const gate = new Gate({ token, allowedHosts: hostname === undefined ? allowedHosts : [...allowedHosts, hostname] });
  const sim = isSimulator(service) ? service : undefined;
  behind.front = new Front(
    { sim, answering: answeringFor(service), ...(baseUrl !== undefined && { baseUrl }) },
    worlds,
    gate,
  );
  const close = async (): Promise<void> => {
    forget?.();
    await worlds.close();
    await listening.close();
  };
  const forget = service.onClose?.(async () => {
    // First, calls without an answer are ended, each with the error that explains why.
    await nextMacrotask();
    await close();
  });
  return { url, controlUrl: url + CONTROL_PATH, token, close, [Symbol.asyncDispose]: close };
}
