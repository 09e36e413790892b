import { resolve } from "node:path";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { createSimulator } from "../simulator/simulator.ts";

/**
 * Reads a team's file of assumptions, and checks every row of it.
 * @param directory the folder against which the path is resolved
 * @throws {CentavoError} `INVALID_ASSUMPTION` naming the file
 */
export function assumptionsIn(path: string, directory: string): AssumptionOverrides {
  return createSimulator({ assumptions: resolve(directory, path) }).internals.settings.assumptions;
}
