import { answeringFor } from "../adapters/server.ts";
import { listen } from "../adapters/listen.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { isSimulator } from "../simulator/shown.ts";
import { HostList } from "../kit/base/runtime/host-list.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { CONTROL_PATH } from "./control/control.ts";
import { controlToken } from "./control-token.ts";
import { Front } from "./front.ts";
import { Gate } from "./gate.ts";
import { HostedWorlds } from "./hosted-worlds.ts";
import { Origins } from "./origins.ts";
import { checkServeOptions } from "./serve-options.ts";
import type { ServeOptions } from "./serve-options.ts";
import { checkLimits } from "./world-limits.ts";

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

/** A server that can stop without breaking off what it has accepted. */
export interface HostingServer extends SimulatorServer {
  /** Accepts nothing more, and resolves when every accepted request is answered. */
  drain(): Promise<void>;
  /** Returns the simulators of the named worlds. */
  named(): readonly Simulator[];
}

/** Sees every call of a server. `world` is the one that it is for, if there is one. */
export type Watch = <Answer>(
  request: Request,
  world: Simulator | undefined,
  answer: Promise<Answer>,
) => Promise<Answer>;

/**
 * Serves a simulator that is opened once its address is known.
 * @param openMain opens the default world
 */
export async function host(
  openMain: (url: string) => Service,
  options: ServeOptions,
  watch?: Watch,
): Promise<HostingServer> {
  checkServeOptions(options);
  const { hostname, allowedHosts = [], allowedOrigins = [], allowedWebhookHosts = [] } = options;
  const baseUrl = baseUrlIn(options);
  const limits = checkLimits(options.worlds);
  const webhookHosts = new HostList("allowedWebhookHosts", allowedWebhookHosts);
  const origins = new Origins(allowedOrigins, baseUrl);
  const ownHosts = [hostname, baseUrl === undefined ? undefined : new URL(baseUrl).host].filter(
    (name) => name !== undefined,
  );
  const hosts = new HostList("allowedHosts", [...allowedHosts, ...ownHosts]);
  const token = controlToken(options);
  // Nothing arrives before the default world is open, because both happen in one turn.
  const behind = {} as { front: Front };
  const listening = await listen(
    {
      answer: async (request) => {
        const answer = behind.front.answer(request);
        return watch === undefined ? answer : watch(request, behind.front.simFor(request), answer);
      },
      refuse: (problem) => behind.front.refuse(problem),
    },
    options,
  );
  const { url, drain } = listening;
  let service: Service;
  try {
    service = openMain(url);
    requireSamePath(service.baseUrl, baseUrl);
  } catch (error) {
    await listening.close();
    throw error;
  }
  const sim = isSimulator(service) ? service : undefined;
  sim?.internals.connections.alsoReach(webhookHosts);
  const worlds = new HostedWorlds({ url: baseUrl ?? url, seed: sim?.seed, limits, webhookHosts });
  behind.front = new Front(
    { sim, service, answering: answeringFor(service), ...(baseUrl !== undefined && { baseUrl }) },
    worlds,
    { gate: new Gate({ token, allowedHosts: hosts }), origins },
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
  const named = (): readonly Simulator[] => worlds.all.map((world) => world.sim);
  return { url, controlUrl: url + CONTROL_PATH, token, drain, named, close, [Symbol.asyncDispose]: close };
}

function baseUrlIn({ baseUrl }: ServeOptions): string | undefined {
  const address = baseUrl === undefined ? undefined : URL.parse(baseUrl);
  if (address === undefined) return undefined;
  if (address !== null && /^https?:$/.test(address.protocol) && !/[?#@]/.test(address.href))
    return address.href.replace(/\/$/, "");
  throw new CentavoError(
    "INVALID_OPTION",
    'serve: the option baseUrl takes the address by which clients reach the server, such as "https://pay.example/v2".',
  );
}

/** A world finds its paths below its own base URL, or directly below any other origin. */
function requireSamePath(own: string, baseUrl: string | undefined): void {
  if (baseUrl === undefined || baseUrl === own || new URL(baseUrl).pathname === "/") return;
  throw new CentavoError(
    "INVALID_OPTION",
    `serve: the option baseUrl is ${JSON.stringify(baseUrl)}, and the simulator has another. Give createSimulator the same baseUrl, or serve it under an address without a path.`,
  );
}
