import type { WorkerInfo } from "@playwright/test";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { createSimulator } from "../report/create-simulator.ts";
import { host } from "../server/serve.ts";
import type { HostingServer, SimulatorServer } from "../server/serve.ts";

/** The options of a worker, for `use` of the configuration. */
export interface CentavoWorkerOptions {
  /**
   * The port of the first worker's server, for a shop that has to know the address before any test runs. Each further worker takes the next
   * one. By default, 0, each worker takes a free port.
   */
  readonly simulatorPort: number;
}

/** What all tests of a worker share. */
export interface CentavoWorkerFixtures {
  /** The server in the process of the worker. It answers for the world of the test that is running. */
  readonly simulatorServer: SimulatorServer;
}

const HIGHEST_PORT = 65_535;

/**
 * Starts the server of a worker, uses it, and closes it.
 * @throws {CentavoError} `INVALID_OPTION` for what is not a port, `INVALID_STATE` when something else listens on it
 */
export async function withWorkerServer(
  { simulatorPort }: CentavoWorkerOptions,
  { parallelIndex }: Pick<WorkerInfo, "parallelIndex">,
  use: (server: HostingServer) => Promise<void>,
): Promise<void> {
  const server = await start(portOf(simulatorPort, parallelIndex));
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

function portOf(first: number, parallelIndex: number): number {
  if (!Number.isInteger(first) || first < 0 || first + parallelIndex > HIGHEST_PORT)
    throw new CentavoError(
      "INVALID_OPTION",
      `test.use: the option simulatorPort is ${inWords(first)}. It takes the port of the first worker, such as 4010, to which each further worker adds 1; or 0 for any free port.`,
    );
  return first === 0 ? 0 : first + parallelIndex;
}

async function start(port: number): Promise<HostingServer> {
  const main = createSimulator();
  try {
    return await host(() => main, { port });
  } catch (error) {
    await main.close();
    if ((error as { readonly code?: unknown }).code !== "EADDRINUSE") throw error;
    throw new CentavoError(
      "INVALID_STATE",
      `The simulator of this worker cannot listen on port ${port}: ${messageOf(error)}. End what listens there, such as another run of the tests, or choose another simulatorPort.`,
      { cause: error },
    );
  }
}
