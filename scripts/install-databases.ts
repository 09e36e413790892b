import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

/** The servers that tests of the exam's stores start, by the package of Debian that has them. */
const servers = { postgresql: "/usr/lib/postgresql/*/bin/postgres", "redis-server": "/usr/bin/redis-server" };

/**
 * Installs the database servers on which tests examine merchants, unless they are there. Tests start their own, on ports of their own.
 * @throws {Error} when only another user can, or when that fails
 */
export function installDatabases(): void {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const install = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (process.getuid?.() !== 0)
    throw new Error(
      `Tests need ${missing.join(" and ")}, and only root can install them: run ${install} as root, then this again.`,
    );
  console.log(`Installing the databases that tests need: ${install}`);
  spawnSync(`apt-get update && ${install}`, { shell: true, stdio: "inherit" });
  const absent = missingPackages();
  if (absent.length > 0)
    throw new Error(`apt-get did not install ${absent.join(" and ")}, so tests that need them cannot run.`);
}

function missingPackages(): readonly string[] {
  return Object.entries(servers).flatMap(([name, path]) =>
    globSync(path).some((each) => existsSync(each)) ? [] : [name],
  );
}
