import { styleText } from "node:util";
import { printable } from "../kit/base/errors/printable.ts";
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
}

/**
 * Returns the process's own output. It has colours if standard output is a terminal, and shows progress if standard error is one and `CI` is
 * not set. A terminal gets neither if `NO_COLOR` is set or `TERM` is `dumb`. If whoever reads the output ends, as in `centavo run | head`,
 * the command goes on in silence, and its exit code holds.
 */
export function standardOutput({ stdout, stderr, env }: OutputStreams = process): Output {
  const takesEscapes = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const isWatched = stderr.isTTY === true && takesEscapes && !env["CI"];
  for (const stream of [stdout, stderr])
    stream.on("error", (error) => {
      if (error.code !== "EPIPE") throw error;
    });
  // Kept, because code that a command loads may replace them.
  const [write, writeError] = [stdout.write.bind(stdout), stderr.write.bind(stderr)];
  return {
    print: (text) => void write(`${text}\n`),
    printError: (text) => void writeError(`${text}\n`),
    colours: stdout.isTTY === true && takesEscapes,
    ...(isWatched && { progress: new ProgressLine(stderr) }),
  };
}

export function styled(output: Output, style: Style, text: string): string {
  const plain = printable(text);
  return output.colours ? styleText(style, plain, { validateStream: false }) : plain;
}
