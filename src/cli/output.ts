import { styleText } from "node:util";
import { ProgressLine } from "./progress-line.ts";
import type { Terminal } from "./progress-line.ts";

/** Where a command prints, and whether with colours. */
export interface Output {
  print(text: string): void;
  readonly colours: boolean;
  /** Shows how far a long story has come; only where somebody looks. */
  readonly progress?: ProgressLine;
}

type Style = "bold" | "dim" | "green" | "red";

/** What the output needs of the process. */
export interface OutputStreams {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The process's own output: with colours only where somebody looks at it and `NO_COLOR` is not set, with progress only where standard
 * error is a terminal and not one of a CI.
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
  return output.colours ? styleText(style, text, { validateStream: false }) : text;
}
