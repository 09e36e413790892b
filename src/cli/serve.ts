import { serve } from "../adapters/server.ts";
import type { SimulatorServer } from "../adapters/server.ts";
import type { Service } from "../http/service.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { Simulator } from "../simulator/simulator.ts";
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
  /** Where virtual time starts; the real time by default. */
  readonly now?: string;
  /** By assumption id; these go before `processingTime`. */
  readonly assumptions?: Readonly<Record<string, unknown>>;
  /** How many journal entries, requests, finished payments and events to keep, the newest of each; `KEEP` by default. */
  readonly keep?: number;
}

/** How much a server keeps of each unless it is told otherwise. */
export const KEEP = 10_000;

/** What a server's user has to know of its memory, measured with payments that are created, confirmed and announced. */
export const HOW_MUCH_IS_KEPT =
  "The default takes about 220 MiB of heap, --keep 1000 about 55 MiB. What has not finished is always kept, such as an open payment or an event that nobody receives.";

/** What a server's user has to know of its clock. */
export const HOW_TIME_MOVES =
  "after each request it skips to whatever is due within 10 s; longer waits need the in-process API";

/**
 * Starts a loopback server and prints where it is and which credentials open it. Nobody moves a server's clock by hand, so what falls
 * due soon after a request runs by itself.
 */
export async function startServer(options: ServeCommandOptions, output: Output): Promise<SimulatorServer> {
  const { port, seed, webhookUrl, processingTime, keep = KEEP } = options;
  const now = options.now ?? new Date().toISOString();
  const { promise: opened, resolve: open } = Promise.withResolvers<Simulator>();
  const simulatorOptions = (baseUrl: string): SimulatorOptions => ({
    baseUrl,
    now,
    clock: "auto",
    journal: { keep },
    history: { keep },
    recording: { keep },
    assumptions: { "intent.processing-time": processingTime, ...options.assumptions },
    ...(seed !== undefined && { seed }),
    ...(webhookUrl !== undefined && { webhookUrl }),
  });
  // Wrong options are refused before a port is taken; the address that tokens name may be known only afterwards.
  void createSimulator(simulatorOptions(options.baseUrl ?? "http://127.0.0.1"));
  const server = await listen(
    {
      baseUrl: options.baseUrl ?? "",
      authUrl: options.baseUrl ?? "",
      fetch: async (input, init) => (await opened).fetch(input, init),
    },
    port,
  );
  const sim = createSimulator(simulatorOptions(options.baseUrl ?? server.url));
  open(sim);
  const { clientId, clientSecret, adminKey, webhookSecret } = sim.credentials;
  output.print(
    [
      `Centavo answers at ${server.url}`,
      "",
      `  base URL        ${server.url}`,
      `  auth URL        ${server.url} (tokens: POST /oauth)`,
      `  client id       ${clientId}`,
      `  client secret   ${clientSecret}`,
      `  admin key       ${adminKey}`,
      `  webhook secret  ${webhookSecret}`,
      "",
      `A token:  curl -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} ${server.url}/oauth`,
      "",
      `Virtual time starts at ${sim.clock.now()}; ${HOW_TIME_MOVES}.`,
      `It keeps the newest ${keep} journal entries, requests, finished payments and events.`,
      ...(webhookUrl === undefined || isLoopback(webhookUrl)
        ? []
        : [`Warning: ${webhookUrl} is not on this machine, and events truly go there.`]),
      "All of these are fakes that open nothing but this server. Its world is gone when it stops: press Ctrl+C.",
    ].join("\n"),
  );
  return server;
}

/** @throws {CentavoError} `INVALID_OPTION` where the port is taken */
async function listen(service: Service, port: number): Promise<SimulatorServer> {
  try {
    return await serve(service, { port });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new CentavoError(
      "INVALID_OPTION",
      `Port ${port} is taken, perhaps by another centavo serve. Use --port 0, which takes any that is free, or another.`,
      { cause: error },
    );
  }
}

function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
