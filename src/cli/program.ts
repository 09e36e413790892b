import { Command, Option } from "commander";
import type { Way } from "../scenario/ways.ts";
import { assumption, count, portNumber, seconds } from "./arguments.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { addCoverageCommand } from "./coverage-command.ts";
import { addExamCommand } from "./exam-command.ts";
import { exitCodesInWords } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { HOW_MUCH_IS_KEPT, HOW_TIME_MOVES, KEEP, startServer } from "./serve.ts";
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

  program
    .command("serve")
    .description("serve the payment service on this machine, for merchants in other processes and languages")
    .option("--port <port>", "the port to listen on; 0 takes any free port", portNumber, 4010)
    .option(
      "--base-url <url>",
      "the base URL by which clients reach the server, such as that of a proxy; its own address by default",
    )
    .option("--seed <seed>", "decides every id and secret; by default it is random, and printed")
    .option(
      "--webhook-url <url>",
      "receives the events of resources without a webhookUrl; must be on this machine, because nothing is sent to other hosts",
    )
    .option("--now <time>", "when virtual time starts; the real time by default, which differs in each run")
    .option("--processing-time <duration>", "how long payments stay in processing, in virtual time", "2 seconds")
    .option("--assumptions <file>", "a JSON file of assumptions by id; it wins over --processing-time")
    .option(
      "--assumption <id=value>",
      "change the answer to a question that the service document leaves open, unless it is fixed; repeatable, and wins over the file",
      assumption,
    )
    .option(
      "--keep <count>",
      "keep only this many of the newest journal entries, requests, finished payments and events",
      count,
      KEEP,
    )
    .addHelpText("after", `\nTime is virtual: ${HOW_TIME_MOVES}.\n${HOW_MUCH_IS_KEPT}`)
    .action(
      async (options: {
        port: number;
        baseUrl?: string;
        seed?: string;
        webhookUrl?: string;
        now?: string;
        processingTime: string;
        keep: number;
        assumptions?: string;
        assumption?: Readonly<Record<string, unknown>>;
      }) => {
        const { assumption: given, assumptions: file, ...others } = options;
        const shared = file === undefined ? {} : assumptionsIn(file, directory);
        const server = await startServer({ ...others, assumptions: { ...shared, ...given } }, output);
        await context.stopped();
        await server.close();
      },
    );

  return program;
}
