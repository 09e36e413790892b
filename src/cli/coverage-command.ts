import type { Command } from "commander";
import { names, threshold } from "./arguments.ts";
import type { CoverageCommandOptions } from "./coverage-files.ts";
import { teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";

/** Adds `centavo coverage`. Its code is loaded only when it runs, so that other commands start faster. */
export function addCoverageCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("coverage")
    .summary("show which parts of the service a suite went through, and which it never saw")
    .description(
      "Show which parts of the service a suite went through, and which it never saw: states, moves, events, errors, faults and routes, each with the lines of a test that would see it. A reporter for vitest or Jest, or node --import centavo/coverage-collector, leaves the files that it reads.",
    )
    .argument(
      "[what...]",
      "coverage files, or folders of them, such as one for each shard; .centavo/coverage by default",
    )
    .optionsGroup("What is counted:")
    .option("--only <kinds>", "count only these kinds of resource, such as subscription,invoice; repeatable", names)
    .option("--threshold <part=percent>", "fail if less was seen, such as states=80; repeatable", threshold)
    .optionsGroup("What is written:")
    .option("--all", "list everything that was never tested, with the lines that would test it")
    .option("--json [file]", "print it as one JSON document, instead of the table; with a file, write it there as well")
    .option("--html <file>", "also write it as a page with diagrams; what was never seen is grey")
    .action(async (what: string[], options: CoverageCommandOptions) => {
      const { tellCoverage } = await import("./coverage-files.ts");
      context.exit(tellCoverage(what, options, context.output, context.directory));
    });
  teach(command, {
    examples: [
      ["npx centavo coverage", "tells what the last run of the suite saw"],
      ["npx centavo coverage shard-1 shard-2 --threshold states=80", "joins two shards, and fails below a threshold"],
      ["npx centavo coverage --json", "hands it to another program, with all that was never tested"],
    ],
    exitCodes: [
      ["0", "every threshold is reached, or there is none"],
      ["1", "a threshold is not reached"],
      ["2", "there is no coverage, files cannot be joined, an option is wrong, or a file cannot be written"],
    ],
    readOn: ["guide/coverage.md"],
  });
}
