import { resolve } from "node:path";
import { checkOverrides } from "../kit/assumptions/assumptions.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { toSettings } from "../simulator/simulator-options.ts";

/**
 * Reads a file of assumptions, and checks every row.
 * @param directory the folder against which the path is resolved
 * @param option that names the file, for messages
 * @throws {CentavoError} `INVALID_ASSUMPTION` naming the file
 */
export function assumptionsIn(path: string, directory: string, option = "--assumptions"): AssumptionOverrides {
  const { assumptions, assumptionsFrom } = toSettings({ assumptions: resolve(directory, path) }, option);
  checkOverrides(assumptionTable, assumptions, assumptionsFrom);
  return assumptions;
}
