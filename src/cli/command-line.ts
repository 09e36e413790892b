import { constants } from "node:os";
import { CommanderError } from "commander";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { decideExit } from "../kit/base/runtime/unfinished-work.ts";
import { exitCodes } from "./exit-codes.ts";
import { jsonOfError } from "./json-output.ts";
import { standardOutput } from "./output.ts";
import { createProgram } from "./program.ts";

/** Kept, because code that a command loads may replace them. */
const exit = process.exit.bind(process);
const write = process.stdout.write.bind(process.stdout);

export async function runCommandLine(): Promise<void> {
  const output = standardOutput();
  const isJson = wantsJson(process.argv.slice(2));
  const program = createProgram({
    output,
    directory: process.cwd(),
    exit: (code) => {
      process.exitCode = code;
    },
    end: (code) => {
      decideExit(code);
      write("", () => exit(code));
    },
    stopped: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
          process.once(signal, () => resolve(constants.signals[signal]));
      }),
  });

  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has already printed the help, or what was wrong.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    process.exitCode = exitCodes.couldNotRun;
    if (isJson) output.print(jsonOfError(error));
    if (error instanceof CommanderError) return;
    // A wrong option or a taken port is no defect, so its stack would not help.
    const known = error instanceof CentavoError || (error instanceof Error && "code" in error);
    console.error(known ? printable(error.message) : error);
  }
}

/** Whether arguments ask for JSON. What follows -- is another program's. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--json");
}
