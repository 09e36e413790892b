import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { version } from "../kit/base/runtime/version.ts";
import { checkFakeTimers } from "./fake-timers-check.ts";
import type { Finding } from "./finding.ts";
import { checkCentavo, checkCompanions, checkInterceptors, checkNode, checkPeers } from "./package-checks.ts";
import { projectIn } from "./project.ts";
import { checkLayout, checkPort } from "./surroundings-checks.ts";

/**
 * Checks the set-up of the project in a folder, without running anything of it.
 * @param port the port of `centavo serve`
 * @throws {CentavoError} `NOT_FOUND` when there is no project
 */
export async function diagnose(folder: string, port: number): Promise<readonly Finding[]> {
  const project = projectIn(folder);
  if (project === undefined)
    throw new CentavoError(
      "NOT_FOUND",
      `centavo doctor: there is no package.json that can be read in ${folder} or above. Call it in the folder of your project, or name that with --directory.`,
    );
  const layout = checkLayout(project);
  const own = dirname(createRequire(import.meta.url).resolve("centavo/package.json"));
  const program = { version: version(), folder: realpathSync(own) };
  return [
    checkNode(process.versions.node),
    layout,
    // Without a way to find packages, none would be found.
    ...(layout.status === "unknown"
      ? []
      : [
          ...checkCentavo(project, program),
          ...checkInterceptors(project),
          ...checkCompanions(project),
          ...checkPeers(project),
        ]),
    ...checkFakeTimers(project.folder),
    await checkPort(port),
  ];
}
