import { statSync } from "node:fs";
import { resolve } from "node:path";
import { diagnose } from "../doctor/diagnose.ts";
import type { Finding } from "../doctor/finding.ts";
import { right, wrong } from "../doctor/finding.ts";
import { observeCommand } from "../doctor/observe-command.ts";
import type { ObservedCommand } from "../doctor/observe-command.ts";
import { checkObserved } from "../doctor/observed-check.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { commandLine } from "../report/causes/commands.ts";
import { exitCodes } from "./exit-codes.ts";
import { jsonDocument, tellProblem } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output, Style } from "./output.ts";
import type { ProgramContext } from "./program.ts";

export interface DoctorOptions {
  /** The folder of the project. */
  readonly directory?: string;
  readonly port: number;
  readonly json?: boolean;
}

const marks: Readonly<Record<Finding["status"], readonly [mark: string, style: Style]>> = {
  right: ["✓", "green"],
  wrong: ["✗", "red"],
  unknown: ["?", "yellow"],
};

/**
 * Checks a set-up, and prints what is right, what is wrong, and what cannot be known.
 * @param words a command that runs the project's suite; none if there are no words
 * @returns the process's exit code
 */
export async function doctor(
  words: readonly string[],
  { directory = ".", port, json = false }: DoctorOptions,
  context: ProgramContext,
): Promise<number> {
  const { output } = context;
  const folder = resolve(context.directory, directory);
  try {
    // Otherwise the project of a folder above would be examined in its place.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new CentavoError(
        "NOT_FOUND",
        `--directory: there is no folder ${directory}. Name the folder of your project.`,
      );
    const findings = [...(await diagnose(folder, port))];
    if (!json) for (const finding of findings) tell(finding, output);
    const command = words.length === 0 ? undefined : await observed(words, folder, json, context);
    if (command !== undefined) {
      const seen = [...checkEnd(words, command), ...checkObserved(command.observed)];
      if (!json) output.print("");
      if (!json) for (const finding of seen) tell(finding, output);
      findings.push(...seen);
    }
    const wrongs = findings.filter(({ status }) => status === "wrong").length;
    const code = exitCodeOf(wrongs, command);
    if (json) output.print(jsonDocument(code, { findings, command: shown(words, command) }));
    else output.print(summary(wrongs, output));
    return code;
  } catch (error) {
    tellProblem(error, json, output);
    return exitCodes.couldNotRun;
  }
}

async function observed(
  words: readonly string[],
  directory: string,
  json: boolean,
  context: ProgramContext,
): Promise<ObservedCommand> {
  const { output } = context;
  if (!json) output.print(`\n${styled(output, "dim", `$ ${commandLine([...words])}`)}`);
  return observeCommand(words, { directory, stdout: json ? 2 : "inherit", stopped: () => context.stopped() });
}

function checkEnd(words: readonly string[], { exitCode, signal, interruptedBy }: ObservedCommand): readonly Finding[] {
  const what = commandLine([...words]);
  if (exitCode === 0 && interruptedBy === undefined) return [right("command", `${what} exited with 0.`)];
  const how = exitCode === null ? `was ended by ${signal ?? "a signal"}` : `exited with ${exitCode}`;
  if (interruptedBy !== undefined)
    return [
      wrong(
        "command",
        `${what} ${how}, because you interrupted it.`,
        "It had not ended.",
        "What follows is what was seen until then.",
      ),
    ];
  return [
    wrong(
      "command",
      `${what} ${how}.`,
      "A test failed, or the runner could not start. What it printed says more.",
      "Each failed test names its likely cause: docs/guide/causes.md",
    ),
  ];
}

function exitCodeOf(wrongs: number, command: ObservedCommand | undefined): number {
  if (command?.interruptedBy !== undefined) return 128 + command.interruptedBy;
  return wrongs === 0 ? exitCodes.passed : exitCodes.failed;
}

function shown(words: readonly string[], command: ObservedCommand | undefined): object | undefined {
  return command && { words, exitCode: command.exitCode, signal: command.signal };
}

function tell({ status, text, cause, wayOut }: Finding, output: Output): void {
  const [mark, style] = marks[status];
  output.print(`${styled(output, style, mark)} ${styled(output, status === "wrong" ? style : "bold", text)}`);
  if (cause !== undefined) output.print(`    ${cause}`);
  if (wayOut !== undefined) output.print(`    ${styled(output, "dim", "→")} ${wayOut}`);
}

function summary(wrongs: number, output: Output): string {
  return wrongs === 0
    ? styled(output, "green", "\nNothing is wrong.")
    : styled(output, "red", `\n${wrongs === 1 ? "One thing is" : `${wrongs} things are`} wrong.`);
}
