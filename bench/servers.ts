/** Measures several of `centavo serve` behind HAProxy. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installDebianPackages } from "../scripts/install-debian-packages.ts";
import { startServers } from "../test/routed.ts";
import type { RoutedServers } from "../test/routed.ts";
import { intentFlow } from "./flow.ts";
import type { ServersFigures } from "./figures.ts";
import { median, root } from "./measure.ts";

const WORLDS = 24;
const CONNECTIONS = 48;
const SECONDS = 3;
const ROUNDS = 3;
/** The clock ticks of Linux in each second. */
const TICKS = 100;

/** One request of the load. */
interface Call {
  readonly path: string;
  readonly token: string;
}

/**
 * Returns what one, two and four servers answer to a load that goes to all of their worlds in turn: each call reads an intent. They take
 * turns, so that a machine that slows down slows all.
 */
export async function measureServers(): Promise<ServersFigures[]> {
  installDebianPackages(["haproxy", "wrk"]);
  await using started = new AsyncDisposableStack();
  const rows: { readonly measure: () => ServersFigures; readonly rounds: ServersFigures[] }[] = [];
  for (const count of [1, 2, 4]) {
    const routed = started.use(await startServers(count, join(root, "dist/esm/cli/main.js")));
    const calls = await Promise.all(Array.from({ length: WORLDS }, (_, index) => openWorld(routed, `world-${index}`)));
    const measure = (): ServersFigures => load(routed, calls);
    // Until V8 has compiled nearly all of it.
    measure();
    rows.push({ measure, rounds: [] });
  }
  for (let round = 0; round < ROUNDS; round += 1) for (const { measure, rounds } of rows) rounds.push(measure());
  return rows.map(({ rounds }) => {
    const of = (name: keyof ServersFigures): number => median(rounds.map((round) => round[name]));
    const figures = { servers: of("servers"), rate: of("rate"), server: of("server"), router: of("router") };
    console.log(figures);
    return figures;
  });
}

async function openWorld({ router, token }: RoutedServers, name: string): Promise<Call> {
  const headers = { authorization: `Bearer ${token}` };
  const opened = await fetch(`${router.url}/_centavo/worlds/${name}`, { method: "PUT", headers });
  const { baseUrl, credentials } = (await opened.json()) as {
    readonly baseUrl: string;
    readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  };
  const body = new URLSearchParams({ client_id: credentials.clientId, client_secret: credentials.clientSecret });
  const granted = await fetch(`${baseUrl}/oauth`, { method: "POST", body });
  const { access_token: own } = (await granted.json()) as { readonly access_token: string };
  const id = await intentFlow((url, init) => fetch(url, init), baseUrl, own).run();
  return { path: `/worlds/${name}/api/payment-intent/${id}/status`, token: own };
}

/** Lets wrk, which takes little time itself, send as many requests as are answered. */
function load({ router, servers }: RoutedServers, calls: readonly Call[]): ServersFigures {
  const folder = mkdtempSync(join(tmpdir(), "centavo-load-"));
  const script = join(folder, "load.lua");
  const requests = calls.map(
    ({ path, token }) => `wrk.format("GET", "${path}", { ["Authorization"] = "Bearer ${token}" })`,
  );
  // It tells how many answers came, and how many of them said anything but 200.
  writeFileSync(
    script,
    `local calls, at = {}, 0
function init() calls = { ${requests.join(", ")} } end
function request() at = at % #calls + 1; return calls[at] end
function done(summary) local e = summary.errors; print("answered", summary.requests, "failed", e.connect + e.read + e.write + e.status + e.timeout) end
`,
  );
  const before = [ticksOf(servers.map(({ pid }) => pid)), ticksOf([router.pid])] as const;
  const started = performance.now();
  const options = [
    "--threads",
    "1",
    "--connections",
    String(CONNECTIONS),
    "--duration",
    `${SECONDS}s`,
    "--timeout",
    "30s",
  ];
  const printed = execFileSync("/usr/bin/wrk", [...options, "--script", script, router.url], { encoding: "utf8" });
  const seconds = (performance.now() - started) / 1000;
  rmSync(folder, { recursive: true });
  const [, answered = "0", failed = "1"] = /answered\s+(\d+)\s+failed\s+(\d+)/.exec(printed) ?? [];
  if (failed !== "0") throw new Error(`Some requests of the load failed:\n${printed}`);
  const microseconds = (now: number, then: number): number => ((now - then) / TICKS / Number(answered)) * 1e6;
  return {
    servers: servers.length,
    rate: Number(answered) / seconds,
    server: microseconds(ticksOf(servers.map(({ pid }) => pid)), before[0]),
    router: microseconds(ticksOf([router.pid]), before[1]),
  };
}

/** Returns the processor time that these processes have taken. */
function ticksOf(pids: readonly number[]): number {
  return pids
    .map((pid) => {
      const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
      return user + system;
    })
    .reduce((sum, ticks) => sum + ticks, 0);
}
