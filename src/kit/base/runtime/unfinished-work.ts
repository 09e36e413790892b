import { likeOriginal } from "./replaced-functions.ts";
import { startTimer } from "./real-time.ts";

/** Work that has to end before its process does. */
export interface UnfinishedWork {
  /**
   * Says that the work was broken off.
   * @param cause how the process ends, such as `process.exit(0) was called`
   */
  readonly brokenOff: (cause: string) => string;
  /** Passes that on, before the process is gone. By default it is written to standard error. */
  readonly tell?: (sentence: string) => void;
}

type Exit = (this: unknown, code?: number) => void;

/** The exit code of a process with unfinished work. */
const BROKEN_OFF = 2;

const unfinished: UnfinishedWork[] = [];
let finalCode: number | undefined;
let isTold = false;
let restore: (() => void) | undefined;

/**
 * Lets the process end with exit code 2 and a sentence while some work goes on, whatever code calls `process.exit(0)` or sets
 * `process.exitCode`. Of several pieces of work at once, the newest says what was broken off, and the oldest passes it on.
 * @returns a function to call when the work has ended
 */
export function holdExit(work: UnfinishedWork): () => void {
  unfinished.push(work);
  restore ??= watchExit();
  return () => {
    unfinished.splice(unfinished.indexOf(work), 1);
    if (unfinished.length > 0 || finalCode !== undefined) return;
    restore?.();
    restore = undefined;
  };
}

/** Decides the exit code of the process: from now on, no other code changes it. */
export function decideExit(code: number): void {
  finalCode = code;
  restore ??= watchExit();
}

function watchExit(): () => void {
  const { process } = globalThis;
  const reallyExit = reallyExitOf(process);
  let isDrained = false;
  let uncaught: { readonly error: unknown } | undefined;

  const codeFor = (code: number): number => {
    if (finalCode !== undefined) return finalCode;
    if (unfinished.length === 0) return code;
    tell(
      uncaught === undefined
        ? isDrained
          ? "the process ran out of work"
          : `process.exit(${code}) was called`
        : `an error that nothing caught ended the process (${inWordsOf(uncaught.error)})`,
    );
    return BROKEN_OFF;
  };
  const onExit = (code: number): void => {
    const decided = codeFor(code);
    // The process asks for its code only once every listener was called, and any of them may set another.
    for (const other of process.listeners("exit")) if (other !== onExit) callSafely(() => other.call(process, decided));
    reallyExit.call(process, decided);
  };
  const onDrained = (): void => void (isDrained = true);
  const onUncaught = (error: unknown): void => {
    uncaught = { error };
    startTimer(0, () => {
      // Somebody dealt with it.
      uncaught = undefined;
    });
  };
  const standIn = likeOriginal((code?: number): void => reallyExit.call(process, codeFor(code ?? 0)), reallyExit);

  process.prependListener("exit", onExit);
  process.on("beforeExit", onDrained).on("uncaughtExceptionMonitor", onUncaught);
  Reflect.set(process, "reallyExit", standIn);
  return () => {
    process.off("exit", onExit).off("beforeExit", onDrained).off("uncaughtExceptionMonitor", onUncaught);
    if (Reflect.get(process, "reallyExit") === standIn) Reflect.set(process, "reallyExit", reallyExit);
  };
}

/** `process.exit` ends in `process.reallyExit`, which Node does not document but lets others replace. Without it, only the code can be set. */
function reallyExitOf(process: NodeJS.Process): Exit {
  const found: unknown = Reflect.get(process, "reallyExit");
  return typeof found === "function" ? (found as Exit) : (code) => void (process.exitCode = code);
}

function tell(cause: string): void {
  if (isTold) return;
  isTold = true;
  const sentence = unfinished.at(-1)?.brokenOff(cause) ?? "";
  const [{ tell: passOn = writeToStandardError } = {}] = unfinished;
  passOn(sentence);
}

function writeToStandardError(sentence: string): void {
  const { writeSync } = globalThis.process.getBuiltinModule("node:fs");
  callSafely(() => writeSync(2, `${sentence}\n`));
}

function inWordsOf(error: unknown): string {
  const { inspect } = globalThis.process.getBuiltinModule("node:util");
  return inspect(error);
}

/** Whatever an exit handler throws must not keep the process from its exit code. */
function callSafely(call: () => unknown): void {
  try {
    call();
  } catch {
    // Nobody is left to hear of it.
  }
}
