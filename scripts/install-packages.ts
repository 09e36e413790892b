import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./suites.ts";

/**
 * Installs the packages of a folder with a lock of its own, unless they are there already.
 * @param folder its path below the root
 * @throws {Error} when npm fails
 */
export async function installPackages(folder: string): Promise<void> {
  const [lock, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map((name) =>
    statSync(join(root, folder, name), { throwIfNoEntry: false }),
  );
  if (lock === undefined) throw new Error(`${folder} has no package-lock.json.`);
  // npm writes the second when it has installed all that the first names.
  if (installed !== undefined && installed.mtimeMs >= lock.mtimeMs) return;
  console.log(`Installing packages that tests need: npm ci in ${folder}`);
  const npm = spawn("npm ci", { cwd: join(root, folder), stdio: "inherit", shell: true });
  const [status] = (await once(npm, "close")) as [number | null];
  if (status !== 0) throw new Error(`npm ci failed in ${folder}, so tests that need it cannot run.`);
}
