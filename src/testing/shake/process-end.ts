import { textOf } from "../../kit/base/errors/thrown-values.ts";
import { relativePath } from "../../kit/base/runtime/files.ts";
import { placesOfCallers } from "./source-places.ts";

/** How a process ended while a test was still running. */
export interface ProcessEnd {
  /** Whether code ended it: by an error that nothing caught, or by an exit. Otherwise nothing was left that it could wait for. */
  readonly isCrash: boolean;
  /** In one sentence. */
  readonly what: string;
}

const callbacks = new Set<(end: ProcessEnd) => void>();
/** The error that ends the process. */
let fatal: string | undefined;

function onUncaught(error: unknown): void {
  const own = realProcess();
  if (own === undefined || own.listenerCount("uncaughtException") > 0 || own.hasUncaughtExceptionCaptureCallback())
    return;
  fatal = textOf(error).split("\n", 1)[0];
}

function onExit(): void {
  const end = endOfProcess();
  for (const callback of callbacks) callback(end);
}

function endOfProcess(): ProcessEnd {
  if (fatal !== undefined) return { isCrash: true, what: `The process of the test ended: ${fatal}` };
  // Node calls listeners inside the call to `process.exit`.
  const [place] = placesOfCallers();
  if (place !== undefined)
    return { isCrash: true, what: `The process of the test ended: ${relativePath(place.file)}:${place.line} exits.` };
  return { isCrash: false, what: "The test had not ended when its process did." };
}

/**
 * Calls back when this process ends, unless a signal ends it.
 * @returns a function that calls it off
 */
export function onProcessEnd(callback: (end: ProcessEnd) => void): () => void {
  const own = realProcess();
  if (callbacks.size === 0) own?.on("uncaughtExceptionMonitor", onUncaught).on("exit", onExit);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) own?.off("uncaughtExceptionMonitor", onUncaught).off("exit", onExit);
  };
}

/** Returns the process itself, which Jest hides from tests. */
function realProcess(): NodeJS.Process | undefined {
  return globalThis.process?.getBuiltinModule?.("node:process");
}
