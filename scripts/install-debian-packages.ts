import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

/** The packages of Debian that tests and benches need, with the program that shows that each is there. */
const programs = {
  "bash-completion": "/usr/share/bash-completion/bash_completion",
  busybox: "/{usr/,}bin/busybox",
  "chromium-headless-shell": "/usr/bin/chromium-headless-shell",
  curl: "/usr/bin/curl",
  fish: "/usr/bin/fish",
  haproxy: "/usr/sbin/haproxy",
  jq: "/usr/bin/jq",
  "libopenapi-client-perl": "/usr/share/perl5/OpenAPI/Client.pm",
  openssl: "/usr/bin/openssl",
  "php-cli": "/usr/bin/php",
  postgresql: "/usr/lib/postgresql/*/bin/postgres",
  python3: "/usr/bin/python3",
  "redis-server": "/usr/bin/redis-server",
  wrk: "/usr/bin/wrk",
  zsh: "/usr/bin/zsh",
};

export type DebianPackage = keyof typeof programs;

/**
 * Installs packages of Debian, unless they are there.
 * @throws {Error} when only another user can, or when that fails
 */
export function installDebianPackages(names: readonly DebianPackage[]): void {
  const missing = missingOf(names);
  if (missing.length === 0) return;
  const install = `apt-get install -y ${missing.join(" ")}`;
  if (process.getuid?.() !== 0)
    throw new Error(
      `Tests need ${missing.join(" and ")}, and only root can install them: run ${install} as root, then this again.`,
    );
  console.log(`Installing what tests need: ${install}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync(`apt-get update && ${install}`, { shell: true, stdio: "inherit", env });
  const absent = missingOf(names);
  if (absent.length > 0)
    throw new Error(`apt-get did not install ${absent.join(" and ")}, so tests that need them cannot run.`);
}

function missingOf(names: readonly DebianPackage[]): readonly DebianPackage[] {
  return names.filter((name) => globSync(programs[name]).length === 0);
}
