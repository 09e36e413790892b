import { absolutePath } from "../kit/base/runtime/files.ts";
import { HUB_FILE } from "./records.ts";
import type { RunningHub } from "./records.ts";
import { hubIn, isAlive } from "./run-folder.ts";
import type { RunFolder } from "./run-folder.ts";

const processes = process.getBuiltinModule("node:child_process");
const files = process.getBuiltinModule("node:fs");
const own = process.getBuiltinModule("node:process");
const paths = process.getBuiltinModule("node:path");

/**
 * How long a test waits for the address at its beginning and at its end, and how long the end of the process does, in steps of so many
 * milliseconds of real time. On a machine that is not busy the inspector needs half of it. Mocha gives a test two seconds.
 */
export const STEPS_OF_A_TEST = 50;
export const STEPS_AT_THE_END = 3000;
const STEP = 10;
/** How often an inspector that was killed is started again. */
const MOST_RESTARTS = 3;

/** What the inspector must not inherit: what changes every Node, and what tells a process that it is part of a run. */
const NOT_INHERITED = /^(?:CENTAVO_INSPECT|JEST_|NODE_OPTIONS|NODE_TEST_|NODE_V8_COVERAGE|VITEST)/;

/** An inspector that this process has started. */
export interface StartedHub {
  readonly folder: string;
  /** Its process; undefined when there is none. */
  readonly pid: number | undefined;
}

/**
 * Starts the inspector of a run.
 * @returns undefined when it runs, or another process is starting it
 */
export function startHub({ path, root, isNew }: RunFolder): StartedHub | undefined {
  if (!isNew && !takeOver(path)) return undefined;
  const env: NodeJS.ProcessEnv = { ...own.env };
  for (const name of Object.keys(env)) if (NOT_INHERITED.test(name)) env[name] = undefined;
  const child = processes.spawn(own.execPath, [program(), path, String(root)], {
    // It outlives the process that starts it, which may be one of many workers.
    detached: true,
    stdio: "ignore",
    cwd: path,
    env,
    windowsHide: true,
  });
  // The tests go on without it.
  child.on("error", () => undefined);
  child.unref();
  return { folder: path, pid: child.pid };
}

/** Waits until an inspector listens or has failed, without a turn of the event loop, in which the test would go on. */
export function untilHub({ folder, pid }: StartedHub, steps: number): RunningHub | undefined {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let step = 0; step < steps; step += 1) {
    const hub = hubIn(folder);
    if (hub !== undefined) return hub;
    if (pid === undefined || !isAlive(pid)) return undefined;
    if (step + 1 < steps) Atomics.wait(cell, 0, 0, STEP);
  }
  return undefined;
}

/** Whether the inspector of this run has been killed, and this process is the one to start another. One that dies again and again stays dead. */
function takeOver(folder: string): boolean {
  const hub = hubIn(folder);
  if (hub === undefined || isAlive(hub.pid)) return false;
  try {
    const dead = files.readdirSync(folder).filter((name) => name.startsWith(`${HUB_FILE}.`));
    if (dead.length >= MOST_RESTARTS) return false;
    // Only one process can.
    files.renameSync(`${folder}/${HUB_FILE}`, `${folder}/${HUB_FILE}.${hub.pid}`);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of the inspector's program. It is joined, because a bundler would take a literal path for an import. */
function program(): string {
  // In CommonJS it is a path.
  const file = absolutePath(import.meta.url);
  return paths.join(paths.dirname(file), file.endsWith(".ts") ? "../server/hub/main.ts" : "../esm/server/hub/main.js");
}
