import { Option } from "commander";
import type { Command } from "commander";
import type { Way } from "../scenario/ways.ts";
import { seconds } from "./arguments.ts";
import { interrupted, teach } from "./help.ts";
import { addMerchantOptions } from "./run-merchant-command.ts";
import type { ProgramContext } from "./program.ts";
import type { RunOptions } from "./run.ts";

const WAYS: readonly Way[] = ["intercept", "memory", "socket"];

/** Adds `centavo run`. Its code is loaded only when it runs, so that other commands start faster. */
export function addRunCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("run")
    .summary("run stories and print each as a timeline")
    .description(
      "Run stories and print each as a timeline: what the merchant, the service, the customer and the receiver did, at which virtual time. Each file is played in a process of its own, and a story fails if it throws, or if nothing happens in it for long.",
    )
    .argument(
      "[what...]",
      "files, folders and names of stories; the folder scenarios by default. A file or a name after a folder plays that alone",
    )
    .optionsGroup("How stories are played:")
    .addOption(new Option("--way <way>", "how requests reach the simulator").choices(WAYS).default("intercept"))
    .option("--seed <seed>", "replace the stories' own seeds; digests are then not checked")
    .option(
      "--assumptions <file>",
      "a JSON file of assumptions by id; a story's own values win. Digests are then not checked",
    )
    .option(
      "--timeout <seconds>",
      "fail a story in which nothing happens for this long, in real time; 30 by default",
      seconds,
    );
  addMerchantOptions(command)
    .optionsGroup("What is checked:")
    .option("--digests <file>", "check the stories' journals against the digests in this file")
    .option("--update-digests", "write the file named by --digests instead of checking it")
    .optionsGroup("What is written:")
    .option("--quiet", "print only failed stories and the summary")
    .option("--json", "print the results as one JSON document, instead of timelines")
    .option("--junit <file>", "write the results in the XML of JUnit, which CI servers read")
    .option("--report <file>", "write an HTML report of the stories")
    .option("--record <folder>", "write each story's recording into this folder, for centavo replay")
    .action(async (what: string[], options: RunOptions) => {
      const { run } = await import("./run.ts");
      context.exit(await run(what, options, context.output, context.directory, () => context.stopped()));
    });
  teach(command, {
    examples: [
      ["npx centavo run stories/", "plays every story in a folder"],
      ["npx centavo run stories/past-due.ts --seed 7", "plays one story with other ids"],
      [
        "npx centavo run stories/ --quiet --junit results.xml",
        "prints only what failed, and writes the results for a CI server",
      ],
      [
        "npx centavo run --merchant http://localhost:3000 stories/",
        "plays them against a shop that already runs, in any language; its own clock does not move",
      ],
    ],
    exitCodes: [
      ["0", "every story passed"],
      ["1", "a story failed, a file could not be loaded, or the merchant of --merchant never called"],
      [
        "2",
        "there was nothing to play, an option is wrong, a file could not be written, or nothing listens at --merchant",
      ],
      interrupted,
    ],
    readOn: ["guide/stories.md", "guide/run-merchant.md", "guide/incidents.md"],
  });
}
