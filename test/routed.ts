import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const configuration = readFileSync(join(import.meta.dirname, "../deploy/kubernetes/haproxy.cfg"), "utf8");

/** HAProxy in a process of its own, with the configuration of `deploy`. */
export interface Router extends Disposable {
  readonly url: string;
  readonly pid: number;
}

/** One of `centavo serve`, which comes back at its port and with its worlds. */
export interface RoutedServer {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Servers behind a router, which share their control token. */
export interface RoutedServers extends AsyncDisposable {
  readonly router: Router;
  readonly token: string;
  readonly servers: readonly RoutedServer[];
}

/** Starts HAProxy in front of servers at these ports. Each has the place in its ring that its place in the list gives it. */
export function startRouter(port: number, servers: readonly number[]): Router {
  const folder = mkdtempSync(join(tmpdir(), "centavo-router-"));
  const [file, pidFile] = [join(folder, "haproxy.cfg"), join(folder, "pid")];
  const lines = servers.map((at, index) => `  server centavo-${index} 127.0.0.1:${at}\n`);
  const own = configuration.replace(/bind :\d+/, `bind 127.0.0.1:${port}`).replaceAll(/^ +server .*\n/gm, "");
  writeFileSync(file, own + lines.join(""));
  // It goes into the background once it listens.
  execFileSync("/usr/sbin/haproxy", ["-D", "-f", file, "-p", pidFile], { stdio: ["ignore", "ignore", "inherit"] });
  const pid = Number(readFileSync(pidFile, "utf8"));
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    [Symbol.dispose]: () => {
      process.kill(pid);
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Starts so many servers behind a router.
 * @param program the path of the command, built or not
 */
export async function startServers(count: number, program: string): Promise<RoutedServers> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-servers-"));
  const port = await freePort();
  const tokenFile = join(folder, "token");
  const servers: RoutedServer[] = [];
  for (let index = 0; index < count; index += 1) {
    const state = join(folder, `worlds-${index}.db`);
    const shared = ["--base-url", `http://127.0.0.1:${port}`, "--token-file", tokenFile, "--state", state];
    servers.push(await startServer(program, await freePort(), [...shared, "--json"]));
  }
  const router = startRouter(
    port,
    servers.map(({ url }) => Number(new URL(url).port)),
  );
  return {
    router,
    token: readFileSync(tokenFile, "utf8").trim(),
    servers,
    [Symbol.asyncDispose]: async () => {
      router[Symbol.dispose]();
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true });
    },
  };
}

async function startServer(program: string, port: number, options: readonly string[]): Promise<RoutedServer> {
  const start = async (): Promise<ReturnType<typeof spawn>> => {
    const started = spawn(process.execPath, [program, "serve", "--port", String(port), ...options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    // Its greeting, once it listens.
    await once(started.stdout, "data");
    return started;
  };
  let child = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    start: async () => {
      child = await start();
    },
  };
}
