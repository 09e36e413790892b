import type { AllowedHost } from "../adapters/destinations.ts";
import { SharedAddress } from "../adapters/shared-address.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { unknownName } from "../errors/known-names.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** How the code under test reaches the simulator. */
export type NetworkKind = "intercept" | "fetch" | "server";

/** The way from the code under test to the simulator of a test. It ends with the test. */
export interface TestNetwork {
  /**
   * `"intercept"`: every HTTP client of the process reaches the simulator. `"fetch"`: only calls of this `fetch` do. `"server"`: every client
   * does that is given this `baseUrl`, in other processes too.
   */
  readonly kind: NetworkKind;
  /** The API's base URL for the code under test, without a trailing slash. */
  readonly baseUrl: string;
  /** The token service's base URL, without a trailing slash. */
  readonly authUrl: string;
  /** Calls the simulator, to be injected where code takes a `fetch`. */
  readonly fetch: typeof globalThis.fetch;
}

/** The options of a test's network. */
export interface NetworkOptions {
  /**
   * `"intercept"` by default, and `"fetch"` where the interceptors cannot be loaded, as in CommonJS Jest.
   */
  readonly network?: NetworkKind;
  /** Hosts that stay reachable, as for `intercept`. */
  readonly allow?: readonly AllowedHost[];
}

const NETWORKS: readonly NetworkKind[] = ["intercept", "fetch", "server"];

/**
 * Opens the way to a simulator.
 * @throws {CentavoError} `INTERCEPTION_REFUSED` when interception was asked for and cannot be loaded
 */
export async function openNetwork(sim: Simulator, { network, allow = [] }: NetworkOptions): Promise<TestNetwork> {
  const complaint = network === undefined ? undefined : unknownName("the option network", network, NETWORKS);
  if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${complaint}.`);
  const { baseUrl, authUrl } = sim;
  if (network === "server") {
    const { serve } = await import("../adapters/server.ts");
    const { url } = await serve(sim);
    return { kind: "server", baseUrl: url, authUrl: url, fetch: (input, init) => globalThis.fetch(input, init) };
  }
  const interception = network === "fetch" ? undefined : await loadInterception(network === "intercept");
  if (interception === undefined) return { kind: "fetch", baseUrl, authUrl, fetch: fetchUntilClosed(sim) };
  interception.intercept(sim, { allow });
  return { kind: "intercept", baseUrl, authUrl, fetch: (input, init) => globalThis.fetch(input, init) };
}

/** Returns a `fetch` that ends with its simulator, and tells calls that belong to an earlier one. */
function fetchUntilClosed(sim: Simulator): typeof fetch {
  const alone = new SharedAddress(sim.baseUrl, [sim]);
  let isClosed = false;
  sim.onClose(() => {
    isClosed = true;
  });
  return async (input, init) => {
    if (!isClosed) return alone.fetch(input, init);
    const cause = new CentavoError(
      "WORLD_ENDED",
      `A call came after ${sim.identity.name} had ended, so it gets no answer. Await every call of a test, and hand each test's network.fetch to its own code alone.`,
    );
    throw new TypeError("fetch failed", { cause });
  };
}

/**
 * Loads interception by its public name, so that it is the same module that a test imports, in CommonJS too.
 * @returns undefined where it cannot be loaded, unless it is needed
 */
async function loadInterception(needed: boolean): Promise<typeof import("centavo/node") | undefined> {
  try {
    return await import("centavo/node");
  } catch (cause) {
    if (!needed) return undefined;
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      'network: "intercept" cannot load the interceptors here, because they are ES modules. Jest loads ES modules when Node runs with ' +
        'NODE_OPTIONS=--experimental-vm-modules. Without it, leave the option out and hand network.fetch to the code under test, or use network: "server" and its network.baseUrl.',
      { cause },
    );
  }
}
