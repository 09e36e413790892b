import { Command, Option } from "commander";
import type { Way } from "../scenario/ways.ts";
import { seconds } from "./arguments.ts";
import { addCoverageCommand } from "./coverage-command.ts";
import { addExamCommand } from "./exam-command.ts";
import { exitCodesInWords } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { addServeCommand } from "./serve-command.ts";
import { addTriggerCommand } from "./trigger-command.ts";
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

const WAYS: readonly Way[] = ["intercept", "memory", "socket"];

export function createProgram(context: ProgramContext): Command {
  const { output, directory } = context;
  // Commander would exit with 1 on wrong usage, but 1 means that a story, an exam or a threshold failed.
  const program = new Command("centavo")
    .description("A payment service that runs inside a test.")
    .version(version())
    .addHelpText("afterAll", `\n${exitCodesInWords}`)
    .exitOverride();

  program
    .command("run")
    .description("run stories and print each as a timeline")
    .argument(
      "[what...]",
      "files, folders and names of stories; the folder scenarios by default. A file or a name after a folder plays that alone",
    )
    .addOption(new Option("--way <way>", "how requests reach the simulator").choices(WAYS).default("intercept"))
    .option("--seed <seed>", "replace the stories' own seeds; digests are then not checked")
    .option(
      "--assumptions <file>",
      "a JSON file of assumptions by id; a story's own values win. Digests are then not checked",
    )
    .option("--quiet", "print only failed stories and the summary")
    .option("--digests <file>", "check the stories' journals against the digests in this file")
    .option("--record <folder>", "write each story's recording into this folder, for centavo replay")
    .option("--report <file>", "write an HTML report of the stories")
    .option(
      "--timeout <seconds>",
      "fail a story in which nothing happens for this long, in real time; 30 by default",
      seconds,
    )
    .option("--json", "print the results as one JSON document, instead of timelines")
    .option("--junit <file>", "write the results in the XML of JUnit, which CI servers read")
    .option("--update-digests", "write the file named by --digests instead of checking it")
    .action(
      async (
        what: string[],
        options: {
          way: Way;
          seed?: string;
          assumptions?: string;
          quiet?: boolean;
          digests?: string;
          record?: string;
          report?: string;
          timeout?: number;
          json?: boolean;
          junit?: string;
          updateDigests?: boolean;
        },
      ) => {
        const { run } = await import("./run.ts");
        context.exit(await run(what, options, output, directory, () => context.stopped()));
      },
    );

  program
    .command("replay")
    .description("replay a recorded run, print its timeline, and compare its digest")
    .argument("<recording>", "the file of a recording, made by sim.recording() or centavo run --record")
    .option("--quiet", "print only whether the run is the same")
    .option("--report <file>", "write an HTML report of the run")
    .action(async (path: string, options: { quiet?: boolean; report?: string }) => {
      const { replayFile } = await import("./recordings.ts");
      context.exit(await replayFile(path, options, output, directory));
    });

  program
    .command("report")
    .description("write an HTML report of a recorded run")
    .argument("<recording>", "the file of a recording, made by sim.recording() or centavo run --record")
    .option("--out <file>", "where to write it; by default beside the recording, with the ending .html")
    .action(async (path: string, { out }: { out?: string }) => {
      const { reportFile } = await import("./recordings.ts");
      context.exit(await reportFile(path, out, output, directory));
    });

  addExamCommand(program, context);
  addCoverageCommand(program, context);
  addServeCommand(program, context);
  addTriggerCommand(program, context);

  return program;
}
