import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server that listens in a folder of its own, so that no port is taken. */
export interface Server extends AsyncDisposable {
  readonly folder: string;
}

/** Starts PostgreSQL. It refuses to run as root, so root starts it as the user of its package. */
export function startPostgres(): Server {
  const programs = globSync("/usr/lib/postgresql/*/bin").at(-1) ?? "/usr/lib/postgresql";
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  const run = (program: string, ...given: readonly string[]): void => {
    const command = [join(programs, program), "-D", data, ...given];
    const [first = "", ...others] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    const { status, stderr } = spawnSync(first, others, { stdio: ["ignore", "ignore", "pipe"], cwd: folder });
    if (status !== 0) throw new Error(`${command.join(" ")}: ${String(stderr)}`);
  };
  if (isRoot) spawnSync("chown", ["postgres", folder]);
  run("initdb", "-A", "trust", "-U", "postgres");
  run("pg_ctl", "-w", "-l", join(folder, "log"), "-o", `-k ${folder} -c listen_addresses= -c fsync=off`, "start");
  return {
    folder,
    [Symbol.asyncDispose]: async () => {
      run("pg_ctl", "-m", "immediate", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startRedis(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "redis-"));
  const given = ["--port", "0", "--unixsocket", join(folder, "redis.sock"), "--save", ""];
  const server = spawn("/usr/bin/redis-server", given, { stdio: ["ignore", "pipe", "inherit"], cwd: folder });
  const ready = Promise.withResolvers<void>();
  let said = "";
  server.stdout.on("data", (part: Buffer) => {
    said += String(part);
    if (said.toLowerCase().includes("ready to accept connections")) ready.resolve();
  });
  server.once("exit", () => ready.reject(new Error(`redis-server ended at once: ${said}`)));
  await ready.promise;
  return {
    folder,
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
