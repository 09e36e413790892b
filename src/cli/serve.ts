import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { isThrown, messageOf } from "../kit/base/errors/thrown-values.ts";
import { endsWithin, realTime } from "../kit/base/runtime/real-time.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { host } from "../server/serve.ts";
import type { ServeOptions } from "../server/serve-options.ts";
import type { HostingServer, OpenMain, SimulatorServer, Watch } from "../server/serve.ts";
import type { KeptOptions } from "../server/kept-worlds.ts";
import type { Fault, SimulatorOptions } from "../simulator/payment-service.ts";
import type { ClockOption } from "../simulator/simulator-options.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { asJson, inSentences } from "./greeting.ts";
import { listeningProblem } from "./listening-problem.ts";
import { KEEP } from "./serve-help.ts";
import type { Output } from "./output.ts";
import { watchDeliveries, watchRequests } from "./request-log.ts";
import { playIn } from "./served-story.ts";

/** The options of `centavo serve`. */
export interface ServeCommandOptions {
  readonly port: number;
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /** The base URL by which clients reach the server, such as that of a proxy; the server's own address by default. */
  readonly baseUrl?: string;
  /** Decides every id and secret; random by default. */
  readonly seed?: string;
  /** Receives the events of resources that have no `webhookUrl`. */
  readonly webhookUrl?: string;
  /** How long payments stay in `processing`, in virtual time; by default 2 seconds, or what the story says. */
  readonly processingTime?: string;
  /** When virtual time starts, in ISO 8601; the real time by default, or what the story says. */
  readonly now?: string;
  /** Who moves the clock; real time by default. */
  readonly clock?: ClockOption;
  /** Overrides by assumption id, which win over `processingTime`. */
  readonly assumptions?: Readonly<Record<string, unknown>>;
  readonly credentials?: SimulatorOptions["credentials"];
  /** Faults to plan before the first request, after the story. They are not checked yet. */
  readonly faults?: readonly unknown[];
  /** A story to play before the first request. */
  readonly story?: Scenario;
  /** How many of the newest journal entries, requests, finished payments and events to keep; `KEEP` by default. */
  readonly keep?: number;
  /** Who may reach the server, and what bounds its worlds. */
  readonly access?: Omit<ServeOptions, "port" | "hostname" | "baseUrl">;
  /** The file in which worlds outlive the server. */
  readonly state?: string;
  /** Prints no line for each request and delivery. */
  readonly quiet?: boolean;
  /** Prints one line of JSON instead of sentences. */
  readonly json?: boolean;
}

/** A server of the command. */
export interface RunningServer extends SimulatorServer {
  /**
   * Stops: refuses new requests, answers those before, delivers what is due, and closes.
   * @returns a sentence about what was left, if it took too long
   */
  stop(milliseconds: number): Promise<string | undefined>;
}

/**
 * Starts a server, and prints its address and credentials.
 * @param directory the folder against which the paths of a story are resolved
 * @throws {CentavoError} for wrong options
 * @throws {StoryFailed} when the story throws
 */
export async function startServer(
  options: ServeCommandOptions,
  output: Output,
  directory = ".",
): Promise<RunningServer> {
  const { port, baseUrl, host: hostname, clock = "real", keep = KEEP, faults = [], story } = options;
  const { json = false, quiet = json, state } = options;
  const openAt = (url: string, kept?: KeptOptions): Simulator => {
    const own = simulatorOptionsOf(options, directory, kept);
    return createSimulator({ ...own, clock, keep, baseUrl: baseUrl ?? url, authUrl: baseUrl ?? url });
  };
  // Checks the options before a port is taken. The real simulator needs the port for its base URL.
  const trial = openAt("http://127.0.0.1");
  addFaults(trial, faults);
  await trial.close();
  let opened: Simulator | undefined;
  let isNew = true;
  const server = await listen(
    (url, kept) => {
      isNew = kept === undefined;
      opened = openAt(url, kept);
      if (isNew && story === undefined) addFaults(opened, faults);
      return opened;
    },
    {
      ...options.access,
      port,
      ...(hostname !== undefined && { hostname }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(state !== undefined && { state: resolve(directory, state) }),
    },
    quiet ? undefined : watchRequests(output),
  );
  const sim = opened as unknown as Simulator;
  const endWatch = quiet ? () => undefined : watchDeliveries(output, () => [sim, ...server.named()]);
  let cleanUp: () => Promise<void> = async () => undefined;
  const close = async (): Promise<void> => {
    endWatch();
    await cleanUp();
    await sim.close();
    await server.close();
  };
  try {
    if (isNew && story !== undefined) {
      cleanUp = await playIn(sim, story);
      addFaults(sim, faults);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const { webhookUrl } = sim.internals.settings;
  const webhookHosts = options.access?.allowedWebhookHosts ?? [];
  const started = {
    server,
    sim,
    clock,
    keep,
    webhookUrl,
    webhookHosts,
    story: isNew ? story?.title : undefined,
    state,
  };
  output.print(json ? asJson(started) : inSentences(started));
  const stop = async (milliseconds: number): Promise<string | undefined> => {
    const left = await finish(server, sim, milliseconds);
    await close();
    return left.length === 0 ? undefined : `Stopped, but ${left.join(", and ")}.`;
  };
  return { ...server, close, stop, [Symbol.asyncDispose]: close };
}

/** The options of the command win over those of a kept world or of the story, which win over the command's defaults. */
function simulatorOptionsOf(options: ServeCommandOptions, directory: string, kept?: KeptOptions): SimulatorOptions {
  const { story, seed, now, webhookUrl, credentials, processingTime, assumptions } = options;
  const { unusedFaults: _, fakeDate: __, timers: ___, ...ofStory } = story?.options ?? {};
  const shared = ofStory.assumptions ?? {};
  const processing = processingTime ?? (story === undefined ? "2 seconds" : undefined);
  return {
    // Other processes can reach the server, so its secrets must not be the well-known defaults.
    seed: randomBytes(6).toString("hex"),
    ...(story === undefined && { now: new Date().toISOString() }),
    ...ofStory,
    ...(kept as SimulatorOptions | undefined),
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(credentials !== undefined && { credentials }),
    assumptions: {
      ...(typeof shared === "string" ? assumptionsIn(shared, directory) : shared),
      ...(processing !== undefined && { "intent.processing-time": processing }),
      ...kept?.assumptions,
      ...(processingTime !== undefined && { "intent.processing-time": processingTime }),
      ...assumptions,
    },
  };
}

/** @throws {CentavoError} `INVALID_FAULT` naming the place in the list */
function addFaults(sim: Simulator, faults: readonly unknown[]): void {
  for (const [index, fault] of faults.entries()) {
    try {
      sim.faults.add(fault as Fault);
    } catch (error) {
      if (!isThrown(error, CentavoError)) throw error;
      throw new CentavoError(error.code, `--faults: fault ${index + 1} of ${faults.length}: ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** @throws {CentavoError} `INVALID_OPTION` when nothing can listen there */
async function listen(
  openMain: OpenMain,
  options: ServeOptions & { readonly port: number },
  watch: Watch | undefined,
): Promise<HostingServer> {
  try {
    return await host(openMain, options, watch);
  } catch (error) {
    throw listeningProblem(error, options, "Use another port, or --port 0 for any free one.");
  }
}

/** Returns what was left when the time was over. */
async function finish(server: HostingServer, sim: Simulator, milliseconds: number): Promise<string[]> {
  const end = realTime() + milliseconds;
  const left: string[] = [];
  if (!(await endsWithin(server.drain(), milliseconds))) left.push("some requests were not answered");
  const settled = Promise.all([sim, ...server.named()].map(({ clock }) => clock.settle()));
  try {
    if (!(await endsWithin(settled, Math.max(0, end - realTime())))) left.push("some events were not delivered");
  } catch (error) {
    left.push(messageOf(error).replace(/\.$/, ""));
  }
  return left;
}
