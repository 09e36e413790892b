import type { Command } from "commander";
import { names, threshold } from "./arguments.ts";
import type { CoverageCommandOptions } from "./coverage-files.ts";
import type { ProgramContext } from "./program.ts";

/** Adds `centavo coverage`. Its code is loaded only when it runs, so that other commands start faster. */
export function addCoverageCommand(program: Command, context: ProgramContext): void {
  program
    .command("coverage")
    .description("show which parts of the service a suite went through, and which it never saw")
    .argument(
      "[what...]",
      "coverage files, or folders of them, such as one for each shard; .centavo/coverage by default",
    )
    .option("--json <file>", "also write it as JSON")
    .option("--html <file>", "also write it as a page with diagrams; what was never seen is grey")
    .option("--only <kinds>", "count only these kinds of resource, such as subscription,invoice; repeatable", names)
    .option("--threshold <part=percent>", "fail if less was seen, such as states=80; repeatable", threshold)
    .option("--all", "list everything that was never tested, with the lines that would test it")
    .action(async (what: string[], options: CoverageCommandOptions) => {
      const { tellCoverage } = await import("./coverage-files.ts");
      context.exit(tellCoverage(what, options, context.output, context.directory));
    });
}
