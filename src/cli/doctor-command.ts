import type { Command } from "commander";
import { portNumber } from "./arguments.ts";
import type { DoctorOptions } from "./doctor.ts";
import { interrupted, teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";

/** Adds `centavo doctor`. Its code is loaded only when it runs, so that other commands start faster. */
export function addDoctorCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("doctor")
    .summary("explain what is wrong with a set-up")
    .description(
      "Explain what is wrong with a set-up: Node, copies and versions of Centavo and of the interceptors, MSW, nock, test runners, fake timers, the port of the server. It reads files and executes none. With a command behind two dashes it also runs your suite once, and tells of base URLs that nobody calls, webhook secrets that do not match, calls that left for other hosts, and calls that hang.",
    )
    .argument("[command...]", "the command that runs your suite, behind --")
    .optionsGroup("What is looked at:")
    .option("--directory <folder>", "the folder of the project; the current one by default")
    .option("--port <port>", "the port that centavo serve is to have", portNumber, 4010)
    .optionsGroup("What is written:")
    .option("--json", "print the findings as one JSON document; what the command prints goes to standard error")
    .action(async (words: string[], options: DoctorOptions) => {
      const { doctor } = await import("./doctor.ts");
      context.end(await doctor(words, options, context));
    });
  teach(command, {
    examples: [
      ["npx centavo doctor", "looks at the project in this folder"],
      ["npx centavo doctor -- npx vitest run", "also runs the suite once, and tells what it saw"],
      ["npx centavo doctor --directory packages/shop --json", "prints what it found for another program"],
    ],
    exitCodes: [
      ["0", "nothing is wrong; what cannot be known does not count"],
      ["1", "something is wrong, or the command failed, whose own exit code is told"],
      ["2", "there is no project, the command could not be started, or an option is wrong"],
      interrupted,
    ],
    readOn: ["guide/doctor.md", "reference/compatibility.md"],
  });
}
