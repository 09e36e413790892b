import { Command } from "commander";
import { addCalibrateCommand } from "./calibrate-command.ts";
import { addCompletionCommand } from "./completion-command.ts";
import { addCoverageCommand } from "./coverage-command.ts";
import { addDoctorCommand } from "./doctor-command.ts";
import { addExamCommand } from "./exam-command.ts";
import { exitCodesInWords } from "./exit-codes.ts";
import { formatHelp, title } from "./help.ts";
import type { Output } from "./output.ts";
import { addRecordCommand } from "./record-command.ts";
import { addRecordingCommands } from "./recording-commands.ts";
import { addRunCommand } from "./run-command.ts";
import { addServeCommand } from "./serve-command.ts";
import { addTriggerCommand } from "./trigger-command.ts";
import { addShakeCommand } from "./shake-command.ts";
import { version } from "../kit/base/runtime/version.ts";

/** The process that runs the program. */
export interface ProgramContext {
  readonly output: Output;
  /** The folder against which paths are resolved. */
  readonly directory: string;
  exit(code: number): void;
  /** Exits at once, even if something keeps the process alive, such as a merchant's timer. */
  end(code: number): void;
  /** Resolves when a signal asks the process to stop, with the number of the signal. */
  stopped(): Promise<number>;
}

export function createProgram(context: ProgramContext): Command {
  // Commander would exit with 1 on wrong usage, but 1 means that a story, an exam or a threshold failed.
  const program = new Command("centavo")
    .description("A payment service that runs inside a test.")
    .version(version())
    .configureHelp({ formatHelp, styleTitle: title })
    .addHelpText(
      "after",
      `\n${exitCodesInWords}\nThe help of each command, such as centavo run --help, says what they mean there.\n\nRead on: docs/README.md, in the package`,
    )
    // A command may take the rest of the line as it is, such as the command of a suite.
    .enablePositionalOptions()
    .exitOverride();

  addRunCommand(program, context);
  addExamCommand(program, context);
  addRecordingCommands(program, context);
  addShakeCommand(program, context);
  addCalibrateCommand(program, context);
  addCoverageCommand(program, context);
  addServeCommand(program, context);
  addRecordCommand(program, context);
  addTriggerCommand(program, context);
  addDoctorCommand(program, context);
  addCompletionCommand(program, context);

  return program;
}
