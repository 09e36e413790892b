import { CommanderError } from "commander";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { decideExit } from "../kit/base/runtime/unfinished-work.ts";
import { standardOutput } from "./output.ts";
import { createProgram } from "./program.ts";

/** Code that a command loads may replace it. */
const exit = process.exit.bind(process);

/** Runs the command that the process was started with. */
export async function runCommandLine(): Promise<void> {
  const program = createProgram({
    output: standardOutput(),
    directory: process.cwd(),
    exit: (code) => {
      process.exitCode = code;
    },
    end: (code) => {
      decideExit(code);
      process.stdout.write("", () => exit(code));
    },
    stopped: () =>
      new Promise((resolve) => {
        process.once("SIGINT", () => resolve()).once("SIGTERM", () => resolve());
      }),
  });

  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the help, or what was wrong.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    // A misuse or a taken port needs no stack. Anything else is a defect, and does.
    const known = error instanceof CentavoError || (error instanceof Error && "code" in error);
    console.error(known ? printable(error.message) : error);
    process.exitCode = 2;
  }
}
