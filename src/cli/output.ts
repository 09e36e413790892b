import { styleText } from "node:util";
import { printable } from "../kit/base/errors/printable.ts";
import { decideExit } from "../kit/base/runtime/unfinished-work.ts";
import { exitCodes } from "./exit-codes.ts";
import { ProgressLine } from "./progress-line.ts";
import type { Terminal } from "./progress-line.ts";

/** Where a command prints. */
export interface Output {
  print(text: string): void;
  /** Prints to standard error. */
  printError(text: string): void;
  readonly colours: boolean;
  /** Shows the progress of a long story. Absent unless someone watches the terminal. */
  readonly progress?: ProgressLine;
}

export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** A stream to which the output is written. */
export interface OutputStream extends Terminal {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** The parts of the process that the output uses. */
export interface OutputStreams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exit: (this: void, code: number) => unknown;
}

/**
 * Returns the process's own output. It has colours if standard output is a terminal, or `FORCE_COLOR` asks for them, and shows progress if
 * standard error is a terminal and `CI` is not set. There is neither if `NO_COLOR` is set or `TERM` is `dumb`. If whoever reads the output
 * ends, as in `centavo run | head`, the command goes on in silence, and its exit code holds. If standard output takes nothing else, as on a
 * full disk, the command says so and ends.
 */
export function standardOutput({ stdout, stderr, env, exit }: OutputStreams = ofProcess()): Output {
  const force = env["FORCE_COLOR"];
  const isRefused = Boolean(env["NO_COLOR"]) || force === "0" || force === "false";
  const takesEscapes = !isRefused && env["TERM"] !== "dumb";
  const isWatched = stderr.isTTY === true && takesEscapes && !env["CI"];
  // Kept, because code that a command loads may replace them.
  const [write, writeError] = [stdout.write.bind(stdout), stderr.write.bind(stderr)];
  stdout.on("error", (error) => {
    if (error.code === "EPIPE") return;
    decideExit(exitCodes.couldNotRun);
    writeError(`Standard output cannot be written: ${error.message}.\n`);
    exit(exitCodes.couldNotRun);
  });
  // There is no place left to tell that standard error cannot be written.
  stderr.on("error", () => undefined);
  return {
    print: (text) => void write(`${text}\n`),
    printError: (text) => void writeError(`${text}\n`),
    colours: (stdout.isTTY === true && takesEscapes) || (Boolean(force) && !isRefused),
    ...(isWatched && { progress: new ProgressLine(stderr) }),
  };
}

export function styled(output: Output, style: Style, text: string): string {
  const plain = printable(text);
  return output.colours ? styleText(style, plain, { validateStream: false }) : plain;
}

function ofProcess(): OutputStreams {
  const { stdout, stderr, env } = process;
  return { stdout, stderr, env, exit: process.exit.bind(process) };
}
