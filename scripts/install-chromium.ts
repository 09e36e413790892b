import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const program = "/usr/bin/chromium";

/**
 * Installs the system's Chromium, in which a suite opens pages, unless it is there.
 * @throws {Error} when only another user can, or when that fails
 */
export function installChromium(suite: string): void {
  if (existsSync(program)) return;
  if (process.getuid?.() !== 0)
    throw new Error(
      `The suite "${suite}" needs ${program}, and only root can install it: run apt-get install -y chromium as root, then this again.`,
    );
  console.log(`Installing what the suite "${suite}" needs: apt-get install chromium`);
  spawnSync("apt-get update && apt-get install -y chromium", { shell: true, stdio: "inherit" });
  if (!existsSync(program)) throw new Error(`apt-get installed no ${program}, so the suite "${suite}" cannot run.`);
}
