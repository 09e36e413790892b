import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import type { Simulator } from "../simulator/simulator.ts";

/**
 * How requests reach the simulator during a story. `intercept`: the simulator answers this process's calls to the real base URL,
 * whichever HTTP client makes them. `memory`: the merchant's client uses `stage.merchant.fetch`. `socket`: a server listens on a loopback
 * port.
 */
export type Way = "intercept" | "memory" | "socket";

/** The configuration with which a merchant's code reaches the service. */
export interface MerchantSetup {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** Present only with `memory`, where it is the only way to the service. */
  readonly fetch?: typeof globalThis.fetch;
}

/** An open way to a simulator. */
export interface OpenWay {
  readonly merchant: MerchantSetup;
  close(): Promise<void> | void;
}

/** Returns what the merchant's client needs to reach the simulator; undefined when every client reaches it anyway. */
export function reachedBy(way: Way): string | undefined {
  return {
    intercept: undefined,
    memory: "stage.merchant, including its fetch",
    socket: "stage.merchant (baseUrl and authUrl)",
  }[way];
}

/** Opens a way to a simulator. The adapters are imported on demand, so that stories in memory do not need Node. */
export async function openWay(way: Way, sim: Simulator): Promise<OpenWay> {
  const complaint = unknownName("way", way, ["intercept", "memory", "socket"] satisfies Way[]);
  if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `runScenario: ${complaint}.`);
  const { clientId, clientSecret, webhookSecret } = sim.credentials;
  const credentials = { clientId, clientSecret, webhookSecret };
  if (way === "socket") {
    const { serveAlone } = await import("../adapters/server.ts");
    const server = await serveAlone(sim);
    return { merchant: { baseUrl: server.url, authUrl: server.url, ...credentials }, close: () => server.close() };
  }
  const merchant = { baseUrl: sim.baseUrl, authUrl: sim.authUrl, ...credentials };
  if (way === "memory") return { merchant: { ...merchant, fetch: sim.fetch }, close: () => undefined };
  const { intercept } = await loadInterception();
  const network = intercept(sim);
  return { merchant, close: () => network.close() };
}

async function loadInterception(): Promise<typeof import("centavo/node")> {
  try {
    return await import("centavo/node");
  } catch (error) {
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      'runScenario: interception could not be loaded. It exists only as ES modules, which plain Jest cannot load. Run the story with { way: "memory" } or { way: "socket" } instead.',
      { cause: error },
    );
  }
}
