import { listen } from "../adapters/listen.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { CONTROL_PATH } from "../client/control-api.ts";
import { openStateFile, optionsOfMain, restoreWorlds } from "./kept-worlds.ts";
import type { KeptOptions } from "./kept-worlds.ts";
import { openFront } from "./open-front.ts";
import type { OpenedFront } from "./open-front.ts";
import { checkServeOptions } from "./serve-options.ts";
import { answerToProbe, answerWhileStopping } from "./probes.ts";
import type { HostedWorlds } from "./hosted-worlds.ts";
import type { Inspector } from "./inspector/inspector.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { State } from "./state/state.ts";

/** A listening server. `await using server = await serve(sim)` closes it at the end of the block. */
export interface SimulatorServer extends AsyncDisposable {
  /** The base URL for the merchant, without a trailing slash, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The address of the control API of the default world. */
  readonly controlUrl: string;
  /** Opens the control API. */
  readonly token: string;
  /**
   * Makes an address of the inspector, such as `http://127.0.0.1:49152/_centavo#code=…`. It lets one browser in, within ten minutes of real
   * time.
   *
   * @example
   * console.log(server.inspectorUrl());
   */
  inspectorUrl(): string;
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
  /** Refuses every new request, and resolves when those before are answered. */
  drain(): Promise<void>;
  readonly worlds: HostedWorlds;
  readonly inspector: Inspector;
  /** Returns the simulators of the named worlds. */
  named(): readonly Simulator[];
}

/** Sees every call of a server. `world` is the one that it is for, if there is one. */
export type Watch = <Answer>(
  request: Request,
  world: Simulator | undefined,
  answer: Promise<Answer>,
) => Promise<Answer>;

/** Opens the default world of a server at its address, with the options that a state file has of it. */
export type OpenMain = (url: string, kept: KeptOptions | undefined) => Service;

/** Serves a simulator that is opened once its address is known. */
export async function host(openMain: OpenMain, options: ServeOptions, watch?: Watch): Promise<HostingServer> {
  checkServeOptions(options);
  const state = options.state === undefined ? undefined : await openStateFile(options.state);
  try {
    return await hostWith(state, openMain, options, watch);
  } catch (error) {
    state?.close();
    throw error;
  }
}

async function hostWith(
  state: State | undefined,
  openMain: OpenMain,
  options: ServeOptions,
  watch: Watch | undefined,
): Promise<HostingServer> {
  // Nothing arrives before the default world is open, because both happen in one turn.
  const behind = {} as OpenedFront & { restored?: Promise<void> | undefined };
  const listening = await listen(
    {
      answer: async (request, isLate) => {
        const own = isLate ? answerWhileStopping(request) : answerToProbe(request, behind.restored === undefined);
        if (own === undefined) await behind.restored;
        const answer = own === undefined ? behind.front.answer(request) : Promise.resolve(own);
        return watch === undefined ? answer : watch(request, behind.front.simFor(request), answer);
      },
      refuse: (problem) => behind.front.refuse(problem),
    },
    options,
  );
  const { url, drain } = listening;
  let service: Service;
  try {
    service = openMain(url, optionsOfMain(state));
    Object.assign(behind, openFront(service, url, options, state));
  } catch (error) {
    await listening.close();
    throw error;
  }
  const { worlds, token, inspector } = behind;
  const inspectorUrl = (): string => inspector.newAddress();
  const close = async (): Promise<void> => {
    forget?.();
    // No answer leaves after the file is closed.
    const closing = state === undefined ? undefined : listening.close();
    try {
      state?.close();
    } finally {
      try {
        await worlds.close();
      } finally {
        await (closing ?? listening.close());
      }
    }
  };
  const forget = service.onClose?.(async () => {
    // First, calls without an answer are ended, each with the error that explains why.
    await nextMacrotask();
    await close();
  });
  if (state !== undefined) {
    behind.restored = restoreWorlds(state, service, worlds);
    try {
      await behind.restored;
    } catch (error) {
      await close();
      throw error;
    }
    behind.restored = undefined;
  }
  const named = (): readonly Simulator[] => worlds.all.map((world) => world.sim);
  const controlUrl = url + CONTROL_PATH;
  return { url, controlUrl, token, inspectorUrl, inspector, drain, worlds, named, close, [Symbol.asyncDispose]: close };
}
