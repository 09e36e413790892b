import type { TestInfo } from "@playwright/test";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { connectSimulator } from "../remote/connect-simulator.ts";
import type { RemoteSimulator } from "../remote/remote-simulator.ts";
import type { WorldOptions } from "../server/hosted-worlds.ts";
import type { HostingServer } from "../server/serve.ts";
import { worldOptionNames, WORLDS_PATH } from "../server/world-routes.ts";
import { openSimulators } from "../testing/matchers/open-simulators.ts";
import { shown } from "../simulator/shown.ts";
import type { Credentials, Simulator } from "../simulator/simulator.ts";

/** What a shop needs to reach the payment service of a test. `createClient` of `centavo/client` takes it, too. */
export interface PaymentService extends Credentials {
  /** The base URL of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The base URL of the token service. */
  readonly authUrl: string;
}

/** The world of a test. */
export interface World {
  readonly sim: RemoteSimulator;
  readonly service: PaymentService;
  /** The simulator itself, which is in this process. */
  readonly local: Simulator;
  /** Ends the world, unless it has ended by itself. */
  end(): Promise<void>;
}

/** The world of each `sim` of a test, for the matchers. */
const worlds = new WeakMap<RemoteSimulator, Simulator>();

/** Returns the simulator behind a `sim` of a test. */
export function localOf(sim: unknown): Simulator | undefined {
  return worlds.get(sim as RemoteSimulator);
}

/** @throws {CentavoError} `INVALID_OPTION` for anything but a `sim` of a test */
export function localSimulator(call: string, sim: unknown): Simulator {
  const local = localOf(sim);
  if (local !== undefined) return local;
  throw new CentavoError(
    "INVALID_OPTION",
    `${call} needs the fixture sim, whose world is in the process of the test, and got ${shown(sim)}.`,
  );
}

/**
 * Opens a world for a test.
 * @param seed its seed, if the options have none
 * @throws {CentavoError} what `createSimulator` and `sim.faults.add` throw, naming the option
 */
export async function openWorld(
  server: HostingServer,
  name: string,
  seed: string,
  options: WorldOptions,
): Promise<World> {
  refuseUnknownOptions("test.use({ simulator })", options, worldOptionNames);
  const baseUrl = await opened(server, name, { seed, ...options });
  const local = server.named().find((candidate) => candidate.baseUrl === baseUrl);
  if (local === undefined) throw new CentavoError("WORLD_ENDED", `The world ${name} ended as soon as it was opened.`);
  const sim = connectSimulator(baseUrl, { token: server.token });
  worlds.set(sim, local);
  openSimulators().add(local);
  return {
    sim,
    local,
    service: { ...local.credentials, baseUrl, authUrl: local.authUrl },
    async end() {
      openSimulators().delete(local);
      if (server.named().includes(local)) await sim.close();
    },
  };
}

async function opened({ url, token }: HostingServer, name: string, options: WorldOptions): Promise<string> {
  const answer = await fetch(`${url}${WORLDS_PATH}/${encodeURIComponent(name)}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: bodyOf(options),
  });
  const { baseUrl, error } = (await answer.json()) as { baseUrl: string; error?: { code: string; message: string } };
  if (error === undefined) return baseUrl;
  throw new CentavoError("INVALID_OPTION", `The world of this test cannot be opened. ${error.message}`);
}

function bodyOf(options: WorldOptions): string {
  try {
    return JSON.stringify(options);
  } catch (error) {
    throw new CentavoError(
      "INVALID_OPTION",
      `test.use({ simulator }): the options cannot be written as JSON: ${messageOf(error)}. Give plain values.`,
      { cause: error },
    );
  }
}

/** How long the name of a world may be. */
const LONGEST_NAME = 64;

/**
 * Returns the name of the world of a test: its title as far as an address can hold it. A worker plays one test at a time, so each has it for
 * itself; and a retry has the same, because the credentials are drawn from it.
 */
export function worldNameOf({ title }: TestInfo): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? ["test"];
  return words.join("-").slice(0, LONGEST_NAME);
}

/** Returns the seed of a test, which is the same in each run, in each browser and on each machine. */
export function seedOf({ titlePath }: TestInfo): string {
  return titlePath.join(" > ").replaceAll("\\", "/");
}
