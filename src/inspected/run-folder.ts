import { version } from "../kit/base/runtime/version.ts";
import { HUB_FILE, WORLDS } from "./records.ts";
import type { RunningHub } from "./records.ts";

/** The modules of Node itself, even where a test runner or a test has replaced them. */
const builtin = {
  files: process.getBuiltinModule("node:fs"),
  paths: process.getBuiltinModule("node:path"),
  process: process.getBuiltinModule("node:process"),
  system: process.getBuiltinModule("node:os"),
};

/** The folder in which the processes of one run leave what an inspector shows. */
export interface RunFolder {
  readonly path: string;
  /** The process that starts the others, and ends last. */
  readonly root: number;
  /** Whether this process has created the folder, and is to start the inspector. */
  readonly isNew: boolean;
}

/**
 * Finds the folder of the run that this process is part of, or creates it. Nobody else can read it.
 * @throws an error that says what is wrong with it
 */
export function openRunFolder(root = rootOfRun()): RunFolder {
  const parent = folderOfRuns();
  createOwn(parent);
  const path = builtin.paths.join(parent, `${root}-${version()}`);
  const isNew = createOwn(path);
  // Whichever process has created the folder may not be so far.
  createOwn(builtin.paths.join(path, WORLDS));
  return { path, root, isNew };
}

/** The folder of all runs of this user. */
export function folderOfRuns(): string {
  // Where there are no ids, the folder for temporary files is the user's own.
  return builtin.paths.join(builtin.system.tmpdir(), `centavo-inspector-${builtin.process.getuid?.() ?? "runs"}`);
}

/** Returns the inspector of a run, if one has begun to listen. */
export function hubIn(folder: string): RunningHub | undefined {
  try {
    return JSON.parse(builtin.files.readFileSync(builtin.paths.join(folder, HUB_FILE), "utf8")) as RunningHub;
  } catch {
    // It is written whole.
    return undefined;
  }
}

/** Whether a process has not ended. */
export function isAlive(pid: number): boolean {
  try {
    builtin.process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a process has ended, and its parent has not asked how: in a container, where nobody may ask. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(builtin.files.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Only Linux says so.
    return false;
  }
}

/**
 * The process that runs the tests, or that has started this one to do so. Workers are threads of it, or children that talk to it; node:test
 * only tells its children what they are.
 */
function rootOfRun(): number {
  const { connected, env, pid, ppid } = builtin.process;
  return connected || env["NODE_TEST_CONTEXT"]?.startsWith("child") === true ? ppid : pid;
}

/**
 * Creates a folder that only this user can use.
 * @returns false when it was there
 */
function createOwn(path: string): boolean {
  try {
    builtin.files.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = builtin.files.lstatSync(path);
  const uid = builtin.process.getuid?.();
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  if (uid !== undefined && (found.uid !== uid || (found.mode & 0o077) !== 0))
    throw new Error(`${path} belongs to another user, or others can read it`);
  return false;
}
