import { renameSync, rmSync, writeFileSync } from "node:fs";
import { isThere, namesIn, writeTextFile } from "../../kit/base/runtime/files.ts";
import { realTime, startTimer } from "../../kit/base/runtime/real-time.ts";
import type { Service } from "../../kit/http/callable-service.ts";
import { HUB_FILE, REPLACED_FILE, WORLDS } from "../../inspected/records.ts";
import type { RunningHub } from "../../inspected/records.ts";
import { folderOfRuns, hubIn, isAlive } from "../../inspected/run-folder.ts";
import { host } from "../serve.ts";
import { Lifetime } from "./lifetime.ts";
import { RunWorlds } from "./run-worlds.ts";
import { WorldFiles } from "./world-files.ts";

/** How often it looks for news of its tests, in milliseconds. */
const BETWEEN_LOOKS = 100;

/** What an inspector is told when it starts. */
export interface HubOptions {
  /** The folder of its run. */
  readonly folder: string;
  /** The process that runs the tests. */
  readonly root: number;
  readonly isCi: boolean;
}

/** Inspects a run until it is over, and leaves nothing behind. */
export async function inspectRun({ folder, root, isCi }: HubOptions): Promise<void> {
  const server = await host(() => nothing, {});
  const files = new WorldFiles(`${folder}/${WORLDS}`, new RunWorlds(server.worlds));
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => (isStopped = true));
  // Somebody may look long after the run has printed it.
  const tellAddress = (): void => tell(folder, { pid: process.pid, url: server.inspector.newAddress(Infinity) });
  tellAddress();
  forgetOtherRuns(folder);
  const lifetime = new Lifetime(realTime());
  let isRunning = true;
  for (;;) {
    // Asked first: what the last test wrote is still read. Another process may get the number later.
    isRunning &&= isAlive(root);
    await files.read();
    if (!server.inspector.hasAddress) tellAddress();
    const isReplaced = isThere(`${folder}/${REPLACED_FILE}`);
    const surroundings = { isRunning, isWatched: server.inspector.isWatched, isCi, isReplaced, now: realTime() };
    if (isStopped || lifetime.isOver(surroundings)) break;
    await new Promise<void>((resolve) => startTimer(BETWEEN_LOOKS, resolve));
  }
  rmSync(folder, { recursive: true, force: true });
  await server.close();
}

/** Says how to reach the inspector, to nobody but its user. */
function tell(folder: string, hub: RunningHub): void {
  const unfinished = `${folder}/${HUB_FILE}.unfinished`;
  try {
    writeFileSync(unfinished, JSON.stringify(hub), { mode: 0o600 });
    renameSync(unfinished, `${folder}/${HUB_FILE}`);
  } catch {
    // Whoever has removed the folder does not ask.
  }
}

/** What stands at the address itself, where there is no simulator. */
const nothing: Service = {
  baseUrl: "http://inspector.invalid",
  authUrl: "http://inspector.invalid",
  fetch: async () =>
    new Response("This is the inspector of a test run. Open the address that the run has printed.\n", { status: 404 }),
};

/** Removes what killed inspectors have left, and tells those of runs that have ended that there is a newer one. */
function forgetOtherRuns(own: string): void {
  const runs = folderOfRuns();
  for (const name of namesIn(runs)) {
    const folder = `${runs}/${name}`;
    const root = Number.parseInt(name, 10);
    if (folder === own || Number.isNaN(root) || isAlive(root)) continue;
    const hub = hubIn(folder);
    if (hub !== undefined && isAlive(hub.pid)) writeTextFile(`${folder}/${REPLACED_FILE}`, "");
    else rmSync(folder, { recursive: true, force: true });
  }
}
