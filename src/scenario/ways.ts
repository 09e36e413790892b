import { CentavoError } from "../errors/centavo-error.ts";
import type { Simulator } from "../simulator/simulator.ts";

/**
 * How requests reach the simulator during a story: `intercept` answers this process's calls to the real base URL whichever HTTP
 * client makes them, `memory` needs the merchant's client to be given a `fetch`, `socket` serves on a loopback port.
 */
export type Way = "intercept" | "memory" | "socket";

/** Where a merchant's code finds the service. */
export interface MerchantSetup {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  /** Only with `memory`: the one way to the service. Everywhere else the merchant's own HTTP client reaches it. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A way that is open. */
export interface OpenWay {
  readonly merchant: MerchantSetup;
  close(): Promise<void> | void;
}

/** Opens a way to a simulator. The adapters load only here, so that stories in memory need nothing of Node's. */
export async function openWay(way: Way, sim: Simulator): Promise<OpenWay> {
  const { clientId, clientSecret, webhookSecret } = sim.credentials;
  const credentials = { clientId, clientSecret, webhookSecret };
  if (way === "socket") {
    const { serve } = await import("../adapters/server.ts");
    const server = await serve(sim);
    return { merchant: { baseUrl: server.url, authUrl: server.url, ...credentials }, close: () => server.close() };
  }
  const merchant = { baseUrl: sim.baseUrl, authUrl: sim.authUrl, ...credentials };
  if (way === "memory") return { merchant: { ...merchant, fetch: sim.fetch }, close: () => undefined };
  const { intercept } = await loadInterception();
  const network = intercept(sim);
  return { merchant, close: () => network.close() };
}

async function loadInterception(): Promise<typeof import("../adapters/node.ts")> {
  try {
    return await import("../adapters/node.ts");
  } catch (error) {
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      'runScenario: interception could not be loaded. It comes as ES modules only, which plain Jest cannot load: run the story with { way: "memory" } or { way: "socket" } there.',
      { cause: error },
    );
  }
}
