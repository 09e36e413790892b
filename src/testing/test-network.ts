import { refuseRequest } from "../adapters/refusals.ts";
import { fetchBy } from "../kit/http/answers.ts";
import { basesOf, destinationOf, mergedBases } from "../adapters/destinations.ts";
import { checkRules, type HostRules } from "../adapters/host-rules.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** How the code under test reaches the simulator. */
export type NetworkKind = "intercept" | "fetch" | "server";

/** The connection from the code under test to the test's simulator. It ends with the test. */
export interface TestNetwork {
  /**
   * `"intercept"`: every HTTP client of the process reaches the simulator. `"fetch"`: only calls of this `fetch` do. `"server"`: every
   * client that uses this `baseUrl` does, in other processes too.
   */
  readonly kind: NetworkKind;
  /** The API's base URL for the code under test, without a trailing slash. */
  readonly baseUrl: string;
  /** The token service's base URL, without a trailing slash. */
  readonly authUrl: string;
  /** Calls the simulator and the connected apps. Other hosts are refused, as by interception. Inject it where code takes a `fetch`. */
  readonly fetch: typeof globalThis.fetch;
}

/** The options of a test's network. */
export interface NetworkOptions extends HostRules {
  /**
   * `"intercept"` by default, and `"fetch"` where the interceptors cannot be loaded, as in CommonJS Jest and in browsers.
   */
  readonly network?: NetworkKind;
}

const NETWORKS: readonly NetworkKind[] = ["intercept", "fetch", "server"];

/**
 * Opens the connection to a simulator.
 * @throws {CentavoError} `INTERCEPTION_REFUSED` when interception was requested but cannot be loaded
 */
export async function openNetwork(
  sim: Simulator,
  { network, allow = [], drop = [] }: NetworkOptions,
): Promise<TestNetwork> {
  const complaint =
    network === undefined
      ? undefined
      : unknownName("simulated or withSimulator: the option network", network, NETWORKS);
  if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${complaint}.`);
  const { baseUrl, authUrl } = sim;
  if (inBrowser() && network !== undefined && network !== "fetch")
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      `network: "${network}" needs Node, and this is a browser. Leave the option out and hand network.fetch to the code under test. ` +
        "Or answer every fetch of the page: give handlers(sim) from centavo/msw to setupWorker of MSW.",
    );
  if (network === "server") {
    const { serveAlone } = await import("../adapters/server.ts");
    const { url } = await serveAlone(sim);
    return { kind: "server", baseUrl: url, authUrl: url, fetch: (input, init) => globalThis.fetch(input, init) };
  }
  const interception = network === "fetch" || inBrowser() ? undefined : await loadInterception(network === "intercept");
  if (interception === undefined)
    return { kind: "fetch", baseUrl, authUrl, fetch: fetchUntilClosed(sim, { allow, drop }) };
  interception.intercept(sim, { allow, drop });
  return { kind: "intercept", baseUrl, authUrl, fetch: (input, init) => globalThis.fetch(input, init) };
}

/**
 * Returns a `fetch` that ends with its simulator and recognises calls that belong to an earlier one. It resolves addresses exactly as
 * interception does, so that a shop with a misspelt host fails in both.
 */
function fetchUntilClosed(sim: Simulator, rules: HostRules): typeof fetch {
  const bases = mergedBases(basesOf(sim));
  const checked = checkRules("network.fetch", rules, bases);
  let isClosed = false;
  sim.onClose(() => {
    isClosed = true;
  });
  return async (input, init) => {
    if (isClosed) {
      throw fetchFailed(
        new CentavoError(
          "WORLD_ENDED",
          `A call came after ${sim.identity.name} had ended, so it got no answer. Await every call of a test, and hand each test's network.fetch to its own code alone.`,
        ),
      );
    }
    const target = typeof input === "string" && input.startsWith("/") ? sim.baseUrl + input : input;
    const request = new Request(target, init);
    const url = new URL(request.url);
    const destination = destinationOf(url, bases, [sim], checked);
    if (destination.kind === "outside") return globalThis.fetch(request);
    if (destination.kind === "service") return fetchBy(destination.service.beginCall(), request);
    throw fetchFailed(await refuseRequest(request, url, [{ service: sim }], destination));
  };
}

/** Makes the error with which Node's own `fetch` rejects when the network fails. */
function fetchFailed(cause: Error): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** Says where this process runs, if tests cannot intercept there. */
export async function cannotInterceptIn(): Promise<"browser" | "commonjs" | undefined> {
  if (inBrowser()) return "browser";
  return (await loadInterception(false)) === undefined ? "commonjs" : undefined;
}

function inBrowser(): boolean {
  return globalThis.process?.getBuiltinModule === undefined;
}

/**
 * Loads interception by its public name, so that it is the same module that a test imports, even in CommonJS.
 * @returns undefined if it cannot be loaded and is not needed
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
