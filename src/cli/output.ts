import { styleText } from "node:util";
import { printable } from "../kit/base/errors/printable.ts";
import { ProgressLine } from "./progress-line.ts";
import type { Terminal } from "./progress-line.ts";

/** Where a command prints. */
export interface Output {
  print(text: string): void;
  readonly colours: boolean;
  /** Shows the progress of a long story. Absent unless someone watches the terminal. */
  readonly progress?: ProgressLine;
}

type Style = "bold" | "dim" | "green" | "red";

/** The parts of the process that the output uses. */
export interface OutputStreams {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the process's own output. It has colours if standard output is a terminal and `NO_COLOR` is not set, and shows progress if
 * standard error is a terminal and `CI` is not set.
 */
export function standardOutput({ stdout, stderr, env }: OutputStreams = process): Output {
  const colours = stdout.isTTY === true && !env["NO_COLOR"];
  const isWatched = stderr.isTTY === true && !env["CI"];
  return {
    print: (text) => void stdout.write(`${text}\n`),
    colours,
    ...(isWatched && { progress: new ProgressLine(stderr) }),
  };
}

export function styled(output: Output, style: Style, text: string): string {
  const plain = printable(text);
  return output.colours ? styleText(style, plain, { validateStream: false }) : plain;
}
