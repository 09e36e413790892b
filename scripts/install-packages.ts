import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./suites.ts";

/**
 * Installs the packages of a folder with a lock of its own, unless they are there already.
 * @param folder its path below the root
 * @param reason who needs them, such as `the suite "examples"`
 * @throws {Error} when npm fails
 */
export function installPackages(folder: string, reason: string): void {
  const [lock, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map((name) =>
    statSync(join(root, folder, name), { throwIfNoEntry: false }),
  );
  if (lock === undefined) throw new Error(`${folder} has no package-lock.json.`);
  // npm writes the second when it has installed all that the first names.
  if (installed !== undefined && installed.mtimeMs >= lock.mtimeMs) return;
  console.log(`Installing what ${reason} needs: npm ci in ${folder}`);
  const { status } = spawnSync("npm ci", { cwd: join(root, folder), stdio: "inherit", shell: true });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}, so ${reason} cannot run.`);
}
