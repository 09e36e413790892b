import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { OBSERVATIONS_VARIABLE, observedIn } from "./observations.ts";
import type { Observed } from "./observations.ts";

/** How long the processes of an interrupted command may take to end, in milliseconds of real time. */
const ENDS_WITHIN = 5000;

/** What came of a command. */
export interface ObservedCommand {
  readonly exitCode: number | null;
  /** The signal that ended it; null if it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  /** The number of the signal that interrupted this process meanwhile. */
  readonly interruptedBy?: number;
  readonly observed: readonly Observed[];
}

/**
 * Runs a command once, and observes every process of Node in it. What it prints is passed on.
 * @param options.stdout where what it prints to standard output goes: to this process's, or to its standard error
 * @param options.stopped resolves with the number of a signal, which is passed on to all processes of the command
 * @throws {CentavoError} `NOT_FOUND` when the command cannot be started
 */
export async function observeCommand(
  [program = "", ...args]: readonly string[],
  options: { readonly directory: string; readonly stdout: "inherit" | 2; readonly stopped: () => Promise<number> },
): Promise<ObservedCommand> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-doctor-"));
  const preload = `--import=${pathToFileURL(observerPath()).href}`;
  const child = spawn(program, args, {
    cwd: options.directory,
    // A group of its own, so that a signal reaches what it has started, too.
    detached: true,
    stdio: ["ignore", options.stdout, "inherit"],
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${preload}`.trim(),
      [OBSERVATIONS_VARIABLE]: folder,
    },
  });
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid ?? Number.NaN), signal);
    } catch {
      // The group is gone.
    }
  };
  let interruptedBy: number | undefined;
  const passOn = async (): Promise<void> => {
    interruptedBy = await options.stopped();
    kill("SIGTERM");
    setTimeout(() => kill("SIGKILL"), ENDS_WITHIN).unref();
    await options.stopped();
    kill("SIGKILL");
  };
  try {
    await once(child, "spawn");
    void passOn();
    const [exitCode, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    if (interruptedBy !== undefined) kill("SIGKILL");
    return { exitCode, signal, ...(interruptedBy !== undefined && { interruptedBy }), observed: observedIn(folder) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall?.startsWith("spawn") !== true) throw error;
    throw new CentavoError(
      "NOT_FOUND",
      `centavo doctor cannot start ${program}: ${(error as NodeJS.ErrnoException).code ?? String(error)}. Write the command as in a shell, behind two dashes: centavo doctor -- npx vitest run`,
      { cause: error },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The built observer, or its source where the source runs. */
function observerPath(): string {
  const here = import.meta.filename;
  if (here.endsWith(".ts")) return join(import.meta.dirname, "observer.ts");
  return join(dirname(createRequire(here).resolve("centavo/package.json")), "dist/esm/doctor/observer.js");
}
