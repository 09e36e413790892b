import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const program = "/usr/bin/chromium";

/**
 * Installs the system's Chromium, in which tests open pages, unless it is there.
 * @throws {Error} when only another user can, or when that fails
 */
export function installChromium(): void {
  if (existsSync(program)) return;
  if (process.getuid?.() !== 0)
    throw new Error(
      `Tests need ${program}, and only root can install it: run apt-get install -y chromium as root, then this again.`,
    );
  console.log("Installing the browser that tests need: apt-get install chromium");
  spawnSync("apt-get update && apt-get install -y chromium", { shell: true, stdio: "inherit" });
  if (!existsSync(program)) throw new Error(`apt-get installed no ${program}, so tests that need it cannot run.`);
}
