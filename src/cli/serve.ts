import { randomBytes } from "node:crypto";
import { host } from "../server/serve.ts";
import type { ServeOptions } from "../server/serve-options.ts";
import type { SimulatorServer } from "../server/serve.ts";
import type { Service } from "../kit/http/callable-service.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isLoopback } from "../kit/base/runtime/loopback.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Output } from "./output.ts";

/** The options of `centavo serve`. */
export interface ServeCommandOptions {
  readonly port: number;
  /** The base URL by which clients reach the server, such as that of a proxy; the server's own address by default. */
  readonly baseUrl?: string;
  /** Decides every id and secret; random by default. */
  readonly seed?: string;
  /** Receives the events of resources that have no `webhookUrl`. */
  readonly webhookUrl?: string;
  /** How long payments stay in `processing`, in virtual time. */
  readonly processingTime: string;
  /** When virtual time starts, in ISO 8601; the real time by default. */
  readonly now?: string;
  /** Overrides by assumption id, which win over `processingTime`. */
  readonly assumptions?: Readonly<Record<string, unknown>>;
  /** How many of the newest journal entries, requests, finished payments and events to keep; `KEEP` by default. */
  readonly keep?: number;
}

/** The default of `--keep`. */
export const KEEP = 10_000;

/** Explains the server's memory, as measured with payments that are created, confirmed and delivered as webhooks. */
export const HOW_MUCH_IS_KEPT =
  "The default takes about 220 MiB of heap, --keep 1000 about 55 MiB, however many requests it answers or refuses. The server always keeps what has not finished, such as an open payment or an undelivered event.";

/** Explains the server's clock. */
export const HOW_TIME_MOVES =
  "after each request it skips to whatever is due within 10 s; longer waits need serve(sim) of centavo/server in a script of your own";

/**
 * Starts a loopback server and prints its address and credentials. Nobody can move its clock by hand, so timers that fall due soon after a
 * request run by themselves.
 */
export async function startServer(options: ServeCommandOptions, output: Output): Promise<SimulatorServer> {
  const { port, webhookUrl, processingTime, keep = KEEP } = options;
  // Other processes can reach the server, so its secrets must not be the well-known defaults.
  const seed = options.seed ?? randomBytes(6).toString("hex");
  const now = options.now ?? new Date().toISOString();
  const simulatorOptions = (baseUrl: string): SimulatorOptions => ({
    baseUrl,
    now,
    clock: "auto",
    keep,
    assumptions: { "intent.processing-time": processingTime, ...options.assumptions },
    seed,
    ...(webhookUrl !== undefined && { webhookUrl }),
  });
  // Checks the options before a port is taken. The real simulator needs the port for its base URL.
  void createSimulator(simulatorOptions(options.baseUrl ?? "http://127.0.0.1"));
  let opened: Simulator | undefined;
  const server = await listen((url) => (opened = createSimulator(simulatorOptions(options.baseUrl ?? url))), {
    port,
    ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
  });
  const sim = opened as unknown as Simulator;
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
      `  control API     ${server.controlUrl}`,
      `  control token   ${server.token}`,
      `  seed            ${seed} (--seed ${seed} gives the same ids and secrets again)`,
      "",
      `A token:  curl -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} ${server.url}/oauth`,
      "",
      `Virtual time starts at ${sim.clock.now()}; ${HOW_TIME_MOVES}.`,
      `The server keeps the newest ${keep} journal entries, requests, finished payments and events.`,
      ...whereEventsGo(webhookUrl),
      "These credentials are fakes that work only with this server. Press Ctrl+C to stop it; its data is then gone.",
    ].join("\n"),
  );
  return server;
}

/** @throws {CentavoError} `INVALID_OPTION` when the port is taken */
async function listen(
  openMain: (url: string) => Service,
  options: ServeOptions & { readonly port: number },
): Promise<SimulatorServer> {
  const { port } = options;
  try {
    return await host(openMain, options);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new CentavoError(
      "INVALID_OPTION",
      `Port ${port} is taken, perhaps by another centavo serve. Use another port, or --port 0 for any free one.`,
      { cause: error },
    );
  }
}

/** Says where events go. The server sends them by real HTTP, and only to this machine. */
function whereEventsGo(webhookUrl: string | undefined): string[] {
  const rule =
    "The server sends events by real HTTP to receivers on this machine (localhost, 127.0.0.1, [::1]). It sends nothing to any other host: an event for one fails as not-connected and is tried again.";
  if (webhookUrl === undefined) return [`Events go to the webhookUrl of their resource or merchant. ${rule}`];
  const others = `Events go to ${webhookUrl}, unless their resource or merchant has a webhookUrl. ${rule}`;
  return isLoopback(new URL(webhookUrl).hostname)
    ? [others]
    : [
        others,
        `Warning: ${webhookUrl} is not on this machine, so its events will not arrive. Give a URL on localhost.`,
      ];
}
