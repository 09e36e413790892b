import { serve } from "../adapters/server.ts";
import type { SimulatorServer } from "../adapters/server.ts";
import type { SimulatorOptions } from "../options.ts";
import { createSimulator } from "../simulator.ts";
import type { Simulator } from "../simulator.ts";
import type { Output } from "./output.ts";

/** How `centavo serve` was called. */
export interface ServeCommandOptions {
  readonly port: number;
  /** The base URL that tokens name; the server's own address by default. */
  readonly baseUrl?: string;
  readonly seed?: string;
  /** Receives events of resources without a `webhookUrl` of their own. */
  readonly webhookUrl?: string;
  /** How long payments stay in `processing`, in virtual time. */
  readonly processingTime: string;
}

/**
 * Starts a loopback server and prints where it is and which credentials open it. Nobody moves a server's clock by hand, so what falls
 * due soon after a request runs by itself.
 */
export async function startServer(options: ServeCommandOptions, output: Output): Promise<SimulatorServer> {
  const { port, seed, webhookUrl, processingTime } = options;
  const { promise: opened, resolve: open } = Promise.withResolvers<Simulator>();
  const simulatorOptions = (baseUrl: string): SimulatorOptions => ({
    baseUrl,
    clock: "auto",
    assumptions: { "intent.processing-time": processingTime },
    ...(seed !== undefined && { seed }),
    ...(webhookUrl !== undefined && { webhookUrl }),
  });
  // Wrong options are refused before a port is taken; the address that tokens name may be known only afterwards.
  void createSimulator(simulatorOptions(options.baseUrl ?? "http://127.0.0.1"));
  const server = await serve(
    {
      baseUrl: options.baseUrl ?? "",
      authUrl: options.baseUrl ?? "",
      fetch: async (input, init) => (await opened).fetch(input, init),
    },
    { port },
  );
  const sim = createSimulator(simulatorOptions(options.baseUrl ?? server.url));
  open(sim);
  const { clientId, clientSecret, adminKey, webhookSecret } = sim.credentials;
  output.print(
    [
      `Centavo answers at ${server.url}`,
      "",
      `  base URL        ${server.url}`,
      `  token service   ${server.url}/oauth`,
      `  client id       ${clientId}`,
      `  client secret   ${clientSecret}`,
      `  admin key       ${adminKey}`,
      `  webhook secret  ${webhookSecret}`,
      "",
      "All of these are fakes that open nothing but this server. Its world is gone when it stops: press Ctrl+C.",
    ].join("\n"),
  );
  return server;
}
